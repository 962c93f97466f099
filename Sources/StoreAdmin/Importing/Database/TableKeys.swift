import ContextCore

/// Where the keys of the objects come from that the rows of a table become.
///
/// An integer primary key is the object's key. Other rows have the number that SQLite gives each row, or else a number from a temporary
/// table, in the order of the primary key. Both are the same in each run, as long as the database doesn't change.
struct TableKeys {
    /// The greatest key that is taken over; keys of new objects follow it.
    static let maxKey: Int64 = 1 << 62

    private enum Source {
        /// An expression of the table, after its alias and a point.
        case column(String)
        /// A temporary table whose column `k` numbers the rows with the given columns.
        case numbers(table: String, columns: [String])
    }

    private let structure: TableStructure
    private let table: String
    private let source: Source
    /// The columns by which the database itself addresses a row without a primary key.
    private let rowAddress: [String]

    /// Whether a table has an integer primary key that can't be the key of its objects, because a value is too small or too large.
    static func replacesIntegerKey(_ structure: TableStructure, _ reader: any ForeignTableReader) throws
        -> Bool
    {
        guard let key = structure.integerKey.map(ForeignSpelling.quoted) else { return false }
        let fits = try areKeys(key, reader.spelling.table(structure), reader)
        return !fits
    }

    /// Finds the keys of a table, and numbers its rows if necessary.
    init(_ imported: ImportedTable, number: Int, _ reader: any ForeignTableReader) throws {
        let (spelling, structure) = (reader.spelling, imported.structure)
        self.structure = structure
        table = spelling.table(structure)
        if let key = structure.integerKey, !imported.replacesKey {
            source = .column(ForeignSpelling.quoted(key))
            rowAddress = []
            return
        }
        let address = try reader.rowAddress(of: structure)
        rowAddress = structure.primaryKey.isEmpty ? address ?? [] : []
        // Of several addresses none is a number.
        if let address, address.count == 1, try Self.areKeys(address[0], table, reader) {
            source = .column(address[0])
            return
        }
        let columns = structure.primaryKey.isEmpty ? address ?? [] : structure.primaryKey
        let quoted = structure.primaryKey.isEmpty ? columns : columns.map(ForeignSpelling.quoted)
        let name = "storectl_keys_\(number)"
        let copies = quoted.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", ")
        try reader.makeTable(
            name,
            from:
                "SELECT row_number() OVER (ORDER BY \(quoted.joined(separator: ", "))) AS k, \(copies) FROM \(table)",
            uniqueColumns: [["k"], quoted.indices.map { "c\($0)" }])
        source = .numbers(table: spelling.temporaryTable(name), columns: quoted)
    }

    /// The columns of the primary key, if the object has another key than the row.
    var replacedKey: [String] {
        if case .column(let name) = source, structure.integerKey.map(ForeignSpelling.quoted) == name {
            return []
        }
        return structure.primaryKey
    }

    /// Returns where the database has a row without a primary key, such as `rowid 3`; nil for another row.
    func address(of key: Int64, _ reader: any ForeignTableReader) throws -> String? {
        guard let name = rowAddress.last else { return nil }
        guard case .numbers(let numbers, _) = source else { return "\(name) \(key)" }
        let parameter = "\(reader.spelling.parameterPrefix)1"
        let query = "SELECT CAST(c\(rowAddress.count - 1) AS text) FROM \(numbers) WHERE k = \(parameter)"
        let text = try reader.rows(query, .int(key)).first?.first.map { ValueText.cell($0).text }
        return text.map { "\(name) \($0)" }
    }

    /// Whether all values of an expression can be keys.
    private static func areKeys(
        _ expression: String, _ table: String, _ reader: any ForeignTableReader
    ) throws -> Bool {
        let problem =
            "\(reader.spelling.isNotWhole(expression)) OR \(expression) < 1 OR \(expression) > \(maxKey)"
        return try reader.rows("SELECT 1 FROM \(table) WHERE \(problem) LIMIT 1").isEmpty
    }

    // MARK: Queries

    /// Returns the expression for the key of a row of the table with an alias.
    func key(_ alias: String) -> String {
        switch source {
        case .column(let name): "\(alias).\(name)"
        case .numbers: "\(alias)k.k"
        }
    }

    /// Returns the table with an alias, joined with its numbers, for a FROM clause.
    func rows(_ alias: String) -> String { "\(table) AS \(alias)" + numbers(alias) }

    /// Returns a join with the table, on a condition.
    func join(_ alias: String, on condition: String) -> String {
        " JOIN \(table) AS \(alias) ON \(condition)" + numbers(alias)
    }

    private func numbers(_ alias: String) -> String {
        guard case .numbers(let name, let columns) = source else { return "" }
        let pairs = columns.enumerated().map { "\(alias)k.c\($0) = \(alias).\($1)" }
        return " JOIN \(name) AS \(alias)k ON " + pairs.joined(separator: " AND ")
    }

    /// The smallest FROM clause that has the keys, with the expression for them.
    var keysOnly: (rows: String, key: String) {
        switch source {
        case .column(let name): ("\(table) AS s", "s.\(name)")
        case .numbers(let name, _): ("\(name) AS sk", "sk.k")
        }
    }
}
