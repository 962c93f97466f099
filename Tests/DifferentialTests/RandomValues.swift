import ContextCore
import Foundation

/// A generator of edge cases and ordinary values, some of which repeat.
struct RandomValues {
    var random: SeededGenerator
    /// The earliest timestamp that the store supports.
    var firstMoment = Int64.min

    /// Returns a value of an attribute type.
    mutating func value(of type: AttributeType) -> StoredValue {
        switch type {
        case .bool: .bool(random.chance(50))
        case .int16: .int(random.pick([0, 1, -1, 7, Int64(Int16.max), Int64(Int16.min)]))
        case .int32: .int(random.pick([0, 1, -1, 42, Int64(Int32.max), Int64(Int32.min)]))
        case .int64: .int(integer())
        case .float: .double(Double(Float(double())))
        case .double: .double(double())
        case .decimal(let precision, let scale): .decimal(decimal(precision, scale))
        case .string: .string(text())
        case .url: .string(random.pick(["https://example.org/ä?q=1", "file:///tmp", "x:'\"", "https://a"]))
        case .data: .data(data())
        case .date: .timestamp(microseconds: moment())
        case .uuid: .uuid(uuid())
        case .codable, .composite: .null
        }
    }

    mutating func integer() -> Int64 {
        random.chance(70)
            ? Int64(random.count(-5...20))
            : random.pick([.max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, -1, 1_000_000_007])
    }

    mutating func double() -> Double {
        random.chance(60)
            ? Double(random.count(-40...40)) / 4
            : random.pick([
                0, -0.0 + 0, 0.1, 0.2, 0.3, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude,
                9_007_199_254_740_992, 0x1p63, .pi,
            ])
    }

    mutating func decimal(_ precision: Int, _ scale: Int) -> Decimal {
        let isShort = random.chance(70)
        let count = isShort ? random.count(1...min(4, precision)) : precision
        let digits = (0..<count).map { _ in String(random.count(0...9)) }.joined()
        let exponent = isShort ? -random.count(0...min(2, scale)) : -scale
        guard let whole = Decimal(string: "\(random.chance(40) ? "-" : "")\(digits)e\(exponent)") else {
            return 0
        }
        return whole.magnitude < pow(10, precision - scale) ? whole : 0
    }

    mutating func text() -> String {
        let pieces = [
            "a", "b", "A", "B", "z", "é", "e\u{301}", "É", "ß", "ς", "σ", "ſ", "İ", "ı", "日本", "'", "\"",
            "\\", "%",
            "_", "*", "?", ".", "-- ", ";", "\n", "\t", " ", "\u{202E}", "😀", "\u{1F}", "\u{FFFF}", "Å",
            "\u{212B}",
        ]
        return (0..<random.count(0...(random.chance(80) ? 3 : 8))).map { _ in random.pick(pieces) }.joined()
    }

    mutating func data() -> Data {
        random.pick([
            Data(), Data([0]), Data([0, 0]), Data([0xFF]), Data("text".utf8), Data([1, 2, 3, 0, 4]),
        ])
    }

    mutating func moment() -> Int64 {
        random.pick([
            0, 1, -1, 1_785_585_600_000_000, 1_785_585_600_250_000, -86_400_000_001, -62_135_596_800_000_000,
            253_402_300_799_999_999, -12_345_678_901_234_567, 4_102_444_800_000_000, .max, firstMoment,
        ])
    }

    mutating func uuid() -> UUID {
        let byte = UInt8(random.count(0...3))
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, random.chance(50) ? 255 : 0))
    }
}
