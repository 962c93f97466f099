#if SQLite
import ContextCore
import SQLStore

extension SQLiteInspector {
    func structures() throws -> [TableStructure] { try StructureReader(connection: connection).structures() }
}

/// Reads the structures of a database's tables.
struct StructureReader {
    let connection: SQLiteConnection

    func structures() throws(StoreError) -> [TableStructure] {
        let own = Set(StoreTables.all.map(\.name))
        var structures: [TableStructure] = []
        for name in try names("table") where !own.contains(name) { structures.append(try structure(name)) }
        Self.correctCase(of: &structures)
        for name in try names("virtual") {
            var table = TableStructure(name, columns: [])
            table.isVirtual = true
            table.definition = try sql(of: name, "table")
            structures.append(table)
        }
        for name in try names("view") {
            var view = TableStructure(name, columns: [])
            view.isView = true
            view.definition = try sql(of: name, "view")
            structures.append(view)
        }
        return structures
    }

    /// Returns the statement that created a table, a view or an index; nil if SQLite made the object itself.
    private func sql(of name: String, _ type: String) throws(StoreError) -> String? {
        var text: String?
        try rows(
            "SELECT sql FROM sqlite_schema WHERE name = ?1 AND type = '\(type)' AND sql IS NOT NULL", name
        ) {
            row throws(StoreError) in text = try row.text(0)
        }
        return text
    }

