import ContextCore

/// Forgets old saves.
struct HistoryPruneCommand: Command {
    let declaration = CommandDeclaration(
        words: ["history", "prune"], abstract: "Forgets old saves; objects stay as they are.",
        discussion: "Programs that have not read the history that far must fetch everything anew.",
        options: [
            .option("before", nil, "MOMENT", "Saves before a moment such as 2026-08-01T12:00:00Z."),
            .option("keep", nil, "N", "All but the newest saves."), Confirmation.option,
        ],
        examples: [
            .init(words: "history prune --before 2026-01-01T00:00:00Z", help: "Last year's."),
            .init(words: "history prune --keep 1000", help: "All but the last thousand."),
        ], exits: ExitCode.ofStores.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        guard (call.arguments["before"] == nil) != (call.arguments["keep"] == nil) else {
            throw AdminError.usage("'history prune' needs --before or --keep.")
        }
        let keep = try call.arguments.count("keep")
        let moment = try call.arguments["before"].map { try HistoryMoment($0, option: "before") }
        let store = try call.store()
        try Confirmation.check(call, store)
        let model = try store.model()
        let (kept, forgotten) = try store.read("history", model: model) { session, _ in
            let all = try session.history(HistoryRequest().withoutChanges)
            let count =
                keep.map { max(0, all.count - $0) }
                ?? all.prefix { $0.date < (moment?.date ?? .distantPast) }.count
            return (all.count - count, all.prefix(count).map(\.token))
        }
        if let last = forgotten.last {
            try store.write(model: model) { coordinator in
                let session = try coordinator.openWriteSession(SessionOptions(identifier: "prune history"))
                defer { session.end() }
                try session.pruneHistory(through: last)
                _ = try session.commit()
            }
        }
        let json: [String: JSONValue] = [
            "forgotten": .int(forgotten.count), "kept": .int(kept),
            "through": forgotten.last.map { .int(Int($0.sequence)) } ?? .null,
        ]
        return Report("history.prune", json) { _ in
            "\(Quantity.of(forgotten.count, "save", "saves")) forgotten, \(Quantity.count(kept)) kept\n"
        }
    }
}
