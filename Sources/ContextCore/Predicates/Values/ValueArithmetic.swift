import Foundation

/// The arithmetic of predicates, which is the same in every store.
///
/// Overflow, division by zero and NaN produce null, and so does a null operand.
package enum ValueArithmetic {
    /// Applies an operator to two values; null for types that checking rejects.
    package static func apply(
        _ sign: ArithmeticOperator, _ left: StoredValue, _ right: StoredValue
    ) -> StoredValue {
        switch (left, right) {
        case (.int(let a), .int(let b)): integer(sign, a, b).map { .int($0) } ?? .null
        case (.double(let a), .double(let b)): double(sign, a, b)
        case (.decimal(let a), .decimal(let b)): decimal(sign, a, b)
        case (.timestamp(let a), .timestamp(let b)): seconds(from: b, to: a)
        case (.timestamp(let date), .int(let seconds)): shifted(sign, date, microseconds(seconds))
        case (.timestamp(let date), .double(let seconds)): shifted(sign, date, microseconds(seconds))
        case (.string(let a), .string(let b)): .string(a + b)
        default: .null
        }
    }

    private static func integer(_ sign: ArithmeticOperator, _ left: Int64, _ right: Int64) -> Int64? {
        let (result, overflow) =
            switch sign {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            // Also reports division by zero.
            case .divide: left.dividedReportingOverflow(by: right)
            }
        return overflow ? nil : result
    }

    private static func double(_ sign: ArithmeticOperator, _ left: Double, _ right: Double) -> StoredValue {
        let result: Double
        switch sign {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide:
            if right == 0 { return .null }
            result = left / right
        }
        return double(result, of: left, right)
    }

    /// Returns a result without negative zero; null if it is NaN, or infinite although both operands are finite.
    static func double(_ result: Double, of left: Double, _ right: Double = 0) -> StoredValue {
        if result.isNaN || result.isInfinite && left.isFinite && right.isFinite { return .null }
        return .double(result == 0 ? 0 : result)
    }

    private static func decimal(_ sign: ArithmeticOperator, _ left: Decimal, _ right: Decimal) -> StoredValue
    {
        guard let a = WideDecimal(left), let b = WideDecimal(right) else { return .null }
        let result: WideDecimal? =
            switch sign {
            case .add: .sum(a, b)
            case .subtract: .sum(a, b.negated)
            case .multiply: .product(a, b)
            case .divide: nil
            }
        return result?.decimal.map { .decimal($0) } ?? .null
    }
}

// MARK: - Time

extension ValueArithmetic {
    private static func seconds(from start: Int64, to end: Int64) -> StoredValue {
        let (difference, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? .null : .double(Double(difference) / 1_000_000)
    }

    private static func shifted(
        _ sign: ArithmeticOperator, _ date: Int64, _ microseconds: Int64?
    ) -> StoredValue {
        guard let microseconds, sign == .add || sign == .subtract,
            let result = integer(sign, date, microseconds)
        else { return .null }
        return .timestamp(microseconds: result)
    }

    private static func microseconds(_ seconds: Int64) -> Int64? {
        integer(.multiply, seconds, 1_000_000)
    }

    /// Converts seconds to microseconds, and rounds halves away from zero.
    private static func microseconds(_ seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1_000_000).rounded())
    }
}
