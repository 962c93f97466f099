#if Postgres
/// Decimal numbers: the server's have any number of digits, a program's as many as 128 bits hold; what doesn't fit is null.
enum DecimalFunctions {
    static let all = [
        decimal, exact("add", "a + b"), exact("subtract", "a - b"), exact("multiply", "a * b"),
    ]

    private static func exact(_ name: String, _ value: String) -> StoredFunction {
        StoredFunction(
            "\(name)_decimal", "a numeric, b numeric", "numeric",
            "\(StoredFunction.schema).\"_store_decimal\"(\(value))")
    }

    /// A number if its digits, without zeros at either end, are fewer than 2¹²⁸; 38 digits always are.
    private static let decimal = StoredFunction(
        "decimal", "x numeric", "numeric",
        """
        CASE WHEN abs(x) < 1e19 AND scale(x) <= 19 THEN x
        WHEN min_scale(x) <= 128 AND (abs(x) < 1e128 OR x % 1e128 <> 0) AND ('0' || rtrim(replace(trim_scale(abs(x))::text, '.', ''), '0'))::numeric
            < 340282366920938463463374607431768211456 THEN x END
        """)
}
#endif
