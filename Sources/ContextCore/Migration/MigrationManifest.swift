public import Foundation

/// The way from one frozen version to the next, as a file that people review: `Migrations/V1-V2.json`.
///
/// ```json
/// {
///   "accept": {
///     "Game.note": "Nobody read it."
///   },
///   "convert": {
///     "Product.price": "cents / 100"
///   },
///   "from": "V1",
///   "to": "V2"
/// }
/// ```
///
/// Comments and trailing commas may stand in it. What the two models differ in is written out when the file is made, for reviewers; what
/// counts when a store is migrated is the frozen models themselves.
public struct MigrationManifest: Sendable, Hashable {
    /// The name of the older version.
    public var from: String
    /// The name of the newer version.
    public var to: String
    /// What is known of the way.
    public var hints: MigrationHints
    /// Why what is lost may be, by name.
    public var reasons: [String: String]
    /// What the models differ in, a sentence each.
    public var operations: [String]

    /// Describes the way between two versions.
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
    /// - Throws: ``ModelFileError`` with everything that is wrong, line by line.
    public init(fileText text: String, fileName: String = "migration") throws {
        try self.init(fileName) { () throws(JSONSyntaxError) in try JSONDocument(text, allowsComments: true) }
    }

    /// Reads a manifest from a file.
    ///
    /// - Throws: ``ModelFileError`` with everything that is wrong, line by line; or, in the place of the first character, why the file
    ///   can't be read.
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
        reader?.require("from")
        reader?.require("to")
        from = reader?.string("from") ?? ""
        to = reader?.string("to") ?? ""
        hints.renames = Self.texts(reader?.object("rename") ?? [], problems)
        hints.conversions = Self.texts(reader?.object("convert") ?? [], problems)
        hints.removed = Set(Self.texts(reader?.array("removed") ?? [], problems))
        reasons = Self.texts(reader?.object("accept") ?? [], problems)
        hints.acceptedLosses = Set(reasons.keys)
        operations = Self.texts(reader?.array("operations") ?? [], problems)
        self.hints = hints
        reader?.refuseOthers()
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

    /// The manifest as the text of a file: always the same for the same manifest, with one thing a line.
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
    /// Reads the frozen versions of a folder: `Models/V1.model.json` and so on, and `Migrations/V1-V2.json` between each and the next.
    ///
    /// The manifests chain the versions. Every frozen model must be in the one chain: two versions that both follow a third, as two
    /// branches of work may leave them, are refused here and not when a store is migrated.
    ///
    /// - Parameters:
    ///   - folder: The folder with `Models` and `Migrations`.
    ///   - stages: What the program does on the way to a version, by the version's name.
    /// - Throws: ``ModelFileError``; ``StoreError/Code/configuration`` where the files make no chain, or where there is a stage and
    ///   no version of that name.
    public init(folder: URL, stages: [String: [MigrationStage]] = [:]) throws {
        let models = try Self.files(in: folder.appendingPathComponent("Models"), ending: ".model.json")
        let manifests = try Self.manifests(in: folder)
        let names = try Self.chained(models.map(\.name), manifests)
        try Self.check(stages.keys.sortedByBytes { $0 }, among: names)
        let versions = try names.map { name in
            guard let file = models.first(where: { $0.name == name }) else { throw Self.missing(name) }
            let hints = manifests.first { $0.to == name }?.hints
            return ModelVersion(
                name, try ObjectModel(contentsOf: file.url), hints: hints ?? MigrationHints(),
                stages: stages[name] ?? [])
        }
        try self.init(versions)
    }

    /// The versions of a folder that several others follow, as two branches of work may leave them.
    package static func forks(in folder: URL) throws -> [MigrationFinding] {
        let heads = Dictionary(grouping: try manifests(in: folder), by: \.from).filter { $0.value.count > 1 }
        return heads.sortedByBytes(of: \.key).map { from, manifests in
            let names = manifests.map(\.to).sortedByBytes { $0 }.joined(separator: " and ")
            return MigrationFinding(
                "two-heads", .error, from,
                "\(names) both follow \(from): let one of them begin where the other ends.")
        }
    }

