import Foundation

/// A number exactly as a JSON text writes it.
package struct JSONNumber: Sendable, Hashable {
    /// The number as it was written.
    package let text: String

    /// The number as a 64-bit integer; nil when it has a fraction or an exponent, or doesn't fit.
    package var int64: Int64? { Int64(text) }

    /// The number as the nearest floating-point number; nil when it is too great for one.
    package var double: Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The number as a decimal number; nil when that can't hold it exactly.
    package var decimal: Decimal? {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }
        let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
        guard digits.count <= 38, abs(exponent) <= 90 else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private var exponent: Int {
        guard let mark = text.lastIndex(where: { $0 == "e" || $0 == "E" }) else { return 0 }
        let digits = text[text.index(after: mark)...]
        return Int(digits.first == "+" ? digits.dropFirst() : digits) ?? .max
    }
}
