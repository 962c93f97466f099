#if Postgres
import RandomSeeds
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// The functions in the database return the same results as the evaluator, for edge cases.
@Suite(.enabled(if: TestServer.isExpected))
struct StoredFunctionTests {
    private static let integers: [Int64] = [
        .min, .min + 1, -1_000_000_007, -7, -2, -1, 0, 1, 2, 3, 5, 9_007_199_254_740_993, .max - 1, .max,
    ]
    private static let doubles: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e300, -0x1p63, -2.5, -1.5, -0.5, -1e-200,
        -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 2.2250738585072014e-308, 1e-160,
        0.49999999999999994, 0.5, 1, 1.5, 2, 2.5, 4503599627370495.5, 4503599627370496, 9007199254740992,
        0x1p63,
        8.98846567431158e307, 1e300, .greatestFiniteMagnitude, .infinity,
    ]
    private static let decimals: [String] = [
        "0", "1", "-1", "0.5", "-0.5", "1.5", "2.5", "-2.5", "19.99",
        "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999", "340282366920938463463374607431768211455",
        "0.00000000000000000000000000000000000001", "1234567890123456789.0123456789012345678", "1e30",
        "3e-30",
        "9999999999999999999.999999999999999999", "1e100", "7e-100",
    ]
    private static let moments: [Int64] = [
        -210_866_803_200_000_000, -62_167_219_200_000_001, -62_135_596_800_000_000, -86_400_000_001, -1, 0, 1,
        1_785_585_600_250_000, 253_402_300_799_999_999, .max - 1, .max,
    ]
    private static let texts = [
        "", "a", "Aé", "ÉLAN", "ßſςσΣ", "İıI", "日本 Å\u{212B}e\u{301}", "\t\u{3000}x\u{85}", "😀\u{FFFF}",
        "it's \\ %_", "Ǆǅǆ ΆΈ ЁЙ",
    ]

    private static let arithmetic = ArithmeticOperator.allCases

    /// A connection to a schema with the functions.
    private let connection: PostgresConnection

    init() throws {
        let configuration = try TestServer.freshConfiguration()
        connection = try PostgresConnection(configuration)
        try connection.execute("CREATE SCHEMA \(configuration.quotedSchema)")
        try FunctionCreation(connection).createFunctions()
    }

    @Test func `Integers`() throws {
        let cases = Self.pairs(Self.integers.map { .int($0) })
        for sign in Self.arithmetic {
            try expect(SQLFunction(.arithmetic(sign), .integer(bits: 64)), cases) {
                ValueArithmetic.apply(sign, $0[0], $0[1])
            }
        }
        try expect(SQLFunction(.written(.modulo), .integer(bits: 64)), cases) {
            ValueFunctions.apply(.modulo, $0)
        }
        try expectUnary(
            [.negate, .abs, .ceiling, .floor, .round], .integer(bits: 64), Self.integers.map { .int($0) })
    }

    @Test func `Numbers with fractions`() throws {
        let cases = Self.pairs(Self.doubles.map { .double($0) })
        for sign in Self.arithmetic {
            try expect(SQLFunction(.arithmetic(sign), .double(bits: 64)), cases) {
                ValueArithmetic.apply(sign, $0[0], $0[1])
            }
        }
        try expectUnary(
            [.negate, .abs, .ceiling, .floor, .round], .double(bits: 64), Self.doubles.map { .double($0) })
    }

    @Test func `Decimal numbers`() throws {
        let values = Self.decimals.compactMap { Decimal(string: $0) }.map(StoredValue.decimal)
        try expectDecimalArithmetic(values)
        try expectUnary([.negate, .abs, .ceiling, .floor, .round], .anyDecimal, values)
    }

    private func expectDecimalArithmetic(_ values: [StoredValue]) throws {
        for sign in [ArithmeticOperator.add, .subtract, .multiply] {
            try expect(SQLFunction(.arithmetic(sign), .anyDecimal), Self.pairs(values)) {
                ValueArithmetic.apply(sign, $0[0], $0[1])
            }
        }
    }

    @Test func `Random decimal numbers`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let values = (0..<60).map { _ in Self.decimal(&random) }.map(StoredValue.decimal)
        for sign in [ArithmeticOperator.add, .subtract, .multiply] {
            try expect(SQLFunction(.arithmetic(sign), .anyDecimal), Self.pairs(values), "seed \(seed)") {
                ValueArithmetic.apply(sign, $0[0], $0[1])
            }
        }
    }

    private static func decimal(_ random: inout SeededRandom) -> Decimal {
        let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
            String(Int.random(in: 0...9, using: &random))
        }.joined()
        let exponent = Int.random(in: -38...3, using: &random)
        return Decimal(string: "\(Bool.random(using: &random) ? "-" : "")\(digits)e\(exponent)") ?? 0
    }

    @Test func `Timestamps`() throws {
        let moments = Self.moments.map { StoredValue.timestamp(microseconds: $0) }
        try expectUnary(
            [.year, .month, .day, .hour, .minute, .second, .weekday], .integer(bits: 64), moments)
        try expectShifts(of: moments)
    }

    private func expectShifts(of moments: [StoredValue]) throws {
        try expect(SQLFunction(.interval, .double(bits: 64)), Self.pairs(moments)) {
            ValueArithmetic.apply(.subtract, $0[0], $0[1])
        }
        let seconds: [StoredValue] =
            [0, 1, -1, 86_400, .max, .min].map { .int($0) }
            + [0.0000005, -0.0000015, 1.25, 1e13, 1e300, -.infinity, .leastNonzeroMagnitude].map {
                .double($0)
            }
        let cases = moments.flatMap { moment in seconds.map { [moment, $0] } }
        for sign in [ArithmeticOperator.add, .subtract] {
            for type in [SQLType.integer(bits: 64), .double(bits: 64)] {
                let ofType = cases.filter { Self.type(of: $0[1]) == type }
                try expect(SQLFunction(.shift(sign, by: type), .date), ofType) {
                    let moment = ValueArithmetic.apply(sign, $0[0], $0[1])
                    // The server's calendar has a first day.
                    if case .timestamp(let number) = moment, number < PostgresTimestamp.earliest {
                        return .null
                    }
                    return moment
                }
            }
        }
    }

    @Test func `Texts`() throws {
        let texts = Self.texts.map(StoredValue.string)
        try expectUnary([.lowercase, .uppercase, .trim], .text, texts)
        try expect(SQLFunction(.written(.length), .integer(bits: 64)), texts.map { [$0] }) {
            ValueFunctions.apply(.length, $0)
        }
        try expectFolding(of: texts)
    }

    private func expectFolding(of texts: [StoredValue]) throws {
        for raw in 1...3 {
            let options = TextOptions(rawValue: raw)
            try expect(SQLFunction(.fold(options), .text), texts.map { [$0] }) {
                ValueFunctions.apply(.fold(options), $0, as: .string)
            }
        }
    }

    @Test func `Every scalar is folded, uppercased and lowercased`() throws {
        let scalars = (1...0x2FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        let texts = stride(from: 0, to: scalars.count, by: 4096).map { start in
            StoredValue.string(
                String(String.UnicodeScalarView(scalars[start..<min(start + 4096, scalars.count)])))
        }
        try expectUnary([.lowercase, .uppercase], .text, texts)
        try expectFolding(of: texts)
    }

    /// The variant for servers that don't parse the bodies of functions when these are created.
    @Test func `Functions for older servers have the same results`() throws {
        let schema = connection.configuration.quotedSchema
        for statement in StoredFunctions.creation(in: schema, version: 130_000) {
            try connection.execute(statement)
        }
        try expectEverything()
    }

    @Test func `Functions have the same results for any search path`() throws {
        let hostile = "\"\(connection.configuration.schema)_hostile\""
        try connection.execute("CREATE SCHEMA \(hostile)")
        // The test's own statements call it.
        try HostileObjects.plant(in: hostile, sparing: ["unnest"], connection)
        try connection.execute("SET search_path = \(hostile), pg_catalog")
        try expectOwnFunctions()
    }

    /// Checks the store's functions; sessions call the server's functions with their own search path.
    private func expectOwnFunctions() throws {
        try `Integers`()
        try `Numbers with fractions`()
        try expectDecimalArithmetic(Self.decimals.compactMap { Decimal(string: $0) }.map(StoredValue.decimal))
        let moments = Self.moments.map { StoredValue.timestamp(microseconds: $0) }
        try expectUnary([.year], .integer(bits: 64), moments)
        try expectShifts(of: moments)
        let texts = Self.texts.map(StoredValue.string)
        try expectUnary([.lowercase, .uppercase], .text, texts)
        try expectFolding(of: texts)
    }

    private func expectEverything() throws {
        try `Integers`()
        try `Numbers with fractions`()
        try `Decimal numbers`()
        try `Timestamps`()
        try `Texts`()
    }

    @Test func `LIKE and MATCHES`() throws {
        let texts =
            Self.texts.map { [StoredValue.string($0)] } + [
                [.string("\n")], [.string("aab")], [.string("a%b_")],
            ]
        for text in ["", "*", "?", "a*", "*'s*", "\\**", "*%*", "*\\\\*", "??", "a%b_", "*日*"] {
            let pattern = LikePattern(text)
            try expect(SQLFunction(.like(pattern), .text), texts, text, .bool) {
                guard case .string(let value) = $0[0] else { return .null }
                return .bool(pattern.matches(value))
            }
        }
        let expressions = [
            "", ".", ".*", "a|b|", "(a|)b", "[^a]*", "\\w+", "\\W*", "[\\w\\W]*", "[^\\w\\W]", "a{2}b",
            "a{0}", "(a*)*b",
            "[a-z]{1,300}", ".{3,}", "[É日].*", "\\$|it's.*", "(?:ÉL)+AN", "[\\]\\-a]*", "(a?){3}b",
            "[😀\u{FFFF}]+",
        ]
        for text in expressions {
            for raw in 0...3 {
                let options = TextOptions(rawValue: raw)
                let expression = try #require(RegularExpression(reading: text, options: options))
                try expect(SQLFunction(.matches(expression), .text), texts, text, .bool) {
                    guard case .string(let value) = $0[0] else { return .null }
                    return .bool(expression.matches(folded: value))
                }
            }
        }
    }

    @Test func `An integer and a double compare exactly`() throws {
        let query: SQLFragment = """
            SELECT \(try call(SQLFunction(.comparable(.integer(bits: 64)), .integer(bits: 64)), ["a"])) \
            < \(try call(SQLFunction(.comparable(.double(bits: 64)), .double(bits: 64)), ["b"])) \
            FROM unnest(\(.list(Self.integers.map { .int($0) }, .integer(bits: 64)))::int8[]) WITH ORDINALITY AS x (a, n), \
            unnest(\(.list(Self.doubles.map { .double($0) }, .double(bits: 64)))::float8[]) WITH ORDINALITY AS y (b, m) \
            ORDER BY n, m
            """
        let answers = try answers(query, .bool)
        var row = 0
        for integer in Self.integers {
            for double in Self.doubles {
                let isLess = ValueOrder.compare(integer, double) < 0
                #expect(answers[row] == .bool(isLess), "\(integer) < \(double)")
                row += 1
            }
        }
    }

    // MARK: Queries

    private static func pairs(_ values: [StoredValue]) -> [[StoredValue]] {
        values.flatMap { first in values.map { [first, $0] } } + [[values[0], .null], [.null, values[0]]]
    }

    private func expectUnary(
        _ functions: [FetchFunction], _ type: SQLType, _ values: [StoredValue]
    ) throws {
        for function in functions {
            try expect(SQLFunction(.written(function), type), values.map { [$0] } + [[.null]]) {
                ValueFunctions.apply(function, $0)
            }
        }
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLFragment]) throws -> SQLFragment {
        try #require(PostgresFunctions.spelling(of: function, arguments))
    }

    /// Compares the server's results for many arguments with the expected ones.
    private func expect(
        _ function: SQLFunction, _ cases: [[StoredValue]], _ comment: String = "", _ result: SQLType? = nil,
        _ value: ([StoredValue]) -> StoredValue
    ) throws {
        // A statement per combination of argument types.
        for (types, members) in Dictionary(grouping: cases, by: { $0.map(Self.type) }) {
            let known = types.enumerated().map { place, type in
                type ?? cases.lazy.compactMap { Self.type(of: $0[place]) }.first ?? .text
            }
            let names: [SQLFragment] = ["a", "b"]
            let lists = known.indices.map { place in
                "\(.list(members.map { $0[place] }, known[place]))::\(PostgresType(known[place]).arrayName)"
                    as SQLFragment
            }
            let type = result ?? function.type
            let query: SQLFragment = """
                SELECT \(try call(function, Array(names[..<known.count]))) \
                FROM unnest(\(lists.joined())) WITH ORDINALITY AS x (\(names[..<known.count].joined()), n) ORDER BY n
                """
            let answers = try answers(query, type)
            try #require(answers.count == members.count)
            for (arguments, answer) in zip(members, answers) {
                let expected = value(arguments)
                #expect(answer == expected, "\(function.name) of \(arguments) \(comment)")
            }
        }
    }

    private static func type(of value: StoredValue) -> SQLType? {
        switch value {
        case .int: .integer(bits: 64)
        case .double: .double(bits: 64)
        case .decimal: .anyDecimal
        case .string: .text
        case .timestamp: .date
        default: nil
        }
    }

    private func answers(_ query: SQLFragment, _ type: SQLType) throws -> [StoredValue] {
        let text = SQLText(query, connection.configuration.dialect)
        let result = try connection.result(of: text)
        return try (0..<result.count).map { try result.value($0, 0, type) }
    }

}
#endif
