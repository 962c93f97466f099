import ContextCore
import Foundation

/// The versions of a project's model: the frozen ones in its folder or, if there are none, the application's own model.
struct ModelHistory {
    static let option = OptionDeclaration.option(
        "project", nil, "FOLDER", "The folder with Models and Migrations. The default is the working folder.")

    /// The folder with `Models` and `Migrations`.
    let folder: String
    private let call: CommandCall
    private var tool: Tool { call.tool }

    init(_ call: CommandCall) {
        let environment = call.tool.environment
        folder = call.arguments["project"].map(environment.resolved) ?? environment.directory
        self.call = call
    }

    /// Returns the versions, in the order that the migrations define.
    ///
    /// - Throws: ``AdminError`` if there are no frozen versions, and the tool contains no application's model or has stages, which need
    ///   frozen versions.
    func versions() throws -> ModelVersions {
        let hints = HintOptions(call: call)
        if try frozenNames().isEmpty == false {
            if hints.areGiven {
                throw AdminError.usage(
                    "--rename, --removed and --convert don't apply to frozen versions: "
                        + "their migrations are files in \(ModelFolder.migrations).",
                    hint: "Pass these options to 'storectl migrate dev' or 'storectl migrate new'.")
            }
            return try frozenVersions(tool.stages)
        }
        if !tool.stages.isEmpty {
            let names = tool.stages.keys.sorted().joined(separator: ", ")
            throw notFrozenError(
                "this tool has migration stages for \(names), but", hint: Self.whereToLook)
        }
        if let model = tool.model {
            var versions = ModelVersions(inferringTo: model, hints: try hints.hints())
            versions.checksInferredHints = !call.isPartOfFleet
            return versions
        }
        throw notFrozenError(
            hint:
                "Use the application's own tool, or freeze a model with 'storectl model freeze NAME --model FILE'."
        )
    }

    /// Throws if a store records frozen versions, because an inferred migration would skip the versions in between.
    ///
    /// - Parameter known: The names of the versions that the store records.
    func checkInference(known: some Sequence<String>) throws {
        let names = known.filter { $0 != ModelVersions.inferredName }.sorted()
        if names.isEmpty { return }
        throw notFrozenError(
            "the store was migrated through the versions \(names.joined(separator: ", ")), but",
            hint: Self.whereToLook)
    }

    /// Returns the error for an application's model that is none of the frozen versions; nil if it is one, or if the tool has no model.
    ///
    /// The program can't open a store that is migrated to the last frozen version.
    func unfrozenModelError(_ versions: ModelVersions) -> AdminError? {
        guard !versions.infersFirst, let model = tool.model,
            !versions.versions.contains(where: { $0.model.fingerprint == model.fingerprint })
        else { return nil }
        return .refused(
            "the application's model differs from \(versions.last.name), the last frozen version.",
            hint: "Run 'storectl migrate dev', or 'storectl model freeze' and 'storectl migrate new'. "
                + "To migrate to a frozen version all the same, name it with --to.")
    }

    /// Prints that the migration is inferred; in a wrong folder, the command would otherwise silently ignore the project's migration files.
    ///
    /// It prints nothing in the folder of a project: one with a configuration, or with an empty folder for models.
    func printInferenceNotice() {
        let contents = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(ModelFolder.models)")
        if contents?.isEmpty == true
            || FileManager.default.fileExists(atPath: "\(folder)/\(ConfigurationNames.file)")
        {
            return
        }
        call.output.info(
            "there is no frozen model in \(folder)/\(ModelFolder.models), so the migration is inferred from the store's model and the "
                + "application's. If versions are frozen in another folder, pass it with --project.")
    }

    private static let whereToLook = "Run the command in the project's folder, or pass that with --project."

    /// Returns the error for a folder without frozen models.
    ///
    /// - Parameter reason: Why frozen models are needed, as the beginning of the sentence.
    func notFrozenError(_ reason: String? = nil, hint: String) -> AdminError {
        let finding = "there is no frozen model in \(folder)/\(ModelFolder.models)."
        return AdminError(
            code: "SC3011", exit: .inputMissing,
            message: [reason, finding].compactMap(\.self).joined(separator: " "), hint: hint)
    }

    /// Returns the names of the frozen models from which no migration starts: the last version, and new ones without a migration.
    func latestNames() throws -> [String] { try Self.latestNames(in: folder) }

    /// Returns the names of the frozen models of a project from which no migration starts.
    static func latestNames(in folder: String) throws -> [String] {
        let sources = Set(try ModelVersions.manifests(in: URL(fileURLWithPath: folder)).map(\.from))
        return try frozenNames(in: folder).filter { !sources.contains($0) }
    }

    /// Reads the frozen versions.
    ///
    /// - Parameter stages: The stages by the name of their version; empty for commands that migrate no store.
    func frozenVersions(_ stages: [String: [MigrationStage]] = [:]) throws -> ModelVersions {
        try ModelVersions(folder: URL(fileURLWithPath: folder), stages: stages)
    }

    /// Returns the migration file whose target is a version; nil if there is none.
    func manifest(to name: String) throws -> MigrationManifest? {
        try ModelVersions.manifests(in: URL(fileURLWithPath: folder)).first { $0.to == name }
    }

    /// Returns a finding for each version that several others follow.
    func forkFindings() throws -> [MigrationFinding] {
        try ModelVersions.forkFindings(in: URL(fileURLWithPath: folder))
    }

    /// Returns the names of the frozen models, with the numbers in them in ascending order: V9, V10.
    func frozenNames() throws -> [String] { try Self.frozenNames(in: folder) }

    /// Returns the names of the frozen models of a project, with the numbers in them in ascending order: V9, V10.
    static func frozenNames(in folder: String) throws -> [String] {
        let path = folder + "/" + ModelFolder.models
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(fileSuffix) }
            .map { String($0.dropLast(fileSuffix.count)) }.sorted()
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    private static let fileSuffix = ".model.json"

    /// Throws if a name can't be that of a version, because the names of its files would be ambiguous.
    static func checkVersionName(_ name: String) throws(AdminError) {
        guard name.isEmpty || name.contains(where: { "/- \t\n".contains($0) }) else { return }
        throw .usage("a version's name must not be empty or contain a slash, a dash or a space.")
    }

    /// Returns the path of a frozen model.
    func modelPath(_ name: String) -> String { Self.modelPath(name, in: folder) }

    /// Returns the path of a frozen model of a project.
    static func modelPath(_ name: String, in folder: String) -> String {
        "\(folder)/\(ModelFolder.models)/\(name)\(fileSuffix)"
    }

    /// Returns the path of the migration file between two models.
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

    /// Writes a new file, and creates its folder if needed.
    func write(_ text: String, to path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        let sink = try FileSink(path)
        defer { sink.close() }
        try sink.write(text)
        try sink.finish()
    }
}
