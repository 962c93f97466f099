#if Postgres
import CPostgres
import ContextCore
import SQLStore

extension PostgresInspector {
    func userDefinedObjects() throws -> [String] {
        guard let mappings = try storeMappings() else { return [] }
        let own = try StoreTables.all + mappings.tables()
        let connection = try connection()
        // The server doesn't qualify names of objects in this path.
        let names = try connection.inTransaction { () throws(StoreError) in
            try connection.execute("SET LOCAL search_path = \(configuration.quotedSchema), pg_temp")
            let others = try SchemaReader(connection: connection).others(among: own).map(\.summary)
            return others + (try dependentObjects(on: own, connection))
                + (try privileges(on: own, connection))
        }
        return Set(names).sorted { $0.precedesByBytes($1) }
    }

    /// Returns the user-defined objects that the server drops together with the tables.
    private func dependentObjects(
        on own: [TableSchema], _ connection: PostgresConnection
    ) throws(StoreError) -> [String] {
        try texts(
            """
            WITH RECURSIVE \(Self.own), gone (class, oid, part) AS ( \
            SELECT 'pg_class'::regclass::oid, oid, 0 FROM own \
            UNION SELECT n.* FROM gone AS g CROSS JOIN LATERAL ( \
            SELECT d.classid, d.objid, d.objsubid FROM pg_depend AS d \
            WHERE d.refclassid = g.class AND d.refobjid = g.oid AND g.part IN (0, d.refobjsubid) \
            AND d.deptype IN ('n', 'a', 'i', 'P', 'S') \
            UNION ALL SELECT d.refclassid, d.refobjid, d.refobjsubid FROM pg_depend AS d \
            WHERE d.classid = g.class AND d.objid = g.oid AND g.part = 0 AND d.deptype = 'i') AS n) \
            SELECT pg_describe_object(class, oid, part) FROM gone WHERE CASE class::regclass \
            WHEN 'pg_class'::regclass THEN oid NOT IN (SELECT oid FROM own) \
            AND (SELECT relkind FROM pg_class AS c WHERE c.oid = gone.oid) NOT IN ('i', 'I', 't') \
            WHEN 'pg_rewrite'::regclass THEN (SELECT rulename FROM pg_rewrite AS r WHERE r.oid = gone.oid) <> '_RETURN' \
            WHEN 'pg_trigger'::regclass THEN NOT (SELECT tgisinternal FROM pg_trigger AS t WHERE t.oid = gone.oid) \
            WHEN 'pg_constraint'::regclass THEN \
            (SELECT conrelid FROM pg_constraint AS c WHERE c.oid = gone.oid) NOT IN (SELECT oid FROM own) \
            WHEN 'pg_proc'::regclass THEN NOT EXISTS (SELECT FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace \
            WHERE p.oid = gone.oid AND n.nspname = $1 AND starts_with(p.proname::text, '_store_')) \
            WHEN 'pg_type'::regclass THEN (SELECT typrelid = 0 AND typcategory <> 'A' FROM pg_type AS t WHERE t.oid = gone.oid) \
            WHEN 'pg_attrdef'::regclass THEN false ELSE true END
            """, own, connection)
    }

    /// Returns the privileges on the tables and sequences that other roles than the owner have.
    private func privileges(
        on own: [TableSchema], _ connection: PostgresConnection
    ) throws(StoreError) -> [String] {
        try texts(
            """
            WITH \(Self.own) SELECT 'privileges of ' || coalesce(r.rolname::text, 'public') || ' on ' \
            || CASE c.relkind WHEN 'S' THEN 'sequence ' ELSE 'table ' END || c.relname \
            FROM own JOIN pg_class AS c ON c.oid = own.oid CROSS JOIN LATERAL ( \
            SELECT a.grantee FROM aclexplode(c.relacl) AS a \
            UNION SELECT a.grantee FROM pg_attribute AS p CROSS JOIN LATERAL aclexplode(p.attacl) AS a \
            WHERE p.attrelid = c.oid AND NOT p.attisdropped) AS g \
            LEFT JOIN pg_roles AS r ON r.oid = g.grantee WHERE g.grantee <> c.relowner
            """, own, connection)
    }

    /// The common table expression of the store's tables and sequences.
    private static let own = """
        own AS (SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 \
        AND (c.relkind IN ('r', 'p') AND c.relname::text = ANY (string_to_array($2, E'\\n')) \
        OR c.relkind = 'S' AND starts_with(c.relname::text, '_store_')))
        """

    private func texts(
        _ sql: String, _ own: [TableSchema], _ connection: PostgresConnection
    ) throws(StoreError) -> [String] {
        var parameters = schemaParameter
        parameters.append(own.map(\.name).joined(separator: "\n"))
        let result = try connection.run(sql, parameters)
        return (0..<result.count).map { result.text($0, 0) }
    }
}
#endif
