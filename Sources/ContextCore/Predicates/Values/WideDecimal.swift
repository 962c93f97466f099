import Foundation

/// A decimal number with up to 256 bits of digits, for arithmetic that is exact or fails.
///
/// Foundation's operators round silently if the digits don't fit, and trap if the exponent doesn't fit.
struct WideDecimal {
    /// The upper half of the digits, which are a 256-bit integer.
    private var high: UInt128
    private var low: UInt128
    private var exponent: Int
    private var isNegative: Bool

    /// Makes the number with its digits stripped of trailing zeros; nil for NaN.
    init?(_ number: Decimal) {
        // A significand is an integer, which is written without an exponent.
        guard !number.isNaN, let digits = UInt128(number.significand.magnitude.description) else {
            return nil
        }
        (high, low) = (0, digits)
        exponent = number.exponent
        isNegative = number.isSignMinus && digits != 0
        stripZeros()
    }

    private init(_ high: UInt128, _ low: UInt128, exponent: Int, isNegative: Bool) {
        self.high = high
        self.low = low
        self.exponent = exponent
        self.isNegative = isNegative
    }

    static let zero = WideDecimal(0, 0, exponent: 0, isNegative: false)

    private var isZero: Bool { high == 0 && low == 0 }

    var negated: WideDecimal {
        WideDecimal(high, low, exponent: exponent, isNegative: !isNegative && !isZero)
    }

    /// The number, if its digits without trailing zeros fit into 128 bits and its exponent fits into 8, else nil.
    var decimal: Decimal? {
        var number = self
        number.stripZeros()
        guard !number.isZero else { return Decimal(0) }
        guard number.high == 0, Int(Int8.min)...Int(Int8.max) ~= number.exponent,
            let significand = Decimal(string: number.low.description)
        else { return nil }
        return Decimal(
            sign: isNegative ? .minus : .plus, exponent: number.exponent, significand: significand)
    }

    /// The nearest double.
    var double: Double {
        var digits = ""
        var number = self
        repeat {
            digits.append(Character(Unicode.Scalar(UInt8(ascii: "0") + number.removeLastDigit())))
        } while !number.isZero
        return Double("\(isNegative ? "-" : "")\(String(digits.reversed()))e\(exponent)") ?? 0
    }
}

// MARK: - Arithmetic

extension WideDecimal {
    /// Multiplies two numbers whose digits fit into 128 bits.
    static func product(_ left: WideDecimal, _ right: WideDecimal) -> WideDecimal {
        let (high, low) = left.low.multipliedFullWidth(by: right.low)
        return WideDecimal(
            high, low, exponent: left.exponent + right.exponent,
            isNegative: left.isNegative != right.isNegative && !left.isZero && !right.isZero)
    }

    /// Adds two numbers; nil if the result doesn't fit into 256 bits.
    static func sum(_ left: WideDecimal, _ right: WideDecimal) -> WideDecimal? {
        if left.isZero { return right }
        if right.isZero { return left }
        var (a, b) = left.exponent >= right.exponent ? (left, right) : (right, left)
        guard a.scale(by: a.exponent - b.exponent) else { return nil }
        if a.isNegative == b.isNegative {
            let (low, carry) = a.low.addingReportingOverflow(b.low)
            let (high, overflow) = a.high.addingReportingOverflow(b.high)
            let (top, last) = high.addingReportingOverflow(carry ? 1 : 0)
            if overflow || last { return nil }
            return WideDecimal(top, low, exponent: b.exponent, isNegative: b.isNegative)
        }
        if (a.high, a.low) < (b.high, b.low) { swap(&a, &b) }
        let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
        let difference = WideDecimal(
            a.high - b.high - (borrow ? 1 : 0), low, exponent: b.exponent, isNegative: a.isNegative)
        return difference.isZero ? zero : difference
    }

    /// Appends zeros to the digits; returns false if they overflow.
    private mutating func scale(by count: Int) -> Bool {
        for _ in 0..<count {
            let (carry, lower) = low.multipliedFullWidth(by: 10)
            let (upper, overflow) = high.multipliedReportingOverflow(by: 10)
            let (sum, last) = upper.addingReportingOverflow(carry)
            if overflow || last { return false }
            (high, low) = (sum, lower)
            exponent -= 1
        }
        return true
    }

    /// Removes trailing zeros.
    private mutating func stripZeros() {
        if isZero {
            exponent = 0
            return
        }
        while true {
            var shorter = self
            guard shorter.removeLastDigit() == 0 else { return }
            self = shorter
            exponent += 1
        }
    }

    /// Removes and returns the last digit.
    private mutating func removeLastDigit() -> UInt8 {
        let (upper, rest) = high.quotientAndRemainder(dividingBy: 10)
        let (lower, digit) = (10 as UInt128).dividingFullWidth((rest, low))
        (high, low) = (upper, lower)
        return UInt8(digit)
    }
}
