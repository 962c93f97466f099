import ContextCore
import Foundation

/// Runs an SQL statement.
struct SQLCommand: Command {
    /// The maximum number of rows in a table if no limit is given; the other formats contain all rows.
    private static let defaultLimit = 1000

    let declaration = CommandDeclaration(
        words: ["sql"], abstract: "Runs one SQL statement, which is read-only without --write.",
        discussion: """
            Without --write the command runs only statements that read: SELECT, VALUES, WITH, EXPLAIN, and PRAGMAs without
            effects. It also refuses functions with effects. If columns have the same name, the second one is `name_2` in JSON
            and CSV. A table shows at most 1,000 rows unless a limit is given; the other formats contain all rows. A statement
            that writes bypasses the object graph: it updates no versions, no history and no derived values. For a production
            store, --write needs --confirm with the store's name.
            """,
        operands: [.init(name: "STATEMENT", help: "One statement, or - to read it from standard input.")],
        options: [
            .flag("write", nil, "Allows the statement to change the database."),
            Confirmation.option,
            .option("limit", "n", "N", "The maximum number of rows."),
        ],
        examples: [
            .init(words: "sql 'SELECT count(*) FROM player'", help: "A query."),
            .init(words: "sql --write 'DROP INDEX old_index'", help: "A manual change."),
        ], formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.failure, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let isWriting = call.arguments.has("write")
        if isWriting { try Confirmation.check(call, store) }
        let text = call.arguments.operands[0]
        let statement =
            text == "-"
            ? String(decoding: (try? FileHandle.standardInput.readToEnd()) ?? Data(), as: UTF8.self) : text
        let limit = try call.arguments.count("limit") ?? (call.format == .table ? Self.defaultLimit : nil)
        do {
            let result = try store.inspect { try $0.run(statement, writing: isWriting, limit: limit) }
            // A table has the notice as its footer, and a JSON document as the member `cut`.
            if result.isTruncated, ![.table, .json].contains(call.format) {
                call.output.info(Self.notice(result.rows.count))
            }
            return report(result)
        } catch let error as StoreError where error.code == .readOnly && !isWriting {
            throw AdminError(
                code: "SC2009", exit: .permission, message: error.message,
                hint: "Add --write to allow changes.",
                detail: error.detail)
        }
    }

    /// Returns unique keys for columns in JSON documents: `_2` is appended to the second column with the same name.
    static func keys(for columns: [String]) -> [String] {
        var used = Set(columns)
        var seen: Set<String> = []
        return columns.map { name in
            if seen.insert(name).inserted { return name }
            var number = 2
            while !used.insert("\(name)_\(number)").inserted { number += 1 }
            return "\(name)_\(number)"
        }
    }

    /// Returns the notice of a result that `--limit` truncated.
    private static func notice(_ count: Int) -> String { "The first \(count); --limit shows more." }

    private func report(_ result: StatementRows) -> Report {
        let numbers = result.columns.indices.map { column in
            result.rows.contains { !$0[column].isNull } && result.rows.allSatisfy { $0[column].isNumber }
        }
        var rows = RowSet(
            zip(zip(result.columns, Self.keys(for: result.columns)), numbers).map {
                RowSet.Column($0.0, key: $0.1, isRightAligned: $1)
            },
            emptyText: result.columns.isEmpty
                ? "\(Quantity.text(result.changedRows, "row", "rows")) changed" : "no rows")
        for row in result.rows { rows.append(row.map(ValueText.cell)) }
        if result.isTruncated { rows.footer = Self.notice(result.rows.count) }
        return Report(
            "sql", rows: rows, isData: true,
            json: [
                "columns": .array(result.columns.map(JSONValue.string)), "cut": .bool(result.isTruncated),
                "changedRows": .int(result.changedRows),
            ])
    }
}
