#if Postgres
import ContextCore
import SQLStore

extension SchemaReader {
    /// Returns a sentence for each user-defined trigger, rule, policy and view, for row security and for disabled triggers.
    func userObjectDescriptions(on own: [TableSchema]) throws(StoreError) -> [String] {
        var parameters = PostgresParameters()
        parameters.append(own.map(\.name).joined(separator: "\n"))
        let result = try connection.run(Self.userObjects, parameters)
        return (0..<result.count).map { result.text($0, 0) }
    }

    private static let userObjects = """
        WITH own AS (SELECT c.oid, c.relname::text AS name, c.relrowsecurity, c.relforcerowsecurity FROM pg_class AS c \
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') \
        AND c.relname::text = ANY (string_to_array($1, E'\\n'))) \
        SELECT 'The trigger ' || t.tgname::text || ' on ' || own.name || ' is not the store''s' \
        || CASE t.tgenabled WHEN 'D' THEN ', and is disabled.' ELSE '.' END \
        FROM own JOIN pg_trigger AS t ON t.tgrelid = own.oid WHERE NOT t.tgisinternal \
        UNION SELECT 'Triggers that keep the references of ' || own.name || ' are disabled.' \
        FROM own JOIN pg_trigger AS t ON t.tgrelid = own.oid WHERE t.tgisinternal AND t.tgenabled <> 'O' \
        UNION SELECT 'Row security is on for the table ' || name \
        || CASE WHEN relforcerowsecurity THEN ', also for its owner.' ELSE '.' END \
        FROM own WHERE relrowsecurity OR relforcerowsecurity \
        UNION SELECT 'The policy ' || p.polname::text || ' on ' || own.name || ' is not the store''s.' \
        FROM own JOIN pg_policy AS p ON p.polrelid = own.oid \
        UNION SELECT 'The rule ' || r.rulename::text || ' on ' || own.name || ' is not the store''s.' \
        FROM own JOIN pg_rewrite AS r ON r.ev_class = own.oid \
        UNION SELECT 'The view ' || v.relname::text || ' reads the store''s tables.' \
        FROM own JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = own.oid \
        JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid \
        JOIN pg_class AS v ON v.oid = r.ev_class WHERE v.relkind IN ('v', 'm')
        """
}
#endif
