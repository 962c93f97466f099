import ContextCore

/// Does one kind of work on a database that leaves what it holds as it is.
struct MaintainCommand: Command {
    let declaration: CommandDeclaration
    private let work: StoreMaintenance

    init(_ work: StoreMaintenance) {
        self.work = work
        declaration = CommandDeclaration(
            words: ["maintain", work.rawValue], abstract: Self.abstract(of: work),
            discussion: Self.discussion(of: work), options: [Confirmation.option],
            examples: [.init(words: "maintain \(work.rawValue) -s dev", help: Self.help(of: work))],
            exits: ExitCode.ofStores.union([.refused]))
    }

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        let sizes = try store.maintain { maintainer in
            _ = try maintainer.models()
            let before = try maintainer.facts().bytes
            try ProgressLine.during(work.rawValue, call.output) { try maintainer.perform(work) }
            return (before: before, after: try maintainer.facts().bytes)
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
        case .vacuum: "Gives back the room of what is gone."
        case .analyze: "Counts what is there anew, for the database's planning."
        case .checkpoint: "Moves what was committed from the log into the file."
        case .reindex: "Makes every index anew."
        }
    }

    private static func discussion(of work: StoreMaintenance) -> String {
        switch work {
        case .vacuum:
            """
            A SQLite file is written anew, which needs as much room again and makes those who write wait. On PostgreSQL the
            room is given back to the tables, and nobody waits.
            """
        case .analyze: ""
        case .checkpoint:
            "Readers that don't end are waited for, and then it exits with 75. PostgreSQL does it by itself."
        case .reindex: "On PostgreSQL nobody waits for it; in a SQLite file, those who write do."
        }
    }

    private static func help(of work: StoreMaintenance) -> String {
        switch work {
        case .vacuum: "After much was deleted."
        case .analyze: "After much was written, where requests became slow."
        case .checkpoint: "Before the file is looked at by other tools."
        case .reindex: "After 'maintain integrity' has found an index damaged."
        }
    }
}
