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
    /// - Throws: ``AdminError`` where nothing is frozen and the tool belongs to no application, or to one with stages: these are of
    ///   frozen versions, and where those aren't found they would be left out.
    func versions() throws -> ModelVersions {
        let hints = HintOptions(call: call)
        if try frozenNames().isEmpty == false {
            if hints.areGiven {
                throw AdminError.usage(
                    "what is said of the ways between frozen versions stands in \(ModelFolder.migrations).",
                    hint: "Run 'storectl migrate new', and say it there.")
            }
            return try frozenVersions(tool.stages)
        }
        if !tool.stages.isEmpty {
            let names = tool.stages.keys.sorted().joined(separator: ", ")
            throw notFrozen("this storectl has stages of \(names), and", hint: Self.whereToLook)
        }
        if let model = tool.model {
            var versions = ModelVersions(inferringTo: model, hints: try hints.hints())
            versions.checksInferredHints = !call.isOneOfMany
            return versions
        }
        throw notFrozen(
            hint:
                "Use the application's own storectl, or freeze a model: 'storectl model freeze NAME --model FILE'."
        )
    }

    /// Refuses to infer the way of a store that has gone from version to version: it would go past those in between.
    ///
    /// - Parameter known: The names of the versions that the store notes.
    func checkInference(known: some Sequence<String>) throws {
        let names = known.filter { $0 != ModelVersions.inferredName }.sorted()
        if names.isEmpty { return }
        throw notFrozen(
            "the store went through the versions \(names.joined(separator: ", ")), and",
            hint: Self.whereToLook)
    }

    /// Says that the way is inferred, since nothing is frozen: whoever works in the wrong folder goes past what is said of the ways between
    /// versions.
    func tellOfInference() {
        call.output.note(
            "there is no frozen model in \(folder)/\(ModelFolder.models): the way is inferred from the store's model to the "
                + "application's. Where versions are frozen in another folder, name that by --project.")
    }

    private static let whereToLook = "Run it in the folder of the project, or name that by --project."

    /// Says that nothing is frozen, and where it was looked.
    ///
    /// - Parameter reason: Why that is wrong, as the beginning of the sentence.
    func notFrozen(_ reason: String? = nil, hint: String) -> AdminError {
        let finding = "there is no frozen model in \(folder)/\(ModelFolder.models)."
        return AdminError(
            code: "SC3011", exit: .inputMissing,
            message: [reason, finding].compactMap(\.self).joined(separator: " "), hint: hint)
    }

    /// The names of the frozen models that no migration leads on from: the last version, or one that is to be joined to it yet.
    func latestNames() throws -> [String] {
        let left = Set(try ModelVersions.manifests(in: URL(fileURLWithPath: folder)).map(\.from))
        return try frozenNames().filter { !left.contains($0) }
    }

    /// The frozen versions.
    ///
    /// - Parameter stages: What is done on the way to them; nothing where stores aren't what it is about.
    func frozenVersions(_ stages: [String: [MigrationStage]] = [:]) throws -> ModelVersions {
        try ModelVersions(folder: URL(fileURLWithPath: folder), stages: stages)
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
        try sink.finish()
    }
}
