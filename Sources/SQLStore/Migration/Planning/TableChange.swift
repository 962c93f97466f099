/// A table of the newer model and the sources of its rows.
struct TableChange {
    /// The newer table.
    var table: TableSchema
    /// The older table whose rows it gets, or nil if there is none.
    var origin: TableSchema?
    /// Whether the older table becomes this table; otherwise its rows are copied.
    var isSuccessor = false
    /// The source of each column's values.
    var sources: [String: ColumnSource] = [:]
    /// The numbers of the entities whose rows are kept, or nil for all.
    var keptEntityNumbers: [Int]?
    /// Queries for additional rows, which return the columns in the order of the table, and the older tables that they read.
    var additionalRows: [(table: String, query: SQLFragment)] = []
    /// The derived columns, which have the same placeholder in all rows until the store computes their values.
    var derivedColumns: Set<String> = []
    /// The checks that must find no rows in the older table.
    var checks: [RowCheck] = []
    /// The checks that only new indexes need; if they find none, programs of both versions can share the table.
    var indexChecks: [RowCheck] = []

    /// The statements on rows before any table changes, and after all tables have their final names.
    var statementsBefore: [SQLFragment] = []
    var statementsAfter: [SQLFragment] = []

    /// Whether there are additional statements that write rows.
    var writesRows: Bool { !statementsBefore.isEmpty || !statementsAfter.isEmpty }

    /// Returns the older column whose values a column keeps unchanged, or nil.
    func origin(of column: String) -> ColumnSchema? {
        guard case .column(let name)? = sources[column] else { return nil }
        return origin?.columns.first { $0.name == name }
    }

    /// The unique indexes that are created after the store has computed their derived columns.
    var lateIndexes: [IndexSchema] {
        table.indexes.filter { $0.isUnique && $0.columns.contains { derivedColumns.contains($0.name) } }
    }

    /// The indexes that are created together with the table.
    var earlyIndexes: [IndexSchema] {
        let late = lateIndexes
        return table.indexes.filter { !late.contains($0) }
    }

    /// The condition that selects the rows of the older table that are kept.
    var condition: SQLFragment? {
        keptEntityNumbers.map { numbers in
            "\(name: StoreNames.entity) IN (\(numbers.map { "\(number: $0)" as SQLFragment }.joined()))"
        }
    }

    /// Whether the change only adds and removes columns and indexes, without a rebuild.
    var needsNoRebuild: Bool {
        guard let origin, isSuccessor, keptEntityNumbers == nil, additionalRows.isEmpty,
            origin.name == table.name,
            origin.primaryKey == table.primaryKey
        else { return false }
        return origin.columns.allSatisfy { old in
            table.columns.contains { $0 == old && sources[$0.name] == .column(old.name) }
        }
            && added.allSatisfy { column in
                switch sources[column.name] {
                case .constant?: column.reference == nil
                case .nothing?: column.isNullable
                default: false
                }
            }
    }

    /// The columns that the older table doesn't have.
    var added: [ColumnSchema] {
        table.columns.filter { column in origin?.columns.contains { $0.name == column.name } != true }
    }

    /// Whether the table doesn't change.
    var isUnchanged: Bool {
        needsNoRebuild && added.isEmpty && !writesRows && Set(origin?.indexes ?? []) == Set(table.indexes)
    }
}

/// A query that counts older rows that prevent a migration.
struct RowCheck {
    var count: SQLFragment
    /// The sentence that follows the number of rows.
    var sentence: String
    /// The lint rule that reports such rows, and its subject.
    var rule: (id: String, subject: String)?

    init(_ count: SQLFragment, _ sentence: String, rule: (id: String, subject: String)? = nil) {
        self.count = count
        self.sentence = sentence
        self.rule = rule
    }
}

/// The source of a column's values.
enum ColumnSource: Hashable {
    /// The value of an older column.
    case column(String)
    /// The same value in all rows.
    case constant(SQLFragment)
    /// An expression over older columns.
    case expression(SQLFragment)
    /// The key of the object that refers to the row, which must be read before rows leave the older tables.
    case mirrored(SQLFragment)
    /// Null.
    case nothing

    /// The expression in a query of the older table.
    var fragment: SQLFragment {
        switch self {
        case .column(let name): "\(name: name)"
        case .constant(let fragment), .expression(let fragment), .mirrored(let fragment): fragment
        case .nothing: "NULL"
        }
    }
}
