import ContextCore
import Foundation

/// The versions of a project's model: those that are frozen in its folders, or else the application's own model alone.
struct ModelHistory {
    static let option = OptionDeclaration.option(
        "project", nil, "FOLDER", "The folder with Models and Migrations; the working folder unless given.")

    /// The folder with `Models` and `Migrations`.
    let folder: String
    private let tool: Tool

    init(_ call: CommandCall) {
        folder = call.tool.surroundings.resolved(call.arguments["project"] ?? ".")
        tool = call.tool
    }

    /// The versions, in the order that the migrations give them.
    ///
    /// - Throws: ``AdminError`` where nothing is frozen and the tool belongs to no application.
    func versions() throws -> ModelVersions {
        if try frozenNames().isEmpty == false {
            return try ModelVersions(folder: URL(fileURLWithPath: folder), stages: tool.stages)
        }
        if let model = tool.model { return ModelVersions(inferringTo: model) }
        throw AdminError(
            code: "SC3011", exit: .inputMissing,
            message: "there is no frozen model in \(folder)/\(ModelFolder.models).",
            hint: "Run 'storectl model freeze NAME', or use the application's own storectl.")
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
