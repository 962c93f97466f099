#if Postgres
import Foundation

/// The binary format of `numeric`: groups of four decimal digits, with the weight of the first.
enum PostgresNumeric {
    private static let negative: UInt16 = 0x4000

    /// Appends a number's bytes.
    static func write(_ number: Decimal, to bytes: inout [UInt8]) {
        let text = "\(number)"
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts[0].utf8.map { Int($0) - 48 }
        let fraction = parts.count > 1 ? parts[1].utf8.map { Int($0) - 48 } : []
        // Groups of four digits start at the decimal point, in both directions.
        let padding = (4 - whole.count % 4) % 4
        var digits = Array(repeating: 0, count: padding) + whole + fraction
        digits += Array(repeating: 0, count: (4 - digits.count % 4) % 4)
        var groups = stride(from: 0, to: digits.count, by: 4).map { start in
            digits[start..<start + 4].reduce(0) { $0 * 10 + $1 }
        }
        var weight = (whole.count + padding) / 4 - 1
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        bytes.append(bigEndian: UInt16(groups.count))
        bytes.append(bigEndian: groups.isEmpty ? 0 : UInt16(bitPattern: Int16(weight)))
        bytes.append(bigEndian: isNegative && !groups.isEmpty ? negative : 0)
        bytes.append(bigEndian: UInt16(fraction.count))
        for group in groups { bytes.append(bigEndian: UInt16(group)) }
    }

    /// Reads a number; nil for NaN, infinity, and more digits than a `Decimal` has.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard bytes.count >= 8 else { return nil }
        let count = Int(bytes.bigEndian(UInt16.self, at: 0))
        let weight = Int(Int16(bitPattern: bytes.bigEndian(UInt16.self, at: 2)))
        let sign = bytes.bigEndian(UInt16.self, at: 4)
        guard sign == 0 || sign == negative, bytes.count == 8 + count * 2 else { return nil }
        // Up to sixteen digits fit into an integer; Decimal arithmetic would round more digits.
        var significand = Decimal(0)
        if count <= 4 {
            let digits = (0..<count).reduce(UInt64(0)) { $0 * 10_000 + UInt64(group(bytes, $1)) }
            significand = Decimal(digits)
        } else {
            let text = (0..<count).map { String(10_000 + group(bytes, $0)).dropFirst() }.joined()
            guard let long = Decimal(string: text) else { return nil }
            significand = long
        }
        let number = Decimal(
            sign: sign == negative ? .minus : .plus, exponent: (weight - count + 1) * 4,
            significand: significand)
        return number.isNaN ? nil : count == 0 ? 0 : number
    }

    private static func group(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        Int(bytes.bigEndian(UInt16.self, at: 8 + index * 2))
    }
}
#endif
