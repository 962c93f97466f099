#if Postgres
import ContextCore
import SQLStore

extension PostgresInspector {
    func structures() throws -> [TableStructure] {
        let own = Set(StoreTables.all.map(\.name))
        var tables = try columns().filter { !own.contains($0.key) }
        try readKeys(into: &tables)
        try readReferences(into: &tables)
        try readPartialIndexes(into: &tables)
        return try tables.values.sorted { $0.name < $1.name } + views()
    }

    private func views() throws(StoreError) -> [TableStructure] {
        let result = try query(
            """
            SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind IN ('v', 'm') ORDER BY 1
            """)
        return (0..<result.count).map { row in
            var view = TableStructure(result.text(row, 0), columns: [])
            view.isView = true
            return view
        }
    }

    private func readPartialIndexes(into tables: inout [String: TableStructure]) throws(StoreError) {
        let result = try query(
            """
            SELECT c.relname::text, i.relname::text FROM pg_catalog.pg_index AS x \
            JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND (x.indpred IS NOT NULL OR x.indexprs IS NOT NULL) ORDER BY 1, 2
            """)
        for row in 0..<result.count {
            tables[result.text(row, 0)]?.partialIndexes.append(result.text(row, 1))
        }
    }

    /// Returns the tables with their columns, without partitions.
    private func columns() throws(StoreError) -> [String: TableStructure] {
        let result = try query(
            """
            SELECT c.relname::text, a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), \
            NOT a.attnotnull, a.atthasdef OR a.attidentity <> '', \
            CASE WHEN t.typtype = 'e' THEN 25 WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END::pg_catalog.int8, \
            CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END::pg_catalog.int8 \
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
            JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1, a.attnum
            """)
        var tables: [String: TableStructure] = [:]
        for row in 0..<result.count {
            let table = result.text(row, 0)
            tables[table, default: TableStructure(table, columns: [])].columns.append(
                .init(
                    result.text(row, 1), result.text(row, 2),
                    Self.attributeType(result.integer(row, 5), modifier: result.integer(row, 6)),
                    isOptional: result.integer(row, 3) != 0, isFilled: result.integer(row, 4) != 0))
        }
        return tables
    }

    /// Reads primary keys and indexes, except those over expressions and partial ones, of which only the names are read.
    private func readKeys(into tables: inout [String: TableStructure]) throws(StoreError) {
        let result = try query(
            """
            SELECT c.relname::text, i.relname::text, x.indisprimary, x.indisunique, a.attname::text \
            FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            CROSS JOIN LATERAL pg_catalog.unnest(x.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k(number, place) \
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number \
            WHERE n.nspname = $1 AND x.indpred IS NULL AND x.indexprs IS NULL AND k.place <= x.indnkeyatts \
            ORDER BY 1, 2, k.place
            """)
        var row = 0
        while row < result.count {
            let (table, index) = (result.text(row, 0), result.text(row, 1))
            let (isPrimary, isUnique) = (result.integer(row, 2) != 0, result.integer(row, 3) != 0)
            var columns: [String] = []
            while row < result.count, result.text(row, 0) == table, result.text(row, 1) == index {
                columns.append(result.text(row, 4))
                row += 1
            }
            if isPrimary {
                tables[table]?.primaryKey = columns
            } else if isUnique {
                tables[table]?.uniqueColumns.append(columns)
            } else {
                tables[table]?.indexedColumns.append(columns)
            }
        }
    }

    private func readReferences(into tables: inout [String: TableStructure]) throws(StoreError) {
        let result = try query(
            """
            SELECT c.relname::text, r.conname::text, o.relname::text, r.confdeltype::text, a.attname::text \
            FROM pg_catalog.pg_constraint AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.conrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            JOIN pg_catalog.pg_class AS o ON o.oid = r.confrelid \
            CROSS JOIN LATERAL pg_catalog.unnest(r.conkey) WITH ORDINALITY AS k(number, place) \
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number \
            WHERE n.nspname = $1 AND r.contype = 'f' ORDER BY 1, 2, k.place
            """)
        var last: (String, String) = ("", "")
        for row in 0..<result.count {
            let next = (result.text(row, 0), result.text(row, 1))
            if next != last {
                tables[next.0]?.references.append(
                    .init([], to: result.text(row, 2), deleteRule: rule(result.text(row, 3))))
            }
            last = next
            guard let count = tables[next.0]?.references.count else { continue }
            tables[next.0]?.references[count - 1].columns.append(result.text(row, 4))
        }
    }

    /// Returns the delete rule for an action code of `pg_constraint`: cascade, set null or set default, restrict or no action.
    private func rule(_ action: String) -> DeleteRule {
        switch action {
        case "c": .cascade
        case "n", "d": .nullify
        default: .deny
        }
    }

    private func query(_ sql: String) throws(StoreError) -> PostgresResult {
        try connection().run(sql, schemaParameter)
    }

    /// Returns the attribute type for a type OID (pg_type.dat); nil if there is none.
    private static func attributeType(_ type: Int64, modifier: Int64) -> AttributeType? {
        switch type {
        case 16: .bool
        case 21: .int16
        case 23: .int32
        case 20: .int64
        case 700: .float
        case 701: .double
        case 1700: decimal(modifier)
        case 25, 1042, 1043: .string
        case 17: .data
        case 1082, 1114, 1184: .date
        case 2950: .uuid
        case 114, 3802: .codable
        default: nil
        }
    }

    /// Returns the decimal type for a type modifier; precision 38 and scale 10 if the column has no or too many digits.
    private static func decimal(_ modifier: Int64) -> AttributeType {
        let (precision, scale) = (Int(modifier - 4) >> 16, Int(modifier - 4) & 0x7FF)
        guard modifier >= 4, (1...38).contains(precision), scale <= precision else {
            return .decimal(precision: 38, scale: 10)
        }
        return .decimal(precision: precision, scale: scale)
    }
}
#endif
