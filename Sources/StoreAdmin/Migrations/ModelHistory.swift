import ContextCore
import Foundation

/// The versions of a project's model: those that are frozen in its folders, or else the application's own model alone.
struct ModelHistory {
    static let option = OptionDeclaration.option(
        "project", nil, "FOLDER", "The folder with Models and Migrations; the working folder unless given.")

    /// The folder with `Models` and `Migrations`.
    let folder: String
    private let call: CommandCall
    private var tool: Tool { call.tool }

    init(_ call: CommandCall) {
        let surroundings = call.tool.surroundings
        folder = call.arguments["project"].map(surroundings.resolved) ?? surroundings.directory
        self.call = call
    }

    /// The versions, in the order that the migrations give them.
    ///
    /// - Throws: ``AdminError`` where nothing is frozen and the tool belongs to no application.
    func versions() throws -> ModelVersions {
        let hints = HintOptions(call: call)
        if try frozenNames().isEmpty == false {
            if hints.areGiven {
                throw AdminError.usage(
                    "what is said of the ways between frozen versions stands in \(ModelFolder.migrations).",
                    hint: "Run 'storectl migrate new', and say it there.")
            }
            return try ModelVersions(folder: URL(fileURLWithPath: folder), stages: tool.stages)
        }
        if let model = tool.model { return ModelVersions(inferringTo: model, hints: try hints.hints()) }
        throw AdminError(
            code: "SC3011", exit: .inputMissing,
            message: "there is no frozen model in \(folder)/\(ModelFolder.models).",
            hint:
                "Use the application's own storectl, or freeze a model: 'storectl model freeze NAME --model FILE'."
        )
    }

    /// The versions that several others follow.
    func forks() throws -> [MigrationFinding] {
        try ModelVersions.forks(in: URL(fileURLWithPath: folder))
    }

    /// The names of the frozen models, sorted by their bytes.
    func frozenNames() throws -> [String] {
        let path = folder + "/" + ModelFolder.models
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(Self.ending) }
            .map { String($0.dropLast(Self.ending.count)) }.sorted()
    }

    private static let ending = ".model.json"

    /// Where a frozen model is.
    func modelPath(_ name: String) -> String { "\(folder)/\(ModelFolder.models)/\(name)\(Self.ending)" }

    /// Where the way between two models is.
    func manifestPath(_ from: String, _ to: String) -> String {
        "\(folder)/\(ModelFolder.migrations)/\(from)-\(to).json"
    }

    /// Reads a frozen model.
    func frozen(_ name: String) throws -> ObjectModel {
        let path = modelPath(name)
        guard let data = FileManager.default.contents(atPath: path) else {
            let near = Spelling.nearest(to: name, among: try frozenNames()).map { "Did you mean \($0)?" }
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "there is no frozen model \(name).",
                hint: near ?? "Run 'storectl model freeze \(name)'.")
        }
        return try ObjectModel(fileText: String(decoding: data, as: UTF8.self), fileName: path)
    }

    /// Writes a new file, and the folder that it is in.
    func write(_ text: String, to path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        let sink = try FileSink(path)
        defer { sink.close() }
        try sink.write(text)
    }
}
