public import Foundation

/// A migration from one frozen version to the next, as a file for review: `Migrations/V1-V2.json`.
///
/// ```json
/// {
///   "accept": {
///     "Game.note": "Unused since 2.0."
///   },
///   "convert": {
///     "Product.price": "cents / 100"
///   },
///   "from": "V1",
///   "to": "V2"
/// }
/// ```
///
/// It may contain comments and trailing commas. The list of operations is for reviewers only; a migration uses the frozen models
/// themselves.
public struct MigrationManifest: Sendable, Hashable {
    /// The name of the older version.
    public var from: String
    /// The name of the newer version.
    public var to: String
    /// The hints for the migration.
    public var hints: MigrationHints
    /// The reasons why losses are accepted, by the entity or property that is lost.
    public var reasons: [String: String]
    /// The differences of the models, a sentence each.
    public var operations: [String]

    /// Creates a manifest of a transition.
    public init(_ transition: ModelTransition, reasons: [String: String] = [:]) {
        from = transition.from.name
        to = transition.to.name
        hints = transition.to.hints
        self.reasons = reasons
        hints.acceptedLosses.formUnion(reasons.keys)
        operations = transition.difference.changes.map(\.description)
    }

    /// Reads a manifest from the text of a file.
    ///
    /// - Throws: ``ModelFileError`` with all problems and their lines.
    public init(fileText text: String, fileName: String = "migration") throws {
        try self.init(fileName) { () throws(JSONSyntaxError) in try JSONDocument(text, allowsComments: true) }
    }

    /// Reads a manifest from a file.
    ///
    /// - Throws: ``ModelFileError`` with all problems and their lines. If the file can't be read, the error has the reason at
    ///   line 1, column 1.
    init(contentsOf file: URL) throws {
        try self.init(file.lastPathComponent) { () throws(JSONSyntaxError) in
            try JSONDocument(contentsOf: file, allowsComments: true)
        }
    }

    private init(_ fileName: String, _ parse: () throws(JSONSyntaxError) -> JSONDocument) throws {
        let problems = JSONProblems()
        let root = try Self.root(fileName, parse)
        var hints = MigrationHints()
        var reader = JSONObjectReader(root, as: "a migration", problems)
        reader?.requireMember("from")
        reader?.requireMember("to")
        from = reader?.string("from") ?? ""
        to = reader?.string("to") ?? ""
        hints.renames = Self.texts(reader?.object("rename") ?? [], problems)
        hints.conversions = Self.texts(reader?.object("convert") ?? [], problems)
        hints.removed = Set(Self.texts(reader?.array("removed") ?? [], problems))
        reasons = Self.texts(reader?.object("accept") ?? [], problems)
        hints.acceptedLosses = Set(reasons.keys)
        operations = Self.texts(reader?.array("operations") ?? [], problems)
        self.hints = hints
        reader?.reportUnknownMembers()
        guard problems.list.isEmpty else {
            throw ModelFileError(
                fileName: fileName, problems: problems.list.map { .init($0.message, at: $0.position) })
        }
    }

    private static func root(
        _ fileName: String, _ parse: () throws(JSONSyntaxError) -> JSONDocument
    ) throws(ModelFileError) -> JSONNode {
        do throws(JSONSyntaxError) {
            return try parse().root
        } catch {
            throw ModelFileError(fileName: fileName, problems: [.init(error.message, at: error.position)])
        }
    }

    /// The manifest as the text of a file, with one entry per line; always the same for the same manifest.
    public var fileText: String {
        var members: [String: JSONValue] = ["from": .string(from), "to": .string(to)]
        func add(_ name: String, _ texts: [String: String]) {
            if !texts.isEmpty { members[name] = .object(texts.mapValues(JSONValue.string)) }
        }
        func add(_ name: String, _ texts: [String]) {
            if !texts.isEmpty { members[name] = .array(texts.map(JSONValue.string)) }
        }
        let unexplained = hints.acceptedLosses.map { ($0, "") }
        add("accept", reasons.merging(unexplained) { reason, _ in reason })
        add("convert", hints.conversions)
        add("rename", hints.renames)
        add("removed", hints.removed.sortedByBytes { $0 })
        add("operations", operations)
        return JSONValue.object(members).text(expanding: 2)
    }

    private static func texts(_ members: [JSONMember], _ problems: JSONProblems) -> [String: String] {
        var texts: [String: String] = [:]
        for member in members { texts[member.name] = text(member.value, problems) }
        return texts
    }

    private static func texts(_ nodes: [JSONNode], _ problems: JSONProblems) -> [String] {
        nodes.compactMap { text($0, problems) }
    }

    private static func text(_ node: JSONNode, _ problems: JSONProblems) -> String? {
        if case .string(let text) = node.content { return text }
        problems.report("This must be a string, not \(node.kindName).", at: node.position)
        return nil
    }
}

