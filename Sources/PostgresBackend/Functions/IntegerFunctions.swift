#if Postgres
/// Functions of 64-bit integers, whose result is null if it doesn't fit; the server's operators raise an error then.
enum IntegerFunctions {
    private static let minimum = "-9223372036854775808"
    private static let greatest = "9223372036854775807"

    static let all = [
        StoredFunction(
            "integer", "x numeric", "int8", "CASE WHEN x BETWEEN \(minimum) AND \(greatest) THEN x::int8 END"),
        exact("add", "a::numeric + b"),
        exact("subtract", "a::numeric - b"),
        exact("multiply", "a::numeric * b"),
        // The only quotient that doesn't fit is that of the least number and -1.
        StoredFunction(
            "divide_integer", "a int8, b int8", "int8",
            "CASE WHEN a > \(minimum) OR b <> -1 THEN a / nullif(b, 0) END"),
        StoredFunction("mod", "a int8, b int8", "int8", "a % nullif(b, 0)"),
        StoredFunction("negate_integer", "x int8", "int8", "CASE WHEN x > \(minimum) THEN -x END"),
        StoredFunction("abs_integer", "x int8", "int8", "CASE WHEN x > \(minimum) THEN abs(x) END"),
        comparable,
    ]

    private static func exact(_ name: String, _ value: String) -> StoredFunction {
        StoredFunction(
            "\(name)_integer", "a int8, b int8", "int8",
            "CASE WHEN \(value) BETWEEN \(minimum) AND \(greatest) THEN (\(value))::int8 END")
    }

    /// A decimal that compares with integers like a double does; comparing as doubles would round large integers.
    private static let comparable = StoredFunction(
        "comparable", "x float8", "numeric",
        """
        CASE WHEN x >= 9223372036854775808 THEN 1e19 WHEN x < -9223372036854775808 THEN -1e19
        ELSE trunc(x)::int8::numeric + sign(x - trunc(x))::numeric / 2 END
        """)
}
#endif
