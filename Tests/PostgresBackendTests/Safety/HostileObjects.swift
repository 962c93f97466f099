#if Postgres
@testable import PostgresBackend

/// User-defined functions and operators that shadow the server's own, and that fail if a statement calls them.
///
/// They have the same names, for argument types that match better or equally well.
struct HostileObjects {
    /// The argument types.
    private static let types = [
        "int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "timestamptz", "timestamp",
        "interval",
        "date", "bytea", "uuid", "jsonb", "bool", "int8[]", "text[]",
    ]
    private static let operators = [
        "=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "||", "~", "~~",
    ]
    private static let unary = [
        "abs", "ceil", "floor", "round", "trunc", "sign", "lower", "upper", "length", "octet_length", "btrim",
        "unnest",
        "timestamptz_send", "encode", "scale", "min_scale", "trim_scale", "hashtext", "to_regclass",
        "to_regnamespace",
        "pg_advisory_xact_lock", "pg_xact_status", "nextval",
    ]
    private static let binary = [
        "strpos", "starts_with", "right", "btrim", "date_part", "timezone", "setval", "encode", "rtrim",
        "mod",
        "pg_advisory_xact_lock", "pg_notify",
    ]
    /// The argument types of overloads of the store's functions, which are close to the exact types.
    private static let own = ["int2", "int4", "float4", "varchar", "date"]
    private static let ownNames = [
        "add_integer", "subtract_integer", "multiply_integer", "divide_integer", "add_double",
        "subtract_double",
        "multiply_double", "divide_double", "add_decimal", "subtract_decimal", "multiply_decimal", "mod",
        "add_seconds",
        "subtract_seconds", "seconds", "sum_step",
    ]
    private static let ownUnary = [
        "integer", "decimal", "comparable", "negate_integer", "abs_integer", "negate_double", "abs_double",
        "round_double",
        "ceiling_double", "floor_double", "fold_1", "fold_2", "fold_3", "lowercase", "uppercase",
        "microseconds", "moment",
        "year", "rounded_microseconds", "sum",
    ]

    /// Creates the hostile objects in a schema, except for functions with the given names.
    static func plant(
        in schema: String, sparing removedOnlyIfEmpty: Set<String> = [], _ connection: PostgresConnection
    ) throws {
        let trap = "LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a hostile object was called''; END'"
        try connection.execute(
            """
            DO $plant$ DECLARE l text; r text; n text; BEGIN
            FOREACH l IN ARRAY \(array(types)) LOOP
                FOREACH n IN ARRAY \(array(unary.filter { !removedOnlyIfEmpty.contains($0) })) LOOP
                    EXECUTE format('CREATE FUNCTION %s.%I(%s) RETURNS %3$s %4$s', '\(schema)', n, l, $trap$\(trap)$trap$);
                END LOOP;
                FOREACH r IN ARRAY \(array(types)) LOOP
                    EXECUTE format('CREATE FUNCTION %s.captured(%s, %s) RETURNS bool %s', '\(schema)', l, r, $trap$\(trap)$trap$);
                    FOREACH n IN ARRAY \(array(operators)) LOOP
                        EXECUTE format('CREATE OPERATOR %s.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %1$s.captured)',
                            '\(schema)', n, l, r);
                    END LOOP;
                    FOREACH n IN ARRAY \(array(binary)) LOOP
                        EXECUTE format('CREATE FUNCTION %s.%I(%s, %s) RETURNS bool %s', '\(schema)', n, l, r, $trap$\(trap)$trap$);
                    END LOOP;
                END LOOP;
            END LOOP;
            FOREACH l IN ARRAY \(array(own)) LOOP
                FOREACH n IN ARRAY \(array(ownUnary)) LOOP
                    EXECUTE format('CREATE FUNCTION %s.%I(%s) RETURNS bool %s', '\(schema)', '_store_' || n, l, $trap$\(trap)$trap$);
                END LOOP;
                FOREACH r IN ARRAY \(array(own)) LOOP
                    FOREACH n IN ARRAY \(array(ownNames)) LOOP
                        EXECUTE format('CREATE FUNCTION %s.%I(%s, %s) RETURNS bool %s',
                            '\(schema)', '_store_' || n, l, r, $trap$\(trap)$trap$);
                    END LOOP;
                END LOOP;
            END LOOP;
            END $plant$
            """)
    }

    /// Creates temporary tables, types and functions in a session, with the names of the store's and of the server's.
    static func plantTemporary(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            DO $plant$ DECLARE n text; BEGIN
            FOREACH n IN ARRAY ARRAY['int8', 'int4', 'float8', 'numeric', 'text', 'timestamptz', 'bytea', 'uuid', 'jsonb', 'bool'] LOOP
                EXECUTE format('CREATE DOMAIN pg_temp.%I AS pg_catalog.point', n);
            END LOOP;
            FOR n IN SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'public' LOOP
                EXECUTE format('CREATE TEMP TABLE %I (nothing pg_catalog.point)', n);
            END LOOP;
            CREATE TEMP TABLE pg_class (nothing pg_catalog.point);
            CREATE TEMP TABLE pg_stat_activity (nothing pg_catalog.point);
            CREATE FUNCTION pg_temp.lower(pg_catalog.text) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT $1';
            END $plant$
            """)
    }

    private static func array(_ names: [String]) -> String {
        "ARRAY[\(names.map { "'\($0)'" }.joined(separator: ", "))]"
    }
}
#endif
