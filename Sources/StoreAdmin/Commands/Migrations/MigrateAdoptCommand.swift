import ContextCore

/// Notes of which version a database's tables are.
struct MigrateAdoptCommand: Command {
    let declaration: CommandDeclaration

    static let adopt = MigrateAdoptCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "adopt"],
            abstract: "Finds the version that a database's tables are of, and notes it.",
            discussion: """
                For tables that were migrated by hand, or made by other means. They have to be exactly what a fresh store of
                the version would have; the newest such version is noted. No table of an entity is changed, made or dropped.
                Where there is no such version, it exits with 2 and says in what the tables differ from the nearest one.
                """,
            options: [ModelHistory.option, Confirmation.option],
            examples: [.init(words: "migrate adopt -s prod --confirm prod", help: "After a script by hand.")],
            exits: ExitCode.ofStores.union([.differences, .refused]))
    )

    static let baseline = MigrateAdoptCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "baseline"],
            abstract: "Notes that a database's tables are of a version, if they are.",
            discussion: """
                The tables have to be exactly what a fresh store of the version would have. Otherwise it exits with 2, says
                in what they differ, and changes nothing.
                """,
            options: [
                ModelHistory.option, .option("at", nil, "VERSION", "The version; the last unless given."),
                Confirmation.option,
            ],
            examples: [
                .init(words: "migrate baseline --at V1 -s prod --confirm prod", help: "A database of before.")
            ], exits: ExitCode.ofStores.union([.differences, .refused])))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        var nearest: (name: String, differences: [String])?
        for version in try candidates(call) {
            let differences = try store.backend.adopt(store.url, as: version)
            if differences.isEmpty { return report(store, version.name, []) }
            if differences.count < nearest?.differences.count ?? .max {
                nearest = (version.name, differences)
            }
        }
        return report(store, nearest?.name ?? "", nearest?.differences ?? [])
    }

    /// The versions that the tables may be of, the newest first.
    private func candidates(_ call: CommandCall) throws -> [ModelVersion] {
        let versions = try ModelHistory(call).versions().versions
        if declaration.words[1] == "adopt" { return versions.reversed() }
        guard let name = call.arguments["at"] else { return versions.suffix(1) }
        guard let version = versions.first(where: { $0.name == name }) else {
            throw AdminError.usage(
                "there is no version \(name) of the model.",
                hint: "There are \(versions.map(\.name).joined(separator: ", ")).")
        }
        return [version]
    }

    private func report(_ store: AdministeredStore, _ version: String, _ differences: [String]) -> Report {
        let json: [String: JSONValue] = [
            "store": store.json, "version": .string(version), "adopted": .bool(differences.isEmpty),
            "differences": .array(differences.map(JSONValue.string)),
        ]
        return Report("migrate.adopt", json, exit: differences.isEmpty ? .success : .differences) { _ in
            if differences.isEmpty { return "The tables are those of \(version).\n" }
            return "The tables are not those of \(version); nothing was changed.\n"
                + differences.map { "  \($0)\n" }.joined()
        }
    }
}
