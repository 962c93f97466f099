import ContextCore

/// The file of the rows that an import has rejected: each row as it was, with its line and the reason.
///
/// It has the format of the imported file, and can be imported again after its rows are corrected.
struct RejectFile {
    /// The member with a line that isn't a JSON object.
    static let textMember = "_text"

    private let sink: FileSink
    private let writer: CSVText

    /// - Parameter replaces: Whether the file replaces one with the name.
    init(_ path: String, delimiter: UInt8, replaces: Bool = false) throws {
        sink = try FileSink(path, replaces: replaces)
        writer = CSVText(delimiter: delimiter)
    }

    /// Writes the names of the columns of a CSV file.
    func writeHeader(_ names: [String]) throws {
        try sink.write(writer.record((["_line", "_reason"] + names).map(writer.field)))
    }

    func append(_ row: RejectedRow) throws {
        switch row.source {
        case .fields(let fields):
            let texts = fields.map { $0.isQuoted ? CSVText.inQuotes($0.text) : writer.field($0.text) }
            try sink.write(writer.record([String(row.line), writer.field(row.reason)] + texts))
        case .json(let text): try sink.write(json(row, text).text + "\n")
        }
    }

    /// Returns the object with two more members, or with the line as text if it isn't an object.
    private func json(_ row: RejectedRow, _ text: String) -> JSONValue {
        let added: [String: JSONValue] = ["_line": .int(row.line), "_reason": .string(row.reason)]
        guard let document = try? JSONDocument(text), case .object(let members) = JSONValue(document.root)
        else {
            return .object(added.merging([Self.textMember: .string(text)]) { $1 })
        }
        return .object(members.merging(added) { $1 })
    }

    /// Appends a row of a database as an object with the table, the key, what identifies the row, the reasons and the columns.
    func append(_ row: RejectedTableRow) throws {
        var members: [String: JSONValue] = [
            "_table": .string(row.table.name), "_reason": .string(row.reasons.joined(separator: "; ")),
            "_key": row.key.map { .int(Int($0)) } ?? .null,
        ]
        if let identity = row.identity { members["_row"] = .string(identity) }
        for (column, value) in zip(row.table.columns, row.values) {
            members[column.name] = ValueText.cell(value).json
        }
        try sink.write(JSONValue.object(members).text + "\n")
    }

    func finish() throws { try sink.finish() }

    func close() { sink.close() }
}
