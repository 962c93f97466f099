import Foundation

/// Reckons with values, the same in every store.
///
/// What doesn't fit its type, what is divided by zero and what is no number is null, as is everything reckoned with null.
package enum ValueArithmetic {
    /// Two values reckoned with; types other than those that checking lets through make null.
    package static func apply(
        _ sign: ArithmeticOperator, _ left: StoredValue, _ right: StoredValue
    ) -> StoredValue {
        switch (left, right) {
        case (.int(let a), .int(let b)): integer(sign, a, b).map { .int($0) } ?? .null
        case (.double(let a), .double(let b)): double(sign, a, b)
        case (.decimal(let a), .decimal(let b)): decimal(sign, a, b)
        case (.timestamp(let a), .timestamp(let b)): seconds(from: b, to: a)
        case (.timestamp(let moment), .int(let seconds)): shifted(sign, moment, microseconds(seconds))
        case (.timestamp(let moment), .double(let seconds)): shifted(sign, moment, microseconds(seconds))
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

    /// A result, unless it is no number, or infinite where nothing was before; zero has no sign.
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
        _ sign: ArithmeticOperator, _ moment: Int64, _ microseconds: Int64?
    ) -> StoredValue {
        guard let microseconds, sign == .add || sign == .subtract,
            let result = integer(sign, moment, microseconds)
        else { return .null }
        return .timestamp(microseconds: result)
    }

    private static func microseconds(_ seconds: Int64) -> Int64? {
        integer(.multiply, seconds, 1_000_000)
    }

    /// Halves of a microsecond away from zero.
    private static func microseconds(_ seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1_000_000).rounded())
    }
}
