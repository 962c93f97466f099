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
    private(set) var text: @Sendable (TextStyle) -> String
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
    /// Prints the report in a form, with no secret in it unless it is what people asked for.
    func print(_ form: OutputForm, to output: Output, hiding secrets: SecretLedger) throws {
        let text = printed(form, output.style)
        if text.isEmpty { return }
        try output.data(isData ? text : scrubbed(form, output.style, secrets))
    }

    /// JSON is scrubbed before it is written, for a short secret may be a part of the words that make up a document.
    private func scrubbed(_ form: OutputForm, _ style: TextStyle, _ secrets: SecretLedger) -> String {
        guard form == .json || form == .jsonl else { return secrets.scrubbed(printed(form, style)) }
        var report = self
        report.json = json.mapValues { $0.scrubbed(secrets) }
        report.rows?.rows = (rows?.rows ?? []).map {
            $0.map { RowSet.Cell(text: $0.text, json: $0.json.scrubbed(secrets)) }
        }
        return report.printed(form, style)
    }

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

extension Report {
    /// The report with the name of the program that runs in the commands that it advises; data stay as they are.
    func naming(_ tool: Tool) -> Report {
        if isData || tool.name == Tool.stockName { return self }
        var report = self
        report.text = { [text] in tool.named(text($0)) }
        report.json = json.mapValues { $0.mappingTexts(tool.named) }
        report.rows?.rows = (rows?.rows ?? []).map {
            $0.map { RowSet.Cell(text: tool.named($0.text), json: $0.json.mappingTexts(tool.named)) }
        }
        return report
    }
}

extension JSONValue {
    /// The value with no secret in its texts.
    func scrubbed(_ secrets: SecretLedger) -> JSONValue { mappingTexts(secrets.scrubbed) }

    /// The value with other texts; the names of its members stay.
    func mappingTexts(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mappingTexts(change) })
        case .object(let members): .object(members.mapValues { $0.mappingTexts(change) })
        }
    }
}
