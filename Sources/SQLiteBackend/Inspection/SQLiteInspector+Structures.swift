#if SQLite
import ContextCore
import SQLStore

extension SQLiteInspector {
    func structures() throws -> [TableStructure] {
        let names = try texts(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
            AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name
            """)
        let own = Set(StoreTables.all.map(\.name))
        let views = try texts("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
        return try names.filter { !own.contains($0) }.map(structure)
            + views.map { name in
                var view = TableStructure(name, columns: [])
                view.isView = true
                return view
            }
    }

    private func structure(_ table: String) throws(StoreError) -> TableStructure {
        var structure = TableStructure(table, columns: [])
        var key: [(place: Int64, name: String)] = []
        try rows(
            """
            SELECT name, type, "notnull", dflt_value IS NOT NULL OR hidden <> 0, pk \
            FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid
            """, table
        ) { row throws(StoreError) in
            let (name, declared, place) = (try row.text(0), try row.text(1), row.integer(4))
            if place > 0 { key.append((place, name)) }
            structure.columns.append(
                .init(
                    name, declared, DeclaredType(declared).attributeType,
                    // SQLite allows nulls in a primary key, but programs don't expect them.
                    isOptional: row.integer(2) == 0 && place == 0, isFilled: row.integer(3) != 0))
        }
        structure.primaryKey = key.sorted { $0.place < $1.place }.map(\.name)
        try readIndexes(of: table, into: &structure)
        try readReferences(of: table, into: &structure)
        return structure
    }

    /// Reads the indexes of a table; of indexes over expressions and partial indexes only the names.
    private func readIndexes(of table: String, into structure: inout TableStructure) throws(StoreError) {
        var indexes: [(columns: [String], isUnique: Bool)] = []
        var names: [String] = []
        try rows(
            """
            SELECT l.name, l."unique", i.name FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i \
            WHERE l.origin <> 'pk' AND l.partial = 0 \
            AND NOT EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < 0) ORDER BY l.name, i.seqno
            """, table
        ) { row throws(StoreError) in
            let name = try row.text(0)
            if names.last != name {
                names.append(name)
                indexes.append(([], row.integer(1) != 0))
            }
            indexes[indexes.count - 1].columns.append(try row.text(2))
        }
        structure.uniqueColumns = indexes.filter(\.isUnique).map(\.columns)
        structure.indexedColumns = indexes.filter { !$0.isUnique }.map(\.columns)
        try rows(
            """
            SELECT l.name FROM pragma_index_list(?1) AS l WHERE l.partial <> 0 \
            OR EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < 0) ORDER BY l.name
            """, table
        ) { row throws(StoreError) in structure.partialIndexes.append(try row.text(0)) }
    }

    private func readReferences(of table: String, into structure: inout TableStructure) throws(StoreError) {
        var last: Int64?
        try rows(
            "SELECT id, \"table\", \"from\", on_delete FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
            table
        ) { row throws(StoreError) in
            if last != row.integer(0) {
                last = row.integer(0)
                structure.references.append(.init([], to: try row.text(1), deleteRule: rule(try row.text(3))))
            }
            structure.references[structure.references.count - 1].columns.append(try row.text(2))
        }
    }

    private func rule(_ action: String) -> DeleteRule {
        switch action.uppercased() {
        case "CASCADE": .cascade
        case "SET NULL", "SET DEFAULT": .nullify
        default: .deny
        }
    }

    private func rows(
        _ sql: String, _ table: String, _ body: (SQLiteStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(1, table)
        while try statement.step() { try body(statement) }
    }
}

/// A declared column type; SQLite allows any words.
struct DeclaredType {
    private let words: String
    private let numbers: [Int]

    init(_ declaration: String) {
        let parts = declaration.uppercased().split(separator: "(", maxSplits: 1)
        words = parts.first.map(String.init) ?? ""
        numbers =
            parts.count < 2
            ? []
            : parts[1].split { $0 == "," || $0 == ")" }.compactMap { Int($0.filter { $0 != " " }) }
    }

    /// The matching attribute type, by common type names and then by SQLite's affinity rules (https://sqlite.org/datatype3.html).
    var attributeType: AttributeType? {
        if has("BOOL") { return .bool }
        if has("DATE", "TIME") { return .date }
        if has("UUID", "GUID") { return .uuid }
        if has("JSON") { return .codable }
        if has("SMALLINT", "TINYINT", "INT2") { return .int16 }
        if has("INT", "SERIAL") { return .int64 }
        if has("CHAR", "CLOB", "TEXT", "STRING") { return .string }
        if has("BLOB", "BINARY") { return .data }
        if has("REAL", "FLOA", "DOUB") { return .double }
        if has("NUMERIC", "DECIMAL", "MONEY") { return decimal }
        return nil
    }

    private var decimal: AttributeType {
        guard let precision = numbers.first, (1...38).contains(precision) else {
            return .decimal(precision: 38, scale: 10)
        }
        let scale = numbers.count > 1 ? numbers[1] : 0
        return (0...precision).contains(scale)
            ? .decimal(precision: precision, scale: scale) : .decimal(precision: 38, scale: 10)
    }

    private func has(_ names: String...) -> Bool { names.contains { words.contains($0) } }
}
#endif
