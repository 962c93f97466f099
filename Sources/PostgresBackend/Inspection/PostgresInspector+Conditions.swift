#if Postgres
import ContextCore
import SQLStore

/// The parts of tables that restrict or accompany their rows: conditions, special indexes, triggers; and relations without rows of their own.
extension PostgresInspector {
    /// Whether the index `x` is a list of columns in ascending order that a B-tree sorts.
    static let isSimpleIndex = """
        x.indpred IS NULL AND x.indexprs IS NULL AND NOT x.indisexclusion AND (x.indisunique OR NOT EXISTS (\
        SELECT 1 FROM pg_catalog.unnest(x.indoption::pg_catalog.int2[]) AS o WHERE o & 1 = 1)) AND EXISTS (\
        SELECT 1 FROM pg_catalog.pg_class AS k JOIN pg_catalog.pg_am AS m ON m.oid = k.relam \
        WHERE k.oid = x.indexrelid AND m.amname = 'btree')
        """

    /// Reads the other indexes; those over expressions, and those that don't sort, without their elements.
    func readIndexes(into tables: inout [String: TableStructure]) throws(StoreError) {
        let result = try query(
            """
            SELECT c.relname::text, i.relname::text, x.indisunique, x.indpred IS NOT NULL, \
            coalesce(pg_catalog.pg_get_expr(x.indpred, x.indrelid), ''), pg_catalog.pg_get_indexdef(i.oid), \
            CASE WHEN x.indexprs IS NULL AND m.amname = 'btree' THEN a.attname::text ELSE '' END, k.option & 1 = 1 \
            FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_catalog.pg_am AS m ON m.oid = i.relam \
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(x.indkey::pg_catalog.int2[]), \
            pg_catalog.unnest(x.indoption::pg_catalog.int2[])) WITH ORDINALITY AS k(number, option, place) \
            LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number \
            WHERE n.nspname = $1 AND k.place <= x.indnkeyatts AND x.indisvalid AND NOT x.indisexclusion AND NOT (\(Self.isSimpleIndex)) \
            ORDER BY 1, 2, k.place
            """)
        var row = 0
        while row < result.count {
            let (first, table, name) = (row, result.text(row, 0), result.text(row, 1))
            var elements: [TableStructure.Index.Element] = []
            while row < result.count, result.text(row, 0) == table, result.text(row, 1) == name {
                let column = result.text(row, 6)
                if !column.isEmpty {
                    elements.append(.init(column, isDescending: result.integer(row, 7) != 0))
                }
                row += 1
            }
            tables[table]?.indexes.append(
                .init(
                    name, elements, predicate: result.integer(first, 3) != 0 ? result.text(first, 4) : nil,
                    isUnique: result.integer(first, 2) != 0, statement: result.text(first, 5)))
        }
    }

    /// Reads check constraints, and the restrictions by domains and enumerations.
    func readChecks(into tables: inout [String: TableStructure]) throws(StoreError) {
        let constraints = try query(
            """
            SELECT c.relname::text, pg_catalog.pg_get_expr(k.conbin, k.conrelid), \
            'CONSTRAINT ' || pg_catalog.quote_ident(k.conname) || ' ' || pg_catalog.pg_get_constraintdef(k.oid), \
            k.convalidated, '' FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND k.contype = 'c' ORDER BY 1, k.conname
            """)
        append(constraints, to: &tables)
        let domains = try query(
            """
            SELECT c.relname::text, pg_catalog.pg_get_expr(k.conbin, 0), 'ALTER DOMAIN ' || pg_catalog.format_type(d.oid, NULL) \
            || ' ADD CONSTRAINT ' || pg_catalog.quote_ident(k.conname) || ' ' || pg_catalog.pg_get_constraintdef(k.oid), \
            k.convalidated, a.attname::text \(Self.columnTypes) \
            JOIN pg_catalog.pg_constraint AS k ON k.contypid = d.oid AND k.contype = 'c' \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT d.is_element ORDER BY 1, a.attnum, k.conname
            """)
        append(domains, to: &tables)
        let enumerations = try query(
            """
            SELECT c.relname::text, 'VALUE IN (' || pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' \
            ORDER BY e.enumsortorder) || ')', 'CREATE TYPE ' || pg_catalog.format_type(d.oid, NULL) || ' AS ENUM (' \
            || pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')', \
            true, a.attname::text \(Self.columnTypes) JOIN pg_catalog.pg_enum AS e ON e.enumtypid = d.oid \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT d.is_element \
            GROUP BY 1, 5, a.attnum, d.oid ORDER BY 1, a.attnum
            """)
        append(enumerations, to: &tables)
        try readElementChecks(into: &tables)
    }