    /// The versions that a store went through and that are frozen otherwise by now.
    package func edited(since state: MigrationState) -> [MigrationFinding] {
        versions.filter { version in
            state.versions[version.name].map { $0 != version.model.fingerprint } ?? false
        }.map { version in
            MigrationFinding(
                "edited-after-apply", .error, version.name,
                "The store is, or was, of another \(version.name) than the one that is frozen: freeze the change as a version of its own."
            )
        }
    }

    /// The versions whose model an earlier one had too, although values became others in between.
    ///
    /// A store is known by its model alone. One of the earlier version would be taken for one of the later, with the values that it has.
    package var returning: [MigrationFinding] {
        versions.indices.compactMap { index in
            let version = versions[index]
            let isSame: (ModelVersion) -> Bool = { $0.model.fingerprint == version.model.fingerprint }
            guard let earlier = versions[..<index].lastIndex(where: isSame),
                versions[(earlier + 1)...index].contains(where: \.changesValues)
            else { return nil }
            return MigrationFinding(
                "returning-model", .error, version.name,
                "\(version.name) has the same model as \(versions[earlier].name), and values become others in between: a store of "
                    + "\(versions[earlier].name) would be taken for one of \(version.name). Give what they belong to another hashModifier "
                    + "in \(version.name).")
        }
    }

    /// The ways between the versions of a folder, in order of their files' names.
    ///
    /// - Throws: ``ModelFileError`` for one that is wrong, or can't be read.
    package static func manifests(in folder: URL) throws -> [MigrationManifest] {
        try files(in: folder.appendingPathComponent("Migrations"), ending: ".json").map {
            try MigrationManifest(contentsOf: $0.url)
        }
    }

    /// A stage of a version that isn't there would never run, and the store be of the version all the same.
    private static func check(_ stages: [String], among names: [String]) throws(StoreError) {
        for name in stages where !names.contains(name) {
            let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)? " } ?? ""
            throw StoreError(
                .configuration,
                "The program has a stage of the version \(name), and there is no such version.",
                remedy: near + "There are \(names.joined(separator: ", ")).")
        }
    }

    private static func files(in folder: URL, ending: String) throws -> [(name: String, url: URL)] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let urls = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return urls.filter { $0.lastPathComponent.hasSuffix(ending) }
            .map { (String($0.lastPathComponent.dropLast(ending.count)), $0) }.sortedByBytes(of: \.name)
    }

    /// The names in their order.
    private static func chained(_ names: [String], _ manifests: [MigrationManifest]) throws(StoreError)
        -> [String]
    {
        var ends: Set<String> = []
        for manifest in manifests {
            guard ends.insert("from \(manifest.from)").inserted, ends.insert("to \(manifest.to)").inserted
            else {
                throw StoreError(
                    .configuration, "Two migrations go from \(manifest.from), or to \(manifest.to).",
                    remedy: "Let one of them begin where the other ends.")
            }
        }
        let targets = Set(manifests.map(\.to))
        let starts = names.filter { !targets.contains($0) }
        guard var name = starts.first, starts.count == 1 else {
            throw StoreError(
                .configuration,
                "The frozen models make no chain: \(starts.joined(separator: ", ")) follow on nothing.",
                remedy: "Write a migration to each model but the first.")
        }
        var chain = [name]
        while let next = manifests.first(where: { $0.from == name })?.to, !chain.contains(next) {
            chain.append(next)
            name = next
        }
        if let lost = manifests.first(where: { !chain.contains($0.to) }) { throw missing(lost.from) }
        return chain
    }

    private static func missing(_ name: String) -> StoreError {
        StoreError(
            .configuration, "There is no frozen model \(name), which a migration begins or ends at.",
            remedy: "Put \(name).model.json into the folder of models.")
    }
}
