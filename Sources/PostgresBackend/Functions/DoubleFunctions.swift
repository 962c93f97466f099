#if Postgres
/// Functions of floating-point numbers, whose result is null for NaN and overflow, and zero for underflow.
///
/// The server's operators raise an error on overflow and underflow. Each function has a fast path for numbers that can't cause one, and
/// a slow path that catches errors. Adding 0 removes the sign of a negative zero.
enum DoubleFunctions {
    static let all = [
        sum("add", "+"), sum("subtract", "-"), multiply, divide,
        StoredFunction("negate_double", "x float8", "float8", "0 - x"),
        StoredFunction("abs_double", "x float8", "float8", "abs(x)"),
        StoredFunction("ceiling_double", "x float8", "float8", "ceil(x) + 0::float8"),
        StoredFunction("floor_double", "x float8", "float8", "floor(x) + 0::float8"),
        round, sumStep,
    ]

    /// Returns the statements that create the aggregates: a sum in the order of the rows.
    static func aggregates(in schema: String) -> [String] {
        [
            """
            CREATE OR REPLACE AGGREGATE \(schema)."_store_sum"(float8) (
                SFUNC = \(schema)."_store_sum_step", STYPE = float8)
            """
        ]
    }

    static func aggregateSignatures(in schema: String) -> [String] { ["\(schema).\"_store_sum\"(float8)"] }

    // MARK: Parts of bodies

    private static let outOfRange = "EXCEPTION WHEN numeric_value_out_of_range THEN"

    private static func number(_ digits: String) -> String { "'\(digits)'::pg_catalog.float8" }

    private static func apply(_ sign: String, _ left: String, _ right: String) -> String {
        "(\(left) \(StoredFunction.builtInOperator(sign)) \(right))"
    }

    /// Returns the condition that the magnitude of a number is below a limit.
    private static func belowCondition(_ limit: String, _ name: String) -> String {
        apply("<", "pg_catalog.abs(\(name))", number(limit))
    }

    /// Returns the condition that products and quotients of a number with others like it neither overflow nor underflow.
    private static func moderateCondition(_ name: String) -> String {
        belowCondition("1e150", name) + " AND " + apply(">", "pg_catalog.abs(\(name))", number("1e-150"))
    }

    private static func zeroCondition(_ name: String) -> String { apply("=", name, number("0")) }

    private static func withoutSign(_ value: String) -> String { apply("+", value, number("0")) }

    /// Returns the statements that return a value, or null if it is NaN.
    private static func returnStatement(_ value: String) -> String {
        "a := \(withoutSign(value)); RETURN CASE WHEN \(apply("<>", "a", number("NaN"))) THEN a END;"
    }

    // MARK: Functions

    private static func sum(_ name: String, _ sign: String) -> StoredFunction {
        let value = apply(sign, "a", "b")
        return StoredFunction(
            "\(name)_double", "a float8, b float8", "float8", as: .plpgsql, isParallelSafe: false,
            """
            IF \(belowCondition("1e307", "a")) AND \(belowCondition("1e307", "b")) THEN RETURN \(withoutSign(value)); END IF;
            BEGIN
                \(returnStatement(value))
            \(outOfRange)
                RETURN NULL;
            END;
            """)
    }

    private static let multiply = StoredFunction(
        "multiply_double", "a float8, b float8", "float8", as: .plpgsql, isParallelSafe: false,
        """
        IF (\(zeroCondition("a")) OR \(moderateCondition("a"))) AND (\(zeroCondition("b")) OR \(moderateCondition("b"))) THEN
            RETURN \(withoutSign(apply("*", "a", "b")));
        END IF;
        BEGIN
            \(returnStatement(apply("*", "a", "b")))
        \(outOfRange)
            RETURN CASE WHEN \(belowCondition("1", "a")) OR \(belowCondition("1", "b")) THEN 0 END;
        END;
        """)

    private static let divide = StoredFunction(
        "divide_double", "a float8, b float8", "float8", as: .plpgsql, isParallelSafe: false,
        """
        IF \(zeroCondition("b")) THEN RETURN NULL; END IF;
        IF (\(zeroCondition("a")) OR \(moderateCondition("a"))) AND \(moderateCondition("b")) THEN
            RETURN \(withoutSign(apply("/", "a", "b")));
        END IF;
        BEGIN
            \(returnStatement(apply("/", "a", "b")))
        \(outOfRange)
            RETURN CASE WHEN \(apply("<", "pg_catalog.abs(a)", "pg_catalog.abs(b)")) THEN 0 END;
        END;
        """)

    /// Rounds halves away from zero; numbers from 2⁵² on have no fraction.
    private static let round = StoredFunction(
        "round_double", "x float8", "float8",
        """
        CASE WHEN abs(x) < 4503599627370496
        THEN trunc(x) + CASE WHEN abs(x - trunc(x)) >= 0.5 THEN sign(x) ELSE 0 END + 0::float8 ELSE x END
        """)

    /// Adds to a sum, which becomes infinite on overflow as in IEEE arithmetic.
    private static let sumStep = StoredFunction(
        "sum_step", "a float8, b float8", "float8", as: .plpgsql, isParallelSafe: false,
        """
        IF \(belowCondition("1e307", "a")) AND \(belowCondition("1e307", "b")) THEN RETURN \(apply("+", "a", "b")); END IF;
        BEGIN
            RETURN \(apply("+", "a", "b"));
        \(outOfRange)
            RETURN \(apply("*", "pg_catalog.sign(a)", number("infinity")));
        END;
        """)
}
#endif
