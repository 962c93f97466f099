import ContextCore

/// The result of a command, which can be printed in each format that the command supports.
struct Report: Sendable {
    /// The name of the JSON document's schema, without the version.
    let schema: String
    /// The members of the JSON document.
    var json: [String: JSONValue]
    /// The rows, for a command that supports table formats.
    var rows: RowSet?
    /// Makes the text of the format ``OutputFormat/table``.
    private(set) var text: @Sendable (TextStyle) -> String
    /// The exit code.
    var exit = ExitCode.success
    /// Whether the report consists of the store's data, which is printed unchanged, without removing secrets.
    var isData = false
    /// Whether the text is the table of the rows.
    private var isTable = false

    init(
        _ schema: String, _ json: [String: JSONValue], exit: ExitCode = .success,
        text: @escaping @Sendable (TextStyle) -> String
    ) {
        self.schema = schema
        self.json = json
        self.text = text
        self.exit = exit
    }

    /// Creates a report that consists of rows.
    init(_ schema: String, rows: RowSet, isData: Bool = false, json: [String: JSONValue] = [:]) {
        self.init(schema, json) { rows.text($0) }
        self.rows = rows
        self.isData = isData
        isTable = true
        self.json["rows"] = .array(rows.documents)
    }

    /// The report of a command that has printed its output itself.
    static let alreadyPrinted = Report("", [:]) { _ in "" }
}

extension Report {
    /// Prints the report in a format, with secrets removed unless the report is data.
    func print(_ format: OutputFormat, to output: Output, hiding secrets: SecretLedger) throws {
        let text = formatted(format, output.style)
        if text.isEmpty { return }
        try output.data(isData ? text : redacted(format, output.style, secrets))
    }

    /// Returns the report in a format, with secrets removed.
    ///
    /// In JSON, secrets are removed from the values before encoding, because a short secret may also be part of the document's syntax or
    /// member names.
    private func redacted(_ format: OutputFormat, _ style: TextStyle, _ secrets: SecretLedger) -> String {
        guard format == .json || format == .jsonl else { return secrets.redacted(formatted(format, style)) }
        var report = self
        report.json = json.mapValues { $0.redacted(secrets) }
        report.rows?.rows = (rows?.rows ?? []).map {
            $0.map { RowSet.Cell(text: $0.text, json: $0.json.redacted(secrets)) }
        }
        return report.formatted(format, style)
    }

    /// Returns the report in a format.
    func formatted(_ format: OutputFormat, _ style: TextStyle) -> String {
        if schema.isEmpty { return "" }
        switch format {
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
    /// Returns the report with a block of lines per row as its text; unchanged if its text isn't the table of its rows.
    func expanded() -> Report {
        guard isTable, let rows else { return self }
        var report = self
        report.text = { rows.expandedText($0) }
        return report
    }
}

extension Report {
    /// Returns the report with `storectl` replaced by the program's name in the commands that it suggests; data is unchanged.
    func naming(_ tool: Tool) -> Report {
        if isData || tool.name == Tool.defaultName { return self }
        var report = self
        report.text = { [text] in tool.withProgramName(text($0)) }
        report.json = json.mapValues { $0.mappingTexts(tool.withProgramName) }
        report.rows?.rows = (rows?.rows ?? []).map {
            $0.map {
                RowSet.Cell(
                    text: tool.withProgramName($0.text), json: $0.json.mappingTexts(tool.withProgramName))
            }
        }
        return report
    }
}

extension JSONValue {
    /// Returns the value with secrets removed from its strings.
    func redacted(_ secrets: SecretLedger) -> JSONValue { mappingTexts(secrets.redacted) }

    /// Returns the value with its strings transformed; the names of members stay.
    func mappingTexts(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mappingTexts(change) })
        case .object(let members): .object(members.mapValues { $0.mappingTexts(change) })
        }
    }
}
