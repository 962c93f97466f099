import ContextCore
import Foundation

/// A random number generator that repeats its numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// A generator of predicates without regard to a model: all kinds of trees.
struct RandomPredicates {
    var generator: SeededGenerator

    mutating func predicate(depth: Int) -> FetchPredicate {
        guard depth > 0 else { return .constant(.random(using: &generator)) }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .and((0..<count(2, 4)).map { _ in predicate(depth: depth - 1) })
        case 1: return .or((0..<count(2, 4)).map { _ in predicate(depth: depth - 1) })
        case 2: return .not(predicate(depth: depth - 1))
        case 3: return .truth(predicate(depth: depth - 1), is: pick(PredicateTruth.allCases))
        case 4:
            return .quantified(
                pick(Quantifier.allCases), in: path(), variable: name(), predicate(depth: depth - 1))
        case 5: return .isEntity(path(), name: name())
        default: return .comparison(comparison(depth: depth))
        }
    }

    private mutating func comparison(depth: Int) -> PredicateComparison {
        let sign = pick(ComparisonOperator.allCases)
        let right: FetchExpression =
            sign == .between
            ? .list([expression(depth: depth - 1), expression(depth: depth - 1)])
            : expression(depth: depth - 1)
        return PredicateComparison(
            expression(depth: depth - 1), sign, right, options: TextOptions(rawValue: count(0, 3)),
            quantifier: flip() ? pick(Quantifier.allCases) : nil)
    }

    mutating func expression(depth: Int) -> FetchExpression {
        guard depth > 0 else { return flip() ? .literal(value()) : .path(path()) }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return .list((0..<count(0, 3)).map { _ in expression(depth: depth - 1) })
        case 1, 2:
            return .arithmetic(
                pick(ArithmeticOperator.allCases), expression(depth: depth - 1), expression(depth: depth - 1))
        case 3: return function(depth: depth - 1)
        case 4:
            return .conditional(
                predicate(depth: depth - 1), then: expression(depth: depth - 1),
                else: expression(depth: depth - 1))
        case 5: return .aggregate(aggregate(depth: depth - 1))
        case 6: return .path(path())
        default: return .literal(value())
        }
    }

    private mutating func function(depth: Int) -> FetchExpression {
        let function = pick(FetchFunction.allCases)
        let arity =
            switch function {
            case .now: 0
            case .modulo: 2
            case .concat, .coalesce: count(1, 3)
            default: 1
            }
        return .function(function, (0..<arity).map { _ in expression(depth: depth) })
    }

    private mutating func aggregate(depth: Int) -> FetchAggregate {
        let filter =
            flip() ? FetchAggregate.Filter(variable: name(), predicate: predicate(depth: depth)) : nil
        return FetchAggregate(
            pick(AggregateFunction.allCases), of: path(), where: filter,
            tail: (0..<count(0, 2)).map { _ in name() })
    }

    mutating func path() -> PropertyPath {
        PropertyPath((0..<count(0, 3)).map { _ in name() }, of: flip() ? nil : name())
    }

    mutating func name() -> String {
        pick([
            "name", "score", "players", "game", "SELF", "any", "in", "Not", "entity", "unknown", "now",
            "date",
            "größe", "_x1", "length",
        ])
    }

    mutating func value() -> StoredValue {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return .null
        case 1: return .bool(flip())
        case 2: return .int(pick([0, 1, -1, .max, .min, Int64.random(in: .min ... .max, using: &generator)]))
        case 3: return .double(double())
        case 4: return .decimal(decimal())
        case 5: return .string(text())
        case 6: return .data(Data(text().utf8))
        case 7: return .timestamp(microseconds: pick([0, -1, .max, .min, 1_785_585_600_000_001]))
        default: return .uuid(uuid())
        }
    }

    private mutating func double() -> Double {
        let edges = [
            0, 1.5, -2.25, 1e300, Double.leastNonzeroMagnitude, .infinity, -.infinity, 9_007_199_254_740_992,
        ]
        let random = Double(bitPattern: generator.next())
        return flip() || random.isNaN ? pick(edges) : random
    }

    private mutating func decimal() -> Decimal {
        let digits = (0..<count(1, 38)).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        let whole = Decimal(string: digits) ?? 0
        return whole * pick([1, -1, Decimal(sign: .plus, exponent: -7, significand: 1)])
    }

    mutating func text() -> String {
        let pieces = [
            "a", "Z", "é", "e\u{301}", "\"", "'", "\\", "\n", "%@", "$x", "日本", "\u{0}", "\u{202E}", " ",
        ]
        return (0..<count(0, 5)).map { _ in pick(pieces) }.joined()
    }

    private mutating func uuid() -> UUID {
        let (a, b) = (generator.next(), generator.next())
        return withUnsafeBytes(of: (a, b)) { $0.loadUnaligned(as: UUID.self) }
    }

    mutating func count(_ least: Int, _ most: Int) -> Int { Int.random(in: least...most, using: &generator) }
    mutating func flip() -> Bool { Bool.random(using: &generator) }
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }
}
