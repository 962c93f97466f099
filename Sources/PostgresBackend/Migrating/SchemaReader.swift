#if Postgres
import ContextCore
import SQLStore

/// Reads the tables, indexes and constraints of a schema from the system catalog.
struct SchemaReader {
    let connection: PostgresConnection

    /// Returns the tables of a schema, whose OID is given as an SQL expression; the schema must be in the search path.
    func schema(in schema: String) throws(StoreError) -> PhysicalSchema {
        let columns = try connection.texts(Self.columns(schema), columns: 3)
        return PhysicalSchema(
            columns.map { $0[0] }, columns: columns,
            constraints: try connection.texts(Self.constraints(schema), columns: 2),
            indexes: try connection.texts(Self.indexes(schema), columns: 3))
    }

    /// Returns the tables that a new store would have.
    ///
    /// It creates them as temporary tables in the open transaction, which the caller must roll back.
    ///
    /// - Throws: `StoreError.Code.readOnly` if the role lacks the privilege to create temporary tables.
    func newStoreSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try checkTemporaryPrivilege()
        try connection.execute("SET LOCAL search_path = pg_temp")
        for statement in PhysicalSchema.creation(of: tables, .postgres) { try connection.execute(statement) }
        return try schema(in: "pg_my_temp_schema()")
    }

    private func checkTemporaryPrivilege() throws(StoreError) {
        let result = try connection.run(
            """
            SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY'), \
            pg_catalog.quote_ident(pg_catalog.current_database()), pg_catalog.quote_ident(current_user)
            """)
        if result.integer(0, 0) != 0 { return }
        let (database, role) = (result.text(0, 1), result.text(0, 2))
        throw StoreError(
            .readOnly,
            "The role \(role) may not create temporary tables in the database \(database), which comparing a store's tables needs.",
            remedy: "Run GRANT TEMPORARY ON DATABASE \(database) TO \(role).")
    }

    /// Returns the user-defined indexes and constraints on tables; `tables` can contain a table in the form of several models.
    func others(among tables: [TableSchema]) throws(StoreError) -> [UserObject] {
        let known = Dictionary(grouping: tables, by: \.name)
        return try connection.texts(Self.others, columns: 6).compactMap { row in
            guard let same = known[row[1]], let kind = UserObject.Kind(rawValue: row[0]) else {
                return nil
            }
            let columns = Set(row[4].split(separator: "\n").map(String.init))
            // A self-referencing foreign key also depends on the key column.
            let referring = columns.count > 1 ? columns.subtracting([StoreNames.key]) : columns
            let isOwn =
                kind == .index
                ? same.flatMap(\.indexes).contains { $0.name == row[2] }
                : row[5] == "f"
                    && same.flatMap(\.columns).contains { $0.reference != nil && referring == [$0.name] }
            return isOwn
                ? nil : UserObject(kind, name: row[2], table: row[1], sql: row[3], columns: columns)
        }
    }

    /// The query of all indexes and constraints except primary keys, with the columns that they depend on.
    ///
    /// It is limited to one schema: objects of other schemas may be dropped meanwhile, and have no definition then.
    private static let others = """
        SELECT o.kind, t.relname::text, o.name, o.sql, coalesce((SELECT string_agg(DISTINCT a.attname::text, E'\\n') \
        FROM pg_depend AS d JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid \
        WHERE d.classid = o.class AND d.objid = o.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid), ''), o.type \
        FROM (SELECT 'index' AS kind, i.oid, 'pg_class'::regclass::oid AS class, i.relname::text AS name, x.indrelid AS "table", \
        pg_get_indexdef(i.oid) AS sql, '' AS type \
        FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
        WHERE i.relnamespace = current_schema()::regnamespace AND x.indisvalid \
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u', 'x')) \
        UNION ALL SELECT 'constraint', c.oid, 'pg_constraint'::regclass::oid, c.conname::text, c.conrelid, \
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', r.relname, c.conname, pg_get_constraintdef(c.oid)), \
        CASE WHEN c.condeferred THEN c.contype::text ELSE '' END \
        FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid \
        WHERE c.connamespace = current_schema()::regnamespace AND c.contype IN ('u', 'c', 'x', 'f')) AS o \
        JOIN pg_class AS t ON t.oid = o."table" \
        WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' ORDER BY 1, 2, 3
        """

    private static func columns(_ schema: String) -> String {
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) \
        || CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || l.collname ELSE '' END \
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END \
        || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') \
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_type AS t ON t.oid = a.atttypid \
        LEFT JOIN pg_collation AS l ON l.oid = a.attcollation \
        LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
        WHERE c.relnamespace = \(schema) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        """
    }

    /// Returns the query of constraints; the definition of an invalid one contains `NOT VALID`.
    private static func constraints(_ schema: String) -> String {
        """
        SELECT t.relname::text, pg_get_constraintdef(c.oid) FROM pg_constraint AS c \
        JOIN pg_class AS t ON t.oid = c.conrelid \
        WHERE t.relnamespace = \(schema) AND c.contype IN ('p', 'f', 'u', 'c', 'x')
        """
    }

    /// Returns the query of indexes, with the part of their definition after the name of the table and its schema.
    private static func indexes(_ schema: String) -> String {
        """
        SELECT t.relname::text, i.relname::text, CASE WHEN x.indisunique THEN 'UNIQUE ' ELSE '' END \
        || substring(pg_get_indexdef(i.oid) FROM ' USING (.*)$') \
        || CASE WHEN x.indisvalid THEN '' ELSE ' INVALID' END \
        FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
        WHERE t.relnamespace = \(schema) AND t.relkind = 'r' \
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u', 'x'))
        """
    }
}
#endif
