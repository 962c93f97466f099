import ContextCore

/// Records the version of a database's tables.
struct MigrateAdoptCommand: Command {
    let declaration: CommandDeclaration

    static let adopt = MigrateAdoptCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "adopt"],
            abstract: "Finds the version that a database's tables match, and records it.",
            discussion: """
                For tables that were migrated manually or created by other means. They must be exactly those that a new store of
                the version would have; the command records the newest such version. It doesn't change, create or drop a table
                of an entity. If no version matches, it exits with 2 and lists the differences from the nearest one.
                """,
            options: [ModelHistory.option, Confirmation.option],
            examples: [
                .init(words: "migrate adopt -s prod --confirm prod", help: "After a manual migration.")
            ],
            exitCodes: ExitCode.storeCommands.union([.differences, .refused]))
    )

    static let baseline = MigrateAdoptCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "baseline"],
            abstract: "Records a version for a database whose tables match it.",
            discussion: """
                The tables must be exactly those that a new store of the version would have. Otherwise the command exits with 2,
                lists the differences, and changes nothing.
                """,
            options: [
                ModelHistory.option,
                .option("at", nil, "VERSION", "The version. The default is the last one."),
                Confirmation.option,
            ],
            examples: [
                .init(words: "migrate baseline --at V1 -s prod --confirm prod", help: "For an old database.")
            ], exitCodes: ExitCode.storeCommands.union([.differences, .refused])))

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

    /// Returns the versions to compare the tables with, the newest first.
    private func candidates(_ call: CommandCall) throws -> [ModelVersion] {
        let versions = try ModelHistory(call).versions().versions
        if declaration.words[1] == "adopt" { return versions.reversed() }
        guard let name = call.arguments["at"] else { return versions.suffix(1) }
        guard let version = versions.first(where: { $0.name == name }) else {
            throw AdminError.usage(
                "there is no version \(name) of the model.",
                hint: "The versions are \(versions.map(\.name).joined(separator: ", ")).")
        }
        return [version]
    }

    private func report(_ store: AdministeredStore, _ version: String, _ differences: [String]) -> Report {
        let json: [String: JSONValue] = [
            "store": store.json, "version": .string(version), "adopted": .bool(differences.isEmpty),
            "differences": .array(differences.map(JSONValue.string)),
        ]
        return Report("migrate.adopt", json, exit: differences.isEmpty ? .success : .differences) { _ in
            if differences.isEmpty { return "The tables match version \(version), which was recorded.\n" }
            return "The tables don't match version \(version). Nothing was changed.\n"
                + differences.map { "  \($0)\n" }.joined()
        }
    }
}
