#if Postgres
/// Numbers with fractions: what is no number, and what becomes infinite, is null; what becomes too small is zero.
///
/// The server's own operators end the statement in all these cases. Each function has a quick way for numbers with which nothing
/// can go wrong, and takes the way that catches errors only with others. Zero gets no sign: adding 0 takes it away.
enum DoubleFunctions {
    static let all = [
        sum("add", "a + b"), sum("subtract", "a - b"), multiply, divide,
        StoredFunction("negate_double", "x float8", "float8", "0 - x"),
        StoredFunction("abs_double", "x float8", "float8", "abs(x)"),
        StoredFunction("ceiling_double", "x float8", "float8", "ceil(x) + 0::float8"),
        StoredFunction("floor_double", "x float8", "float8", "floor(x) + 0::float8"),
        round, sumStep,
    ]

    /// Adds up in the order of the rows.
    static func aggregates(in schema: String) -> [String] {
        [
            """
            CREATE OR REPLACE AGGREGATE \(schema)."_store_sum"(float8) (
                SFUNC = \(schema)."_store_sum_step", STYPE = float8)
            """
        ]
    }

    private static let outOfRange = "EXCEPTION WHEN numeric_value_out_of_range THEN"

    private static func sum(_ name: String, _ value: String) -> StoredFunction {
        StoredFunction(
            "\(name)_double", "a float8, b float8", "float8", as: .steps, isParallel: false,
            """
            IF abs(a) < 1e307 AND abs(b) < 1e307 THEN RETURN \(value) + 0::float8; END IF;
            BEGIN
                RETURN nullif(\(value) + 0::float8, 'NaN');
            \(outOfRange)
                RETURN NULL;
            END;
            """)
    }

    private static let multiply = StoredFunction(
        "multiply_double", "a float8, b float8", "float8", as: .steps, isParallel: false,
        """
        IF (a = 0 OR abs(a) BETWEEN 1e-150 AND 1e150) AND (b = 0 OR abs(b) BETWEEN 1e-150 AND 1e150) THEN
            RETURN a * b + 0::float8;
        END IF;
        BEGIN
            RETURN nullif(a * b + 0::float8, 'NaN');
        \(outOfRange)
            RETURN CASE WHEN abs(a) < 1 OR abs(b) < 1 THEN 0 END;
        END;
        """)

    private static let divide = StoredFunction(
        "divide_double", "a float8, b float8", "float8", as: .steps, isParallel: false,
        """
        IF b = 0 THEN RETURN NULL; END IF;
        IF (a = 0 OR abs(a) BETWEEN 1e-150 AND 1e150) AND abs(b) BETWEEN 1e-150 AND 1e150 THEN
            RETURN a / b + 0::float8;
        END IF;
        BEGIN
            RETURN nullif(a / b + 0::float8, 'NaN');
        \(outOfRange)
            RETURN CASE WHEN abs(a) < abs(b) THEN 0 END;
        END;
        """)

    /// Halves away from zero; from 2⁵² on there are no fractions.
    private static let round = StoredFunction(
        "round_double", "x float8", "float8",
        """
        CASE WHEN abs(x) < 4503599627370496
        THEN trunc(x) + CASE WHEN abs(x - trunc(x)) >= 0.5 THEN sign(x) ELSE 0 END + 0::float8 ELSE x END
        """)

    /// A sum may become infinite, as it does where processors add.
    private static let sumStep = StoredFunction(
        "sum_step", "a float8, b float8", "float8", as: .steps, isParallel: false,
        """
        IF abs(a) < 1e307 AND abs(b) < 1e307 THEN RETURN a + b; END IF;
        BEGIN
            RETURN a + b;
        \(outOfRange)
            RETURN sign(a) * 'infinity'::float8;
        END;
        """)
}
#endif
