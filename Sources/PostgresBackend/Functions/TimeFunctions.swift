#if Postgres
/// Moments, which the server keeps as microseconds but reckons with as intervals of days and seconds.
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
        "\(StoredFunction.schema).\"_store_\(name)\"(\(arguments))"
    }

    /// The microseconds since 1970.
    ///
    /// The server has no exact way to say that before version 14, but for the bytes that it sends.
    private static let microseconds = StoredFunction(
        "microseconds", "x timestamptz", "int8",
        "('x' || encode(timestamptz_send(x), 'hex'))::bit(64)::int8 + \(PostgresMoment.offset)")

    /// Null before the first moment of the server's calendar, in the year 4714 before Christ.
    private static let moment = StoredFunction(
        "moment", "x int8", "timestamptz",
        """
        CASE WHEN x >= \(PostgresMoment.first) THEN
        (timestamp 'epoch' + (x / 86400000000) * interval '1 day'
            + (x % 86400000000) * interval '1 microsecond') AT TIME ZONE 'UTC' END
        """)

    /// The year 0 is the one before the year 1; the server calls it -1.
    private static let year = StoredFunction(
        "year", "x timestamptz", "int8",
        """
        date_part('year', x AT TIME ZONE 'UTC')::int8
        + CASE WHEN date_part('year', x AT TIME ZONE 'UTC') < 0 THEN 1 ELSE 0 END
        """)

    /// Seconds as microseconds: halves away from zero, and null where they don't fit.
    private static let roundedMicroseconds = StoredFunction(
        "rounded_microseconds", "x float8", "int8", as: .steps, isParallel: false,
        """
        x := \(call("round_double", "\(call("multiply_double", "x, '1000000'::pg_catalog.float8"))"));
        RETURN CASE WHEN x \(StoredFunction.own(">=")) '-9223372036854775808'::pg_catalog.float8
            AND x \(StoredFunction.own("<")) '9223372036854775808'::pg_catalog.float8 THEN x::pg_catalog.int8 END;
        """)

    /// A moment and seconds, of either type of number.
    private static func shift(_ sign: String, _ type: String) -> StoredFunction {
        let microseconds =
            type == "int8" ? call("multiply_integer", "s, 1000000::int8") : call("rounded_microseconds", "s")
        return StoredFunction(
            "\(sign)_seconds", "x timestamptz, s \(type)", "timestamptz",
            call("moment", call("\(sign)_integer", "\(call("microseconds", "x")), \(microseconds)")))
    }
}
#endif
