import Foundation

/// A quotient of two integers times a power of ten, with exact arithmetic on decimal numbers.
///
/// Operations never round: they return nil if the digits of the result don't fit into 128 bits.
struct ExactFraction {
    private var isNegative: Bool
    /// The numerator, which is coprime with the denominator; neither is divisible by ten.
    ///
    /// The form is not unique: a number can have several.
    private var numerator: UInt128
    private var denominator: UInt128
    private var exponent: Int

    /// Makes the fraction of a decimal number; nil for NaN.
    init?(_ number: Decimal) {
        guard !number.isNaN, let digits = UInt128(number.significand.magnitude.description) else {
            return nil
        }
        self.init(number.isSignMinus, digits, 1, exponent: number.exponent)
    }

    private init(_ isNegative: Bool, _ numerator: UInt128, _ denominator: UInt128, exponent: Int) {
        guard numerator != 0 else {
            (self.isNegative, self.numerator, self.denominator, self.exponent) = (false, 0, 1, 0)
            return
        }
        let divisor = Self.greatestCommonDivisor(numerator, denominator)
        (self.isNegative, self.exponent) = (isNegative, exponent)
        (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
        while self.numerator % 10 == 0 {
            self.numerator /= 10
            self.exponent += 1
        }
        while self.denominator % 10 == 0 {
            self.denominator /= 10
            self.exponent -= 1
        }
    }

    var isZero: Bool { numerator == 0 }

    var negated: ExactFraction {
        ExactFraction(!isNegative, numerator, denominator, exponent: exponent)
    }

    var magnitude: ExactFraction { ExactFraction(false, numerator, denominator, exponent: exponent) }

    private static func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

// MARK: - Arithmetic

extension ExactFraction {
    static func product(_ left: ExactFraction, _ right: ExactFraction) -> ExactFraction? {
        // Canceling common factors first makes sure that the multiplication overflows only if the result does.
        let first = greatestCommonDivisor(left.numerator, right.denominator)
        let second = greatestCommonDivisor(right.numerator, left.denominator)
        guard let above = multiplied(left.numerator / first, right.numerator / second),
            let below = multiplied(left.denominator / second, right.denominator / first)
        else { return nil }
        return ExactFraction(
            left.isNegative != right.isNegative, above, below, exponent: left.exponent + right.exponent)
    }

    /// Divides two numbers; nil for a divisor of zero.
    static func quotient(_ left: ExactFraction, _ right: ExactFraction) -> ExactFraction? {
        if right.isZero { return nil }
        let reciprocal = ExactFraction(
            right.isNegative, right.denominator, right.numerator, exponent: -right.exponent)
        return product(left, reciprocal)
    }

    /// Returns the remainder of a division truncated toward zero, with the sign of the dividend; nil for a divisor of zero.
    static func remainder(_ left: ExactFraction, _ right: ExactFraction) -> ExactFraction? {
        guard let whole = quotient(left, right)?.rounded(.towardZero),
            let part = product(right, whole)
        else { return nil }
        return sum(left, part.negated)
    }

    static func sum(_ left: ExactFraction, _ right: ExactFraction) -> ExactFraction? {
        if left.isZero { return right }
        if right.isZero { return left }
        let (high, low) = left.exponent >= right.exponent ? (left, right) : (right, left)
        let divisor = greatestCommonDivisor(high.denominator, low.denominator)
        guard let shifted = shifted(high.numerator, by: high.exponent - low.exponent),
            let first = multiplied(shifted, low.denominator / divisor),
            let second = multiplied(low.numerator, high.denominator / divisor),
            let below = multiplied(high.denominator / divisor, low.denominator)
        else { return nil }
        if high.isNegative != low.isNegative {
            let isNegative = first >= second ? high.isNegative : low.isNegative
            return ExactFraction(
                isNegative, first >= second ? first - second : second - first, below, exponent: low.exponent)
        }
        let (above, overflow) = first.addingReportingOverflow(second)
        return overflow ? nil : ExactFraction(high.isNegative, above, below, exponent: low.exponent)
    }

    /// Returns the number rounded to an integer.
    func rounded(_ rule: FloatingPointRoundingRule) -> ExactFraction? {
        guard let above = Self.shifted(numerator, by: max(exponent, 0)),
            let below = Self.shifted(denominator, by: max(-exponent, 0))
        else { return nil }
        let (whole, rest) = above.quotientAndRemainder(dividingBy: below)
        let isUp =
            switch rule {
            case .up: rest > 0 && !isNegative
            case .down: rest > 0 && isNegative
            case .towardZero: false
            case .awayFromZero: rest > 0
            // Rounds halves away from zero, in a form that can't overflow.
            default: rest > 0 && rest >= below - rest
            }
        return ExactFraction(isNegative, whole + (isUp ? 1 : 0), 1, exponent: 0)
    }

    private static func multiplied(_ first: UInt128, _ second: UInt128) -> UInt128? {
        let (product, overflow) = first.multipliedReportingOverflow(by: second)
        return overflow ? nil : product
    }

    /// Returns an integer times a power of ten.
    private static func shifted(_ number: UInt128, by count: Int) -> UInt128? {
        var number = number
        for _ in 0..<count {
            guard let next = multiplied(number, 10) else { return nil }
            number = next
        }
        return number
    }
}

// MARK: - Results

extension ExactFraction {
    /// Returns the decimal number with `scale` fraction digits; nil if it would not be exact.
    func decimal(scale: Int) -> Decimal? {
        if isZero { return Decimal(0) }
        guard exponent + scale >= 0 else { return nil }
        var (digits, divisor) = (numerator, denominator)
        for _ in 0..<(exponent + scale) {
            let common = Self.greatestCommonDivisor(divisor, 10)
            guard let next = Self.multiplied(digits, 10 / common) else { return nil }
            (digits, divisor) = (next, divisor / common)
        }
        guard divisor == 1, let significand = Decimal(string: digits.description) else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: -scale, significand: significand)
    }
}
