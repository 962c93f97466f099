#if Postgres
/// Functions of decimals, whose result is null if its digits don't fit into the 128 bits of Foundation's `Decimal`.
enum DecimalFunctions {
    static let all = [
        decimal, exact("add", "a + b"), exact("subtract", "a - b"), exact("multiply", "a * b"),
    ]

    private static func exact(_ name: String, _ value: String) -> StoredFunction {
        StoredFunction(
            "\(name)_decimal", "a numeric, b numeric", "numeric",
            "\(StoredFunction.schemaPlaceholder).\"_store_decimal\"(\(value))")
    }

    /// The number if its digits without leading and trailing zeros are less than 2¹²⁸, as 38 digits always are; otherwise null.
    private static let decimal = StoredFunction(
        "decimal", "x numeric", "numeric",
        """
        CASE WHEN abs(x) < 1e19 AND scale(x) <= 19 THEN x
        WHEN min_scale(x) <= 128 AND (abs(x) < 1e128 OR x % 1e128 <> 0) AND ('0' || rtrim(replace(trim_scale(abs(x))::text, '.', ''), '0'))::numeric
            < 340282366920938463463374607431768211456 THEN x END
        """)
}
#endif
