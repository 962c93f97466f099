import ContextCore

/// What a command found, ready to be printed in any form that it has.
struct Report: Sendable {
    /// Names the document's shape, without its version.
    let schema: String
    /// The members of the JSON document.
    var json: [String: JSONValue]
    /// Rows, for a command that has the forms of tables.
    var rows: RowSet?
    /// Writes it for people.
    let text: @Sendable (TextStyle) -> String
    /// What the shell is told.
    var exit = ExitCode.success
    /// Whether everything has been printed already, or is not to be scrubbed since people asked for these very bytes.
    var isData = false

    init(
        _ schema: String, _ json: [String: JSONValue], exit: ExitCode = .success,
        text: @escaping @Sendable (TextStyle) -> String
    ) {
        self.schema = schema
        self.json = json
        self.text = text
        self.exit = exit
    }

    /// Makes a report whose rows are all there is.
    init(_ schema: String, rows: RowSet, isData: Bool = false, json: [String: JSONValue] = [:]) {
        self.init(schema, json) { rows.text($0) }
        self.rows = rows
        self.isData = isData
        self.json["rows"] = .array(rows.documents)
    }

    /// Makes the report of a command that has printed everything itself.
    static let printed = Report("", [:]) { _ in "" }
}

extension Report {
    /// The report in a form.
    func printed(_ form: OutputForm, _ style: TextStyle) -> String {
        if schema.isEmpty { return "" }
        switch form {
        case .table: return text(style)
        case .json:
            let head: [String: JSONValue] = [
                "schema": .string("storectl.\(schema)/1"),
                "ok": .bool(exit == .success),
            ]
            return JSONValue.object(json.merging(head) { $1 }).text(expanding: 2)
        case .jsonl: return rows?.documents.map { $0.text + "\n" }.joined() ?? ""
        case .csv: return rows?.commaSeparated ?? ""
        case .md: return rows?.markdown ?? ""
        }
    }
}
