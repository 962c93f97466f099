/// Computes the number of cells that a text occupies in a terminal.
enum DisplayWidth {
    static func columnCount(_ text: String) -> Int { text.reduce(0) { $0 + columnCount($1) } }

    /// Returns 2 for wide East Asian characters and emoji, and 1 for others.
    static func columnCount(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        if character.unicodeScalars.contains(where: { $0.properties.isEmojiPresentation }) { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks of characters whose East Asian Width is W or F (<https://www.unicode.org/reports/tr11/>).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]

    /// Returns the text, truncated to a width and with `…` at its end if it is longer.
    static func truncated(_ text: String, to width: Int) -> String {
        guard columnCount(text) > width else { return text }
        var cut = ""
        var used = 0
        for character in text {
            let needed = columnCount(character)
            if used + needed > width - 1 { break }
            cut.append(character)
            used += needed
        }
        return cut + "…"
    }
}
