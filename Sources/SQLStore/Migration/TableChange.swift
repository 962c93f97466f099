/// A table as it is to be, and where its rows come from.
struct TableChange {
    /// The table as it is to be.
    var table: TableSchema
    /// The older table whose rows it has; nil for none.
    var origin: TableSchema?
    /// Whether the older table becomes this one; otherwise its rows are copied.
    var isHeir = false
    /// Where the value of each column comes from.
    var sources: [String: ColumnSource] = [:]
    /// The numbers of the entities whose rows come along; nil for all.
    var kept: [Int]?
    /// Queries for further rows, which answer the columns in the order of the table, and the older tables that they are of.
    var furtherRows: [(table: String, query: SQLFragment)] = []
    /// The columns that begin with any value, the same one for all rows, until the store works out their own.
    var workedOut: Set<String> = []
    /// What must not be among the older rows.
    var checks: [RowCheck] = []
    /// What must not be among the older rows for the sake of an index alone: programs of both versions may work on the table all the same.
    var indexChecks: [RowCheck] = []

    /// What is done to the rows before the tables change, and once all of them have their names.
    var beforehand: [SQLFragment] = []
    var afterwards: [SQLFragment] = []

    /// Whether rows are written besides.
    var writesRows: Bool { !beforehand.isEmpty || !afterwards.isEmpty }

    /// The older column whose values a column has, unchanged.
    func origin(of column: String) -> ColumnSchema? {
        guard case .column(let name)? = sources[column] else { return nil }
        return origin?.columns.first { $0.name == name }
    }

    /// The unique indexes that hold only once the store has worked out what they are of.
    var lateIndexes: [IndexSchema] {
        table.indexes.filter { $0.isUnique && $0.columns.contains { workedOut.contains($0.name) } }
    }

    /// Those that are made together with the table.
    var earlyIndexes: [IndexSchema] {
        let late = lateIndexes
        return table.indexes.filter { !late.contains($0) }
    }

    /// What a row of the older table must fulfil to come along.
    var condition: SQLFragment? {
        kept.map { numbers in
            "\(name: StoreNames.entity) IN (\(numbers.map { "\(number: $0)" as SQLFragment }.joined()))"
        }
    }

    /// Whether columns and indexes are added and removed, and nothing else.
    var isSimple: Bool {
        guard let origin, isHeir, kept == nil, furtherRows.isEmpty, origin.name == table.name,
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

    /// Whether there is nothing to do.
    var isNothing: Bool {
        isSimple && added.isEmpty && !writesRows && Set(origin?.indexes ?? []) == Set(table.indexes)
    }
}

/// Counts rows that must not be among the older ones.
struct RowCheck {
    var count: SQLFragment
    /// What they are, behind their number.
    var sentence: String
    /// The rule by which somebody finds them who looks before, and what it is about.
    var rule: (id: String, subject: String)?

    init(_ count: SQLFragment, _ sentence: String, rule: (id: String, subject: String)? = nil) {
        self.count = count
        self.sentence = sentence
        self.rule = rule
    }
}

/// Where the value of a column comes from.
enum ColumnSource: Hashable {
    /// An older column.
    case column(String)
    /// The same value for all rows.
    case constant(SQLFragment)
    /// Worked out of older columns.
    case expression(SQLFragment)
    /// The key of the object that refers to the row, which older tables tell as long as no row has left them.
    case mirrored(SQLFragment)
    /// There is none yet.
    case nothing

    /// The value as a query of the older table answers it.
    var fragment: SQLFragment {
        switch self {
        case .column(let name): "\(name: name)"
        case .constant(let fragment), .expression(let fragment), .mirrored(let fragment): fragment
        case .nothing: "NULL"
        }
    }
}
