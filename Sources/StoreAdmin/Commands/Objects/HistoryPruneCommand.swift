import ContextCore

/// Removes old saves from a store's history.
struct HistoryPruneCommand: Command {
    let declaration = CommandDeclaration(
        words: ["history", "prune"], abstract: "Removes old saves from the history, but no objects.",
        discussion: "Programs that have not read the removed saves must fetch all objects again.",
        options: [
            .option("before", nil, "TIME", "Removes saves before a time such as 2026-08-01T12:00:00Z."),
            .option("keep", nil, "N", "Removes all but the N newest saves."), Confirmation.option,
        ],
        examples: [
            .init(words: "history prune --before 2026-01-01T00:00:00Z", help: "The saves before 2026."),
            .init(words: "history prune --keep 1000", help: "All but the last 1,000 saves."),
        ], exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        guard (call.arguments["before"] == nil) != (call.arguments["keep"] == nil) else {
            throw AdminError.usage("'history prune' needs either --before or --keep.")
        }
        let keep = try call.arguments.count("keep")
        let before = try call.arguments["before"].map { try HistoryTimestamp($0, option: "before") }
        let store = try call.store()
        try Confirmation.check(call, store)
        let model = try store.model()
        let (kept, removed) = try store.read("history", model: model) { session, _ in
            let all = try session.history(HistoryRequest().withoutChanges)
            let count =
                keep.map { max(0, all.count - $0) }
                ?? all.prefix { $0.date < (before?.date ?? .distantPast) }.count
            return (all.count - count, all.prefix(count).map(\.token))
        }
        if let last = removed.last {
            try store.write(model: model) { coordinator in
                let session = try coordinator.openWriteSession(SessionOptions(identifier: "prune history"))
                defer { session.end() }
                try session.pruneHistory(through: last)
                _ = try session.commit()
            }
        }
        let json: [String: JSONValue] = [
            "forgotten": .int(removed.count), "kept": .int(kept),
            "through": removed.last.map { .int(Int($0.sequence)) } ?? .null,
        ]
        return Report("history.prune", json) { _ in
            "\(Quantity.text(removed.count, "save", "saves")) removed, \(Quantity.count(kept)) kept\n"
        }
    }
}
