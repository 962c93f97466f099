import ContextCore

/// Rows with named columns, which can be printed in every table format.
struct RowSet: Sendable {
    /// A value, as text for tables and as JSON for documents.
    struct Cell: Sendable {
        let text: String
        let json: JSONValue

        static func string(_ text: String) -> Cell { Cell(text: text, json: .string(text)) }
        static func count(_ number: Int) -> Cell {
            Cell(text: Quantity.count(number), json: .int(number))
        }
        static func bytes(_ number: Int64?) -> Cell {
            number.map { Cell(text: Quantity.bytes($0), json: .int(Int($0))) } ?? Cell(text: "?", json: .null)
        }
        static func flag(_ value: Bool) -> Cell { Cell(text: value ? "yes" : "", json: .bool(value)) }
        static func list(_ texts: [String]) -> Cell {
            Cell(text: texts.joined(separator: ", "), json: .array(texts.map(JSONValue.string)))
        }
        static let none = Cell(text: "", json: .null)
    }

    /// A column: its heading, its name in documents, and its alignment.
    struct Column: Sendable {
        let name: String
        let key: String
        var isRightAligned = false

        init(_ name: String, key: String? = nil, isRightAligned: Bool = false) {
            self.name = name
            self.key = key ?? name
            self.isRightAligned = isRightAligned
        }
    }

    var columns: [Column]
    var rows: [[Cell]] = []
    /// The text that is printed if there are no rows.
    var emptyText = "none"
    /// The line below the table.
    var footer: String?

    init(_ columns: [Column], emptyText: String = "none") {
        self.columns = columns
        self.emptyText = emptyText
    }

    mutating func append(_ cells: [Cell]) { rows.append(cells) }
}

extension RowSet {
    /// The rows as JSON objects.
    var documents: [JSONValue] {
        rows.map { row in
            .object(
                Dictionary(zip(columns.map(\.key), row.map(\.json)), uniquingKeysWith: { first, _ in first }))
        }
    }

    func text(_ style: TextStyle) -> String {
        if rows.isEmpty { return style.dim(emptyText) + "\n" }
        var table = TextTable(
            columns.map { TextTable.Column(name: $0.name, isRightAligned: $0.isRightAligned) })
        table.rows = rows.map { $0.map(\.text) }
        return table.text(style) + (footer.map { style.dim($0) + "\n" } ?? "")
    }

    /// Returns a block of lines for each row, one per column, with whole values.
    func expandedText(_ style: TextStyle) -> String {
        if rows.isEmpty { return style.dim(emptyText) + "\n" }
        var text = ""
        for (index, row) in rows.enumerated() {
            var table = TextTable([.init(name: "column"), .init(name: "value")])
            for (column, cell) in zip(columns, row) { table.append([column.name, cell.text]) }
            // Without a width, so that values aren't truncated.
            text += style.bold("[\(index + 1)]") + "\n" + table.text(TextStyle(), hasHeading: false)
        }
        return text + (footer.map { style.dim($0) + "\n" } ?? "")
    }

    /// The rows as CSV (RFC 4180), with a heading.
    var commaSeparated: String {
        let lines = [columns.map(\.key)] + rows.map { $0.map { Self.plain($0.json) } }
        let writer = CSVText()
        return lines.map { writer.record($0.map(writer.field)) }.joined()
    }

    var markdown: String {
        let heading = "| " + columns.map(\.name).joined(separator: " | ") + " |\n"
        let rule = "| " + columns.map { $0.isRightAligned ? "--:" : "---" }.joined(separator: " | ") + " |\n"
        return heading + rule
            + rows.map { row in
                "| " + row.map { Self.escaped($0.text) }.joined(separator: " | ") + " |\n"
            }.joined()
    }

    private static func plain(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: value.text
        }
    }

    private static func escaped(_ text: String) -> String {
        TextTable.escapingControlCharacters(text).replacing("|", with: "\\|")
    }
}
