import ContextCore

/// Converts the records of a CSV file to rows; the first record contains the names of the columns.
struct RecordRows {
    /// The names of the columns.
    let header: [String]
    /// The target of each column; nil for a column that is left out.
    let targets: [ImportTarget?]
    private let values: ImportValueReader

    /// - Throws: ``AdminError`` if a name is unknown, or names the same property as another.
    init(header: CSVReader.Record, _ targets: ImportTargets, _ values: ImportValueReader) throws {
        self.header = header.fields.map(\.text)
        self.values = values
        var seen: Set<Int> = []
        self.targets = try self.header.map { name in
            guard let target = try targets.target(name) else { return nil }
            guard seen.insert(target.column).inserted else {
                throw AdminError.badData(
                    "two columns of the file belong to \(target.path): “\(name)” is the second.")
            }
            return target
        }
    }

    /// Returns a record as a row.
    func row(_ record: CSVReader.Record) throws(RejectedRow) -> ImportedRow {
        let source = ImportedRow.Source.fields(record.fields)
        guard record.fields.count == targets.count else {
            throw RejectedRow(
                line: record.line, source: source,
                reason:
                    "it has \(Quantity.text(record.fields.count, "field", "fields")), and the header has \(targets.count)"
            )
        }
        var row = ImportedRow(line: record.line, source: source)
        row.values.reserveCapacity(targets.count)
        for (target, field) in zip(targets, record.fields) {
            guard let target else { continue }
            do throws(ImportValueReader.Failure) {
                if let value = try value(field, of: target) { row.append(value, to: target) }
            } catch {
                throw RejectedRow(
                    line: record.line, source: source, reason: "\(target.path) must be \(error.form)")
            }
        }
        return row
    }

    /// Returns the value of a field; nil to give a new object the default value, since null isn't possible.
    private func value(
        _ field: CSVReader.Field, of target: ImportTarget
    ) throws(ImportValueReader.Failure) -> StoredValue? {
        let value = try values.value(field, of: target.attribute.type)
        guard value.isNull, case .attribute(let attribute) = target.kind, !attribute.isOptional else {
            return value
        }
        if attribute.defaultValue != nil { return nil }
        return attribute.type == .string && field.text.isEmpty ? .string("") : value
    }
}
