import ContextCore
import Foundation

/// Lists the saves in a store's history, one per line.
struct HistoryListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["history", "list"], abstract: "Lists the saves in the history, the newest last.",
        options: [
            .option("entity", nil, "A,B", "Only changes of these entities and their subentities."),
            .option("object", nil, "OBJECT", "Only changes of this object, such as Player:12."),
            .option("author", nil, "NAME", "Only saves of this author."),
            .option(
                "process", nil, "NAME", "Only saves of the program with this name or process identifier."),
            .option("after", nil, "N", "Only saves after this one."),
            .option("since", nil, "TIME", "Only saves after a time such as 2026-08-01T12:00:00Z."),
            .option("limit", "n", "N", "Lists at most the N newest saves. The default is 20."),
        ],
        examples: [
            .init(words: "history list", help: "The last twenty saves."),
            .init(
                words: "history list --entity Player --after 1 -o jsonl",
                help: "The changes since save 1, for a program."),
            .init(words: "history list --object Player:12", help: "The last saves that changed a player."),
            .init(words: "history list --process importer", help: "The last saves of a program."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("history") { session, model in
            let limit = try call.arguments.count("limit") ?? 20
            var search = HistorySearch(session: session, request: try Self.request(call, session, model))
            search.process = call.arguments["process"]
            search.object = try call.arguments["object"].map { text in
                // The object may have been deleted.
                let reference = try ObjectReference(text)
                let entity = try model.entity(reference.entityName)
                return .init(entityIndices: Set(entity.familyIndices), key: reference.key)
            }
            var rows = Self.columns
            for transaction in try search.newest(limit) { rows.append(Self.cells(transaction, model)) }
            return Report("history.list", rows: rows)
        }
    }

    /// The table without rows.
    static let columns = RowSet(
        [
            .init("save", isRightAligned: true), .init("date"), .init("author"), .init("context"),
            .init("inserted", isRightAligned: true), .init("updated", isRightAligned: true),
            .init("deleted", isRightAligned: true), .init("entities"), .init("process"),
            .init("pid", isRightAligned: true),
        ], emptyText: "no saves")

    /// Returns the history request that the options describe.
    static func request(
        _ call: CommandCall, _ session: any ReadSession, _ model: ObjectModel
    ) throws -> HistoryRequest {
        var request = HistoryRequest(author: call.arguments["author"])
        if let after = try call.arguments.count("after") {
            request.after = StoreToken(storeID: session.token.storeID, sequence: Int64(after))
        }
        request.since = try call.arguments["since"].map { try HistoryTimestamp($0, option: "since").date }
        request.entityIndices = try call.arguments.list("entity").map { names in
            Set(try model.entities(names).flatMap(\.familyIndices))
        }
        return request
    }

    /// Returns the cells of a save.
    static func cells(_ transaction: HistoryTransaction, _ model: ObjectModel) -> [RowSet.Cell] {
        func count(_ kind: HistoryChange.Kind) -> RowSet.Cell {
            .count(transaction.changes.count { $0.kind == kind })
        }
        let entities = Set(transaction.changes.map(\.entityIndex)).sorted().map { model.layouts[$0].name }
        return [
            RowSet.Cell(
                text: String(transaction.token.sequence), json: .number(String(transaction.token.sequence))),
            .string(CivilTime(date: transaction.date).text),
            transaction.author.map { .string($0) } ?? .none,
            transaction.contextName.map { .string($0) } ?? .none,
            count(.insert), count(.update), count(.delete),
            RowSet.Cell(text: entities.joined(separator: ", "), json: .array(entities.map(JSONValue.string))),
            transaction.process.map { .string($0.name) } ?? .none,
            transaction.process.map {
                RowSet.Cell(text: String($0.identifier), json: .int(Int($0.identifier)))
            } ?? .none,
        ]
    }
}

/// A time in an option's value.
struct HistoryTimestamp {
    let date: Date

    init(_ text: String, option: String) throws(AdminError) {
        guard let microseconds = CivilTime.microseconds(of: text) else {
            throw .usage(
                "--\(option) takes a time, not “\(text)”.", hint: "Write it like 2026-08-01T12:00:00Z.")
        }
        date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}

extension CivilTime {
    /// Creates the civil time of a date, rounded to the microsecond.
    init(date: Date) {
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
