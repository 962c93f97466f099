#if Postgres
/// Functions of timestamps, which the server stores in microseconds, but calculates with in intervals of days and seconds.
enum TimeFunctions {
    static let all = [
        microseconds, moment, year,
        StoredFunction(
            "seconds", "a timestamptz, b timestamptz", "float8",
            """
            \(call("subtract_integer", "\(call("microseconds", "a")), \(call("microseconds", "b"))"))::float8
            / 1000000
            """),
        roundedMicroseconds, shift("add", "int8"), shift("subtract", "int8"), shift("add", "float8"),
        shift("subtract", "float8"),
    ]

    private static func call(_ name: String, _ arguments: String) -> String {
        "\(StoredFunction.schemaPlaceholder).\"_store_\(name)\"(\(arguments))"
    }

    /// The microseconds since 1970.
    ///
    /// Before version 14 only the binary form of a timestamp yields them exactly.
    private static let microseconds = StoredFunction(
        "microseconds", "x timestamptz", "int8",
        "('x' || encode(timestamptz_send(x), 'hex'))::bit(64)::int8 + \(PostgresTimestamp.offset)")

    /// The timestamp of microseconds since 1970; null before the server's earliest one, in 4714 BC.
    private static let moment = StoredFunction(
        "moment", "x int8", "timestamptz",
        """
        CASE WHEN x >= \(PostgresTimestamp.earliest) THEN
        (timestamp 'epoch' + (x / 86400000000) * interval '1 day'
            + (x % 86400000000) * interval '1 microsecond') AT TIME ZONE 'UTC' END
        """)

    /// The astronomical year, in which 0 precedes 1; the server returns -1 for the year before 1.
    private static let year = StoredFunction(
        "year", "x timestamptz", "int8",
        """
        date_part('year', x AT TIME ZONE 'UTC')::int8
        + CASE WHEN date_part('year', x AT TIME ZONE 'UTC') < 0 THEN 1 ELSE 0 END
        """)

    /// Seconds as microseconds, with halves rounded away from zero; null if they don't fit.
    private static let roundedMicroseconds = StoredFunction(
        "rounded_microseconds", "x float8", "int8", as: .plpgsql, isParallelSafe: false,
        """
        x := \(call("round_double", "\(call("multiply_double", "x, '1000000'::pg_catalog.float8"))"));
        RETURN CASE WHEN x \(StoredFunction.builtInOperator(">=")) '-9223372036854775808'::pg_catalog.float8
            AND x \(StoredFunction.builtInOperator("<")) '9223372036854775808'::pg_catalog.float8 THEN x::pg_catalog.int8 END;
        """)

    /// Returns the function that adds seconds to a timestamp or subtracts them, for one type of number.
    private static func shift(_ sign: String, _ type: String) -> StoredFunction {
        let microseconds =
            type == "int8" ? call("multiply_integer", "s, 1000000::int8") : call("rounded_microseconds", "s")
        return StoredFunction(
            "\(sign)_seconds", "x timestamptz, s \(type)", "timestamptz",
            call("moment", call("\(sign)_integer", "\(call("microseconds", "x")), \(microseconds)")))
    }
}
#endif