extension ModelVersions {
    /// Reads the frozen versions of a folder: `Models/V1.model.json` and so on, with `Migrations/V1-V2.json` between consecutive ones.
    ///
    /// The manifests define the order of the versions. All frozen models must form one chain: two versions that follow the same one, as
    /// after a merge of two branches, are an error when the versions are read, before any store is migrated.
    ///
    /// - Parameters:
    ///   - folder: The folder with `Models` and `Migrations`.
    ///   - stages: The stages of the migration to each version, by the version's name.
    /// - Throws: ``ModelFileError``; ``StoreError/Code/configuration`` if the versions don't form a chain, or if there is a stage for
    ///   a version that doesn't exist.
    public init(folder: URL, stages: [String: [MigrationStage]] = [:]) throws {
        let models = try Self.files(in: folder.appendingPathComponent("Models"), ending: ".model.json")
        let manifests = try Self.manifests(in: folder)
        let names = try Self.orderedNames(models.map(\.name), manifests)
        try Self.check(stages.keys.sortedByBytes { $0 }, among: names)
        let versions = try names.map { name in
            guard let file = models.first(where: { $0.name == name }) else {
                throw Self.missingModelError(name)
            }
            let hints = manifests.first { $0.to == name }?.hints
            return ModelVersion(
                name, try ObjectModel(contentsOf: file.url), hints: hints ?? MigrationHints(),
                stages: stages[name] ?? [])
        }
        try self.init(versions)
    }

    /// Returns a finding for each version that several others follow, as after a merge of two branches.
    package static func forkFindings(in folder: URL) throws -> [MigrationFinding] {
        let heads = Dictionary(grouping: try manifests(in: folder), by: \.from).filter { $0.value.count > 1 }
        return heads.sortedByBytes(of: \.key).map { from, manifests in
            let names = manifests.map(\.to).sortedByBytes { $0 }.joined(separator: " and ")
            return MigrationFinding(
                "two-heads", .error, from,
                "\(names) both follow \(from): change one of them to start at the other.")
        }
    }

    /// Returns a finding for each version that the store has had and whose frozen model was changed afterwards.
    package func editedVersionFindings(since state: MigrationState) -> [MigrationFinding] {
        versions.filter { version in
            state.versions[version.name].map { $0 != version.model.fingerprint } ?? false
        }.map { version in
            MigrationFinding(
                "edited-after-apply", .error, version.name,
                "The store was migrated to another \(version.name) than the frozen one: freeze the change as a new version."
            )
        }
    }

    /// The findings about versions that have the same model as an earlier one, although values were converted in between.
    ///
    /// A store is identified by its model alone, so a store of the earlier version would be treated as one of the later.
    package var repeatedModelFindings: [MigrationFinding] {
        versions.indices.compactMap { index in
            let version = versions[index]
            let isSame: (ModelVersion) -> Bool = { $0.model.fingerprint == version.model.fingerprint }
            guard let earlier = versions[..<index].lastIndex(where: isSame),
                versions[(earlier + 1)...index].contains(where: \.changesValues)
            else { return nil }
            return MigrationFinding(
                "returning-model", .error, version.name,
                "\(version.name) has the same model as \(versions[earlier].name), but values are converted in between: a store of "
                    + "\(versions[earlier].name) would be taken for one of \(version.name). Change the hashModifier of the converted "
                    + "properties in \(version.name).")
        }
    }

    /// Returns the manifests of a folder, sorted by file name.
    ///
    /// - Throws: ``ModelFileError`` if a file is invalid or can't be read.
    package static func manifests(in folder: URL) throws -> [MigrationManifest] {
        try files(in: folder.appendingPathComponent("Migrations"), ending: ".json").map {
            try MigrationManifest(contentsOf: $0.url)
        }
    }

    /// Throws if a stage belongs to a version that doesn't exist, because the stage would silently be skipped.
    private static func check(_ stages: [String], among names: [String]) throws(StoreError) {
        for name in stages where !names.contains(name) {
            let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)? " } ?? ""
            throw StoreError(
                .configuration,
                "The program has a stage for the version \(name), which doesn't exist.",
                remedy: near + "The versions are \(names.joined(separator: ", ")).")
        }
    }

    private static func files(in folder: URL, ending: String) throws -> [(name: String, url: URL)] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let urls = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return urls.filter { $0.lastPathComponent.hasSuffix(ending) }
            .map { (String($0.lastPathComponent.dropLast(ending.count)), $0) }.sortedByBytes(of: \.name)
    }

    /// Returns the names of the versions, first to last.
    private static func orderedNames(_ names: [String], _ manifests: [MigrationManifest]) throws(StoreError)
        -> [String]
    {
        var ends: Set<String> = []
        for manifest in manifests {
            guard ends.insert("from \(manifest.from)").inserted, ends.insert("to \(manifest.to)").inserted
            else {
                throw StoreError(
                    .configuration, "Two migrations start at \(manifest.from), or end at \(manifest.to).",
                    remedy: "Change one of them to start where the other ends.")
            }
        }
        let targets = Set(manifests.map(\.to))
        let starts = names.filter { !targets.contains($0) }
        guard var name = starts.first, starts.count == 1 else {
            throw StoreError(
                .configuration,
                "The frozen models don't form a chain: \(starts.joined(separator: ", ")) have no predecessor.",
                remedy: "Add a migration to each model except the first.")
        }
        var chain = [name]
        while let next = manifests.first(where: { $0.from == name })?.to, !chain.contains(next) {
            chain.append(next)
            name = next
        }
        if let lost = manifests.first(where: { !chain.contains($0.to) }) {
            throw missingModelError(lost.from)
        }
        return chain
    }

    private static func missingModelError(_ name: String) -> StoreError {
        StoreError(
            .configuration, "There is no frozen model \(name), but a migration starts or ends at it.",
            remedy: "Add \(name).model.json to the folder Models.")
    }
}