    /// Returns the names of the tables of a type; those that belong to virtual tables have the type `shadow`.
    private func names(_ type: String) throws(StoreError) -> [String] {
        try connection.texts(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = '\(type)' \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """, columns: 1
        ).map { $0[0] }
    }

    /// Replaces the names in references by those of the tables and columns; SQLite ignores the case of letters.
    private static func correctCase(of structures: inout [TableStructure]) {
        let tables = Dictionary(
            structures.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        for table in structures.indices {
            for place in structures[table].references.indices {
                let reference = structures[table].references[place]
                guard let target = tables[reference.table.lowercased()] else { continue }
                structures[table].references[place].table = target.name
                structures[table].references[place].referencedColumns = reference.referencedColumns.map {
                    name in
                    target.columns.first { $0.name.lowercased() == name.lowercased() }?.name ?? name
                }
            }
        }
    }

    private func structure(_ table: String) throws(StoreError) -> TableStructure {
        var structure = TableStructure(table, columns: [])
        let definition = TableDefinition(try sql(of: table, "table") ?? "")
        structure.checks = definition.checks
        try readColumns(of: table, definition, into: &structure)
        try readIndexes(of: table, into: &structure)
        try readReferences(of: table, into: &structure)
        try rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 ORDER BY name",
            table
        ) {
            row throws(StoreError) in
            structure.extras.append(.init(.trigger, try row.text(0), statement: try row.text(1)))
        }
        return structure
    }

    private func readColumns(
        of table: String, _ definition: TableDefinition, into structure: inout TableStructure
    ) throws(StoreError) {
        var key: [(place: Int64, name: String)] = []
        try rows(
            """
            SELECT name, type, "notnull", dflt_value IS NOT NULL OR hidden <> 0, pk, coalesce(dflt_value, '') \
            FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid
            """, table
        ) { row throws(StoreError) in
            let (name, declared, place) = (try row.text(0), try row.text(1), row.integer(4))
            if place > 0 { key.append((place, name)) }
            let type = DeclaredType(declared)
            var column = TableStructure.Column(
                name, declared, type.attributeType,
                // SQLite allows nulls in a primary key, but programs don't expect them.
                isOptional: row.integer(2) == 0 && place == 0, isFilled: row.integer(3) != 0)
            let fallback = try row.text(5)
            column.defaultExpression = fallback.isEmpty ? nil : fallback
            column.generationExpression = definition.generated[name.lowercased()]
            column.assumesScale = type.assumesScale
            column.looseComparison = definition.looseCollations[name.lowercased()].map { "COLLATE \($0)" }
            structure.columns.append(column)
            if let length = type.maximumLength {
                let quoted = ForeignSpelling.quoted(name)
                structure.checks.append(
                    .init(
                        "length(\(quoted)) <= \(length)", statement: "\(quoted) \(declared)",
                        isEnforced: false))
            }
        }
        structure.primaryKey = key.sorted { $0.place < $1.place }.map(\.name)
    }

    /// Reads the indexes of a table; those over expressions without their elements.
    private func readIndexes(of table: String, into structure: inout TableStructure) throws(StoreError) {
        for entry in try indexEntries(of: table) {
            var (elements, collations) = ([TableStructure.Index.Element](), [String]())
            var hasExpressions = false
            try rows(
                """
                SELECT name, "desc", cid, coalesce(coll, '') FROM pragma_index_xinfo(?1) WHERE key = 1 ORDER BY seqno
                """, entry.name
            ) {
                row throws(StoreError) in
                if row.integer(2) < 0 { return hasExpressions = true }
                elements.append(.init(try row.text(0), isDescending: row.integer(1) != 0))
                collations.append(try row.text(3))
            }
            let columns = elements.map(\.column)
            let isSimple = !hasExpressions && !entry.isPartial
            let statement = try sql(of: entry.name, "index")
            if isSimple {
                readComparisons(columns, collations, entry, statement, into: &structure)
            }
            if entry.isPrimary { continue }
            if isSimple, entry.isUnique {
                structure.uniqueColumns.append(columns)
            } else if isSimple, !elements.contains(where: \.isDescending) {
                structure.indexedColumns.append(columns)
            } else {
                structure.indexes.append(
                    .init(
                        entry.name, hasExpressions ? [] : elements,
                        predicate: entry.isPartial
                            ? statement.flatMap(TableDefinition.predicate) ?? "" : nil,
                        isUnique: entry.isUnique, statement: statement ?? ""))
            }
        }
    }

    /// Records an index in which texts that differ may be equal.
    private func readComparisons(
        _ columns: [String], _ collations: [String], _ entry: IndexEntry, _ statement: String?,
        into structure: inout TableStructure
    ) {
        // A collation compares only texts.
        let loose = zip(columns, collations).map { name, collation in
            let type = structure.columns.first { $0.name == name }?.type
            let isExact = collation.isEmpty || collation.uppercased() == "BINARY"
            return isExact || type != nil && type != .string ? "" : "COLLATE \(collation)"
        }
        guard let comparison = loose.first(where: { !$0.isEmpty }) else { return }
        let terms = zip(columns, loose).map {
            ForeignSpelling.quoted($0) + ($1.isEmpty ? "" : " \($1)")
        }
        // The index of a constraint has no statement of its own.
        let constraint =
            "\(entry.isPrimary ? "PRIMARY KEY" : "UNIQUE") (\(terms.joined(separator: ", ")))"
        structure.looseIndexes.append(
            .init(
                columns, isUnique: entry.isUnique, comparison: comparison,
                statement: statement ?? constraint))
    }

    private struct IndexEntry {
        let name: String
        let isUnique: Bool
        let isPartial: Bool
        /// Whether it is the index of the primary key, which has none if it numbers the rows.
        let isPrimary: Bool
    }

    private func indexEntries(of table: String) throws(StoreError) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        try rows(
            "SELECT name, \"unique\", partial, origin = 'pk' FROM pragma_index_list(?1) ORDER BY name", table
        ) { row throws(StoreError) in
            entries.append(
                IndexEntry(
                    name: try row.text(0), isUnique: row.integer(1) != 0, isPartial: row.integer(2) != 0,
                    isPrimary: row.integer(3) != 0))
        }
        return entries
    }

    private func readReferences(of table: String, into structure: inout TableStructure) throws(StoreError) {
        var last: Int64?
        try rows(
            """
            SELECT id, "table", "from", on_delete, "to", "to" IS NOT NULL FROM pragma_foreign_key_list(?1) \
            ORDER BY id, seq
            """, table
        ) { row throws(StoreError) in
            if last != row.integer(0) {
                last = row.integer(0)
                structure.references.append(.init([], to: try row.text(1), deleteRule: rule(try row.text(3))))
            }
            let place = structure.references.count - 1
            structure.references[place].columns.append(try row.text(2))
            if row.integer(5) != 0 { structure.references[place].referencedColumns.append(try row.text(4)) }
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
#endif
