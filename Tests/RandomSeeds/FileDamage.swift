/// Random damage to bytes, tokens and whole values that parsers may handle badly.
public struct FileDamage {
    private var random: SeededRandom

    /// Creates a generator with a seed.
    public init(seed: UInt64) {
        random = SeededRandom(seed: seed &+ 1000)
    }

    /// Returns the bytes with one to three random changes.
    public mutating func applied(to bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: start)
            case 3: bytes.insert(contentsOf: piece(), at: start)
            default: replaceValue(in: &bytes, from: start)
            }
        }
        return bytes
    }

    private mutating func piece() -> [UInt8] {
        Self.pieces.randomElement(using: &random) ?? []
    }

    /// Replaces the next number or word by another token, so that the file often stays valid JSON.
    private mutating func replaceValue(in bytes: inout [UInt8], from start: Int) {
        let ends: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n")]
        guard let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) else { return }
        let first = colon + 2
        guard first < bytes.count, let end = bytes[first...].firstIndex(where: ends.contains) else { return }
        let value = Self.values.randomElement(using: &random) ?? ""
        bytes.replaceSubrange(first..<end, with: Array(value.utf8))
    }

    private static let values = [
        "1e-9223372036854775808", "1e9223372036854775807", "-9223372036854775808", "9223372036854775807",
        "1e400", "-0.0", "1E+2", String(repeating: "9", count: 400),
        "0." + String(repeating: "0", count: 400) + "1", "\"\"", "\"\\ud800\"", "\"\\u0000\"",
        "\"\\ud83d\\ude00\"",
        "\"(((){1000}){1000}){1000}\"", "\"x = y(\"", "null", "true", "{}", "[]", "\"decimal\"",
        "\"composite\"",
        "\"E1\"", "\"E2\"", "\"infinity\"", "\"+300000-12-31\"", "0", "1", "-1", "3.5", "\"a.b.c\"", "\".\"",
        String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
        "[" + String(repeating: "0,", count: 5000) + "0]",
        "{\"a\": 1, \"a\": 2}", "{\"\\u0061\": 1, \"e\u{301}\": 2, \"\u{e9}\": 3}",
    ]

    private static let pieces: [[UInt8]] =
        [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0],
            [0xE2, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]
        + [
            "{", "}", "[", "]", "\"", "\\", ",", ":", "\\u", "\\ud800", "/*", "\r", "\u{2028}",
            "\"precision\": -9223372036854775808, ", "\"scale\": 9223372036854775807, ",
            "\"minimum\": 1, ", "\"superentity\": \"E0\", ", "\"inverse\": \"r1\", ",
            "\"where\": \"E0 IS E0\", ",
        ].map { Array($0.utf8) }
}
