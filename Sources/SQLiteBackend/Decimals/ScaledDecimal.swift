#if SQLite
import ContextCore
import Foundation

/// Encodes decimal numbers with a fixed scale as integers.
enum ScaledDecimal {
    /// The maximum precision that fits into an INTEGER.
    static let maximumIntegerPrecision = 18

    /// Returns the number times ten to the power of the scale, or nil if the result is not a 64-bit integer.
    static func integer(_ number: Decimal, scale: Int) -> Int64? {
        var number = number
        var scaled = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&scaled, &number, Int16(scale), .plain) == .noError else {
            return nil
        }
        return Int64(scaled.description)
    }

    /// Returns the number times ten to the power of the scale, or throws if the result is not a 64-bit integer.
    static func exactInteger(_ number: Decimal, scale: Int) throws(StoreError) -> Int64 {
        if let integer = integer(number, scale: scale) { return integer }
        throw StoreError(
            .unsupportedRequest, "A decimal number has more digits than its attribute can store.",
            remedy:
                "Round it to \(scale) digits after the decimal point, or declare the attribute with a larger precision."
        )
    }

    /// Returns the number that an integer encodes.
    static func number(_ integer: Int64, scale: Int) -> Decimal {
        Decimal(sign: integer < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(integer.magnitude))
    }
}
#endif
