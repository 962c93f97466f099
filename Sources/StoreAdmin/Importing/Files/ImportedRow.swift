import ContextCore

/// A row of an imported file, in terms of the columns of an entity.
struct ImportedRow {
    /// The row as it is in the file, for the file of rejected rows.
    enum Source {
        case fields([CSVReader.Field])
        case json(String)
    }

    /// A reference, whose target has to be found by a unique value.
    struct Reference {
        let target: ImportTarget
        let value: StoredValue
    }

    /// The number of its first line, counted from 1.
    let line: Int
    let source: Source
    /// The values by column, in the order of the columns.
    var values: [Value] = []
    /// The references that are not resolved yet.
    var references: [Reference] = []

    /// The value of a column.
    struct Value {
        let column: Int
        let value: StoredValue
    }

    /// The columns that the row sets, which decide how it updates an object.
    var columns: [Int] { values.map(\.column) }

    /// Returns the value of a column; nil if the row doesn't set it.
    func value(_ column: Int) -> StoredValue? { values.first { $0.column == column }?.value }

    /// A column that the row sets more than once, by values or references; nil if there is none.
    var repeatedColumn: Int? {
        var seen: Set<Int> = []
        return (columns + references.map(\.target.column)).first { !seen.insert($0).inserted }
    }

    /// Adds a value read from the file.
    mutating func append(_ value: StoredValue, to target: ImportTarget) {
        switch target.kind {
        case .attribute: set(value, in: target.column)
        case .reference:
            if value.isNull {
                set(.null, in: target.column)
            } else {
                references.append(Reference(target: target, value: value))
            }
        }
    }

    /// Sets a column.
    mutating func set(_ value: StoredValue, in column: Int) {
        values.append(Value(column: column, value: value))
    }
}

/// A row that can't be imported.
struct RejectedRow: Error {
    let line: Int
    let source: ImportedRow.Source
    /// The reason as a sentence without a period, which names properties and no values.
    let reason: String
}
