import ContextCore
import Foundation

/// Runs a statement in the database's own language.
struct SQLCommand: Command {
    let declaration = CommandDeclaration(
        words: ["sql"], abstract: "Runs one SQL statement; it may change nothing unless told to.",
        discussion: """
            Without --write only statements that read are run: SELECT, VALUES, WITH, EXPLAIN, and PRAGMAs that show
            something; also functions with effects are refused. Columns of one name are told apart in documents: the second
            one is `name_2`. What is written past the object graph keeps none of its
            promises: no versions, no history, no derived values. In production, --write needs --confirm with the store's
            name.
            """,
        operands: [.init(name: "STATEMENT", help: "One statement, or - to read it from standard input.")],
        options: [
            .flag("write", nil, "Lets the statement change the database."),
            Confirmation.option,
            .option("limit", "n", "N", "How many rows at the most; 1000 unless given."),
        ],
        examples: [
            .init(words: "sql 'SELECT count(*) FROM player'", help: "A question to the database itself."),
            .init(words: "sql --write 'DROP INDEX old_index'", help: "A change by hand."),
        ], forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.failure, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let isWriting = call.arguments.has("write")
        if isWriting { try Confirmation.check(call, store) }
        let text = call.arguments.operands[0]
        let statement =
            text == "-"
            ? String(decoding: (try? FileHandle.standardInput.readToEnd()) ?? Data(), as: UTF8.self) : text
        let limit = try call.arguments.count("limit") ?? 1000
        do {
            return report(try store.inspect { try $0.run(statement, writing: isWriting, limit: limit) })
        } catch let error as StoreError where error.code == .readOnly && !isWriting {
            throw AdminError(
                code: "SC2009", exit: .permission, message: error.message,
                hint: "Add --write, if that is meant.",
                detail: error.detail)
        }
    }

    /// The members of documents in which the columns are: of columns with one name, the second one's has `_2` behind it.
    static func keys(for columns: [String]) -> [String] {
        var taken = Set(columns)
        var seen: Set<String> = []
        return columns.map { name in
            if seen.insert(name).inserted { return name }
            var number = 2
            while !taken.insert("\(name)_\(number)").inserted { number += 1 }
            return "\(name)_\(number)"
        }
    }

    private func report(_ answer: StatementRows) -> Report {
        let numbers = answer.columns.indices.map { column in
            answer.rows.contains { !$0[column].isNull } && answer.rows.allSatisfy { $0[column].isNumber }
        }
        var rows = RowSet(
            zip(zip(answer.columns, Self.keys(for: answer.columns)), numbers).map {
                RowSet.Column($0.0, key: $0.1, isRight: $1)
            },
            emptyText: answer.columns.isEmpty
                ? "\(Quantity.of(answer.changedRows, "row", "rows")) changed" : "no rows")
        for row in answer.rows { rows.append(row.map(ValueText.cell)) }
        if answer.isCut { rows.footer = "The first \(answer.rows.count); --limit shows more." }
        return Report(
            "sql", rows: rows, isData: true,
            json: [
                "columns": .array(answer.columns.map(JSONValue.string)), "cut": .bool(answer.isCut),
                "changedRows": .int(answer.changedRows),
            ])
    }
}
