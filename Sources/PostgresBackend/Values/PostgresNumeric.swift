#if Postgres
import Foundation

/// Decimal numbers as they cross in binary: groups of four digits, with the weight of the first.
enum PostgresNumeric {
    private static let negative: UInt16 = 0x4000

    /// Appends a number's bytes.
    static func write(_ number: Decimal, to bytes: inout [UInt8]) {
        let text = "\(number)"
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts[0].utf8.map { Int($0) - 48 }
        let fraction = parts.count > 1 ? parts[1].utf8.map { Int($0) - 48 } : []
        // Groups of four count from the point, in both directions.
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

    /// Reads a number; nil for what no `Decimal` is: infinity, or more digits than it has.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard bytes.count >= 8 else { return nil }
        let count = Int(bytes.bigEndian(UInt16.self, at: 0))
        let weight = Int(Int16(bitPattern: bytes.bigEndian(UInt16.self, at: 2)))
        let sign = bytes.bigEndian(UInt16.self, at: 4)
        guard sign == 0 || sign == negative, bytes.count == 8 + count * 2 else { return nil }
        var number = Decimal(0)
        for index in 0..<count {
            let group = bytes.bigEndian(UInt16.self, at: 8 + index * 2)
            let part = Decimal(
                sign: .plus, exponent: (weight - index) * 4, significand: Decimal(Int(group)))
            number += part
        }
        return sign == negative ? -number : number
    }
}
#endif
