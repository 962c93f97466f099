import ContextCore

/// Runs a maintenance operation on a database, which doesn't change its contents.
struct MaintainCommand: Command {
    let declaration: CommandDeclaration
    private let work: StoreMaintenance

    init(_ work: StoreMaintenance) {
        self.work = work
        declaration = CommandDeclaration(
            words: ["maintain", work.rawValue], abstract: Self.abstract(of: work),
            discussion: Self.discussion(of: work), options: [Confirmation.option],
            examples: [.init(words: "maintain \(work.rawValue) -s dev", help: Self.help(of: work))],
            exitCodes: ExitCode.storeCommands.union([.refused]))
    }

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        let sizes = try store.maintain { maintainer in
            _ = try maintainer.models()
            let before = try maintainer.databaseInfo().bytes
            try ProgressLine.run(work.rawValue, call.output) { try maintainer.perform(work) }
            return (before: before, after: try maintainer.databaseInfo().bytes)
        }
        let json: [String: JSONValue] = [
            "store": store.json, "work": .string(work.rawValue),
            "bytesBefore": sizes.before.map { .int(Int($0)) } ?? .null,
            "bytesAfter": sizes.after.map { .int(Int($0)) } ?? .null,
        ]
        return Report("maintain", json) { _ in
            "\(work.rawValue) of \(store.title): \(Self.size(sizes.before)) before, \(Self.size(sizes.after)) after\n"
        }
    }

    private static func size(_ bytes: Int64?) -> String { bytes.map(Quantity.bytes) ?? "?" }

    private static func abstract(of work: StoreMaintenance) -> String {
        switch work {
        case .vacuum: "Reclaims the space of deleted rows."
        case .analyze: "Updates the statistics of the database's query planner."
        case .checkpoint: "Moves committed transactions from the WAL into the database file."
        case .reindex: "Rebuilds every index."
        }
    }

    private static func discussion(of work: StoreMaintenance) -> String {
        switch work {
        case .vacuum:
            """
            SQLite rewrites the file, which needs as much free space as the file has and blocks writers. PostgreSQL makes the
            space reusable within the tables, and blocks no other programs.
            """
        case .analyze: ""
        case .checkpoint:
            "It waits for readers, and exits with 75 if they don't end. PostgreSQL runs checkpoints on its own."
        case .reindex: "A SQLite file is locked for writers meanwhile. PostgreSQL blocks no other programs."
        }
    }

    private static func help(of work: StoreMaintenance) -> String {
        switch work {
        case .vacuum: "After many deletions."
        case .analyze: "When requests become slow after many saves."
        case .checkpoint: "Before other tools read the file."
        case .reindex: "When 'maintain integrity' has found a damaged index."
        }
    }
}
