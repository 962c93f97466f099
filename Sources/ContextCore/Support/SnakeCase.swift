/// Converts Swift names to SQL names: `startedAt` to `started_at`, `HTTPServer` to `http_server`.
package enum SnakeCase {
    /// Returns the name in lowercase, with underscores between its words.
    package static func name(_ name: String) -> String {
        let bytes = Array(name.utf8)
        var words: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index > 0, isUpper(byte), beginsWord(bytes, index) { words.append(UInt8(ascii: "_")) }
            words.append(isUpper(byte) ? byte + 32 : byte)
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// Whether an uppercase letter starts a word: after a lowercase letter or digit, or as the last of several uppercase letters, like
    /// the S of `HTTPServer`.
    ///
    /// A plural `s` after an acronym, as in `playerIDs`, starts no word.
    private static func beginsWord(_ bytes: [UInt8], _ index: Int) -> Bool {
        if bytes[index - 1] == UInt8(ascii: "_") { return false }
        if !isUpper(bytes[index - 1]) { return true }
        guard index + 1 < bytes.count, isLower(bytes[index + 1]) else { return false }
        let isPlural =
            bytes[index + 1] == UInt8(ascii: "s") && (index + 2 == bytes.count || !isLower(bytes[index + 2]))
        return !isPlural
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    private static func isLower(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
