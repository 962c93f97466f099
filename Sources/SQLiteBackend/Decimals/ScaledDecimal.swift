#if SQLite
import ContextCore
import Foundation

/// Writes decimal numbers with so many digits behind the point as whole numbers.
enum ScaledDecimal {
    /// The most digits that an INTEGER of SQLite always has room for.
    static let longestPrecision = 18

    /// The number times ten to the power of the scale; nil where that is no whole number of 64 bits.
    static func integer(_ number: Decimal, scale: Int) -> Int64? {
        var number = number
        var scaled = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&scaled, &number, Int16(scale), .plain) == .noError else {
            return nil
        }
        return Int64(scaled.description)
    }

    /// The same, where it has to be one.
    static func exactInteger(_ number: Decimal, scale: Int) throws(StoreError) -> Int64 {
        if let integer = integer(number, scale: scale) { return integer }
        throw StoreError(
            .unsupportedRequest, "A decimal number has more digits than its attribute keeps.",
            remedy: "Round it to \(scale) digits behind the point.")
    }

    /// The number of a whole number.
    static func number(_ integer: Int64, scale: Int) -> Decimal {
        Decimal(sign: integer < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(integer.magnitude))
    }
}
#endif
