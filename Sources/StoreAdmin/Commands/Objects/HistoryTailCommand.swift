import ContextCore
import Foundation

/// Prints new saves as they occur.
struct HistoryTailCommand: Command {
    private static let pollInterval = 0.25

    let declaration = CommandDeclaration(
        words: ["history", "tail"], abstract: "Prints new saves until it is interrupted.",
        options: [
            .option("after", nil, "N", "Starts after this save instead of the store's last one."),
            .option("entity", nil, "A,B", "Only changes of these entities and their subentities."),
            .option("author", nil, "NAME", "Only saves of this author."),
            .option("limit", "n", "N", "Exits after N saves."),
            .option("timeout", nil, "TIME", "Exits after this time without a save, such as 30s."),
        ],
        examples: [
            .init(words: "history tail", help: "The new saves of a store."),
            .init(
                words: "history tail --after 1 -o jsonl",
                help: "The saves after save 1, for a program."),
        ], formats: [.jsonl, .csv])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let limit = try call.arguments.positiveCount("limit") ?? .max
        let timeout = try call.arguments.duration("timeout")
        let model = try store.model()
        return try store.open(model: model) { coordinator in
            var request = try Self.reading(coordinator) { session in
                var request = try HistoryListCommand.request(call, session, model)
                if request.after == nil { request.after = session.token }
                return request
            }
            var (printed, lastSave) = (0, ContinuousClock.now)
            while printed < limit {
                // Each poll opens a new read session, so that no snapshot is held between two polls.
                let transactions = try Self.reading(coordinator) { try $0.history(request) }
                for transaction in transactions.prefix(limit - printed) {
                    try call.output.data(Self.line(transaction, model, call.format, isFirst: printed == 0))
                    request.after = transaction.token
                    printed += 1
                    lastSave = .now
                }
                if let timeout, ContinuousClock.now - lastSave >= timeout { break }
                if transactions.isEmpty { Thread.sleep(forTimeInterval: Self.pollInterval) }
            }
            return .alreadyPrinted
        }
    }

    private static func reading<Value>(
        _ coordinator: any StoreCoordinator, _ body: (any ReadSession) throws -> Value
    ) throws -> Value {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "history"))
        defer { session.end() }
        return try body(session)
    }

    private static func line(
        _ transaction: HistoryTransaction, _ model: ObjectModel, _ format: OutputFormat, isFirst: Bool
    ) -> String {
        var rows = HistoryListCommand.columns
        rows.append(HistoryListCommand.cells(transaction, model))
        switch format {
        case .jsonl: return rows.documents.map { $0.text + "\n" }.joined()
        case .csv:
            let text = rows.commaSeparated
            return isFirst ? text : String(text.drop { $0 != "\r\n" }.dropFirst())
        case .table, .json, .md:
            let changes = ["inserted", "updated", "deleted"].enumerated()
                .map { ($0.element, rows.rows[0][$0.offset + 4].text) }
                .filter { $0.1 != "0" }.map { "\($0.1) \($0.0)" }
            let cells = rows.rows[0].map(\.text)
            let process = [cells[8], cells[9]].filter { !$0.isEmpty }.joined(separator: " ")
            let names = [cells[2], cells[3], process].filter { !$0.isEmpty }.joined(separator: ", ")
            return "\(cells[0])  \(cells[1])  \(changes.joined(separator: ", ")): \(cells[7])"
                + (names.isEmpty ? "" : "  (\(names))") + "\n"
        }
    }
}