    /// Reads the restrictions of arrays' elements by domains and enumerations, with the statement of the whole type.
    private func readElementChecks(into tables: inout [String: TableStructure]) throws(StoreError) {
        let types = try query(
            """
            SELECT c.relname::text, '', CASE d.type WHEN 'e' THEN 'CREATE TYPE ' || pg_catalog.format_type(d.oid, NULL) \
            || ' AS ENUM (' || coalesce((SELECT pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' \
            ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = d.oid), '') || ')' \
            ELSE 'CREATE DOMAIN ' || pg_catalog.format_type(d.oid, NULL) || ' AS ' \
            || pg_catalog.format_type(d.base, d.modifier) || CASE WHEN d.denies THEN ' NOT NULL' ELSE '' END \
            || coalesce(k.checks, '') END, true, a.attname::text \(Self.columnTypes) \
            CROSS JOIN LATERAL (SELECT pg_catalog.string_agg(' CONSTRAINT ' || pg_catalog.quote_ident(k.conname) || ' ' \
            || pg_catalog.pg_get_constraintdef(k.oid), '' ORDER BY k.conname) AS checks \
            FROM pg_catalog.pg_constraint AS k WHERE k.contypid = d.oid AND k.contype = 'c') AS k \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND d.is_element AND (d.type = 'e' OR d.type = 'd' \
            AND (d.denies OR d.modifier >= 0 OR k.checks IS NOT NULL)) ORDER BY 1, a.attnum, d.place
            """)
        append(types, to: &tables, isOfElements: true)
    }

    /// The columns `a` of the tables `c`, each with its type `d`, those that the type is a domain over, and those of an array's elements.
    private static let columnTypes = """
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
        CROSS JOIN LATERAL (WITH RECURSIVE b (oid, type, base, modifier, denies, element, is_element, place) AS (\
        SELECT \(typeMembers), false, 1 FROM pg_catalog.pg_type AS t WHERE t.oid = a.atttypid UNION ALL \
        SELECT \(typeMembers), b.is_element OR b.element <> 0, b.place + 1 FROM b \
        JOIN pg_catalog.pg_type AS t ON t.oid = CASE b.type WHEN 'd' THEN b.base ELSE b.element END) SELECT * FROM b) AS d
        """

    /// The members of the type `t` in ``columnTypes``; the element is 0 unless the type is an array.
    private static let typeMembers = """
        t.oid, t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, \
        CASE WHEN t.typtype <> 'd' AND t.typcategory = 'A' AND t.typlen = -1 THEN t.typelem ELSE 0 END
        """

    private func append(
        _ result: PostgresResult, to tables: inout [String: TableStructure], isOfElements: Bool = false
    ) {
        for row in 0..<result.count {
            let column = result.text(row, 4)
            tables[result.text(row, 0)]?.checks.append(
                .init(
                    result.text(row, 1), column: column.isEmpty ? nil : column,
                    statement: result.text(row, 2),
                    isEnforced: result.integer(row, 3) != 0, isOfElements: isOfElements))
        }
    }

    func readExtras(into tables: inout [String: TableStructure]) throws(StoreError) {
        let result = try query(
            """
            SELECT c.relname::text, g.tgname::text, pg_catalog.pg_get_triggerdef(g.oid), true \
            FROM pg_catalog.pg_trigger AS g JOIN pg_catalog.pg_class AS c ON c.oid = g.tgrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT g.tgisinternal \
            UNION ALL SELECT c.relname::text, k.conname::text, \
            'CONSTRAINT ' || pg_catalog.quote_ident(k.conname) || ' ' || pg_catalog.pg_get_constraintdef(k.oid), false \
            FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND k.contype = 'x' \
            ORDER BY 1, 2
            """)
        for row in 0..<result.count {
            let kind: TableStructure.Extra.Kind = result.integer(row, 3) != 0 ? .trigger : .exclusion
            tables[result.text(row, 0)]?.extras.append(
                .init(kind, result.text(row, 1), statement: result.text(row, 2)))
        }
    }

    /// Returns the views and the foreign tables.
    func views() throws(StoreError) -> [TableStructure] {
        let result = try query(
            """
            SELECT c.relname::text, c.relkind = 'f', CASE c.relkind WHEN 'f' THEN 'CREATE FOREIGN TABLE ' \
            || pg_catalog.quote_ident(c.relname) || ' SERVER ' || pg_catalog.quote_ident(s.srvname) ELSE 'CREATE ' \
            || CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END || 'VIEW ' || pg_catalog.quote_ident(c.relname) \
            || E' AS\\n' || pg_catalog.pg_get_viewdef(c.oid) END \
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            LEFT JOIN pg_catalog.pg_foreign_table AS f ON f.ftrelid = c.oid \
            LEFT JOIN pg_catalog.pg_foreign_server AS s ON s.oid = f.ftserver \
            WHERE n.nspname = $1 AND c.relkind IN ('v', 'm', 'f') ORDER BY 2, 1
            """)
        return (0..<result.count).map { row in
            var view = TableStructure(result.text(row, 0), columns: [])
            view.isForeign = result.integer(row, 1) != 0
            view.isView = !view.isForeign
            view.definition = result.text(row, 2)
            return view
        }
    }
}
#endif
