/// Text layout in terminal cells.
enum Text {
    /// Returns the width of a text: one cell per character, two for East Asian wide characters and most emoji.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        if character.unicodeScalars.contains(where: { $0.properties.isEmojiPresentation }) { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks of the East Asian Width classes W and F (<https://www.unicode.org/reports/tr11/>).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]

    /// Returns the text in a number of cells: truncated with `…`, or padded with blanks.
    static func fit(_ text: String, _ cells: Int) -> String {
        let text = String(text.map { $0.isNewline || ($0.asciiValue ?? 32) < 32 ? " " : $0 })
        let used = width(text)
        if used <= cells { return text + String(repeating: " ", count: cells - used) }
        var (cut, taken) = ("", 0)
        for character in text {
            let needed = width(character)
            if taken + needed > cells - 1 { break }
            cut.append(character)
            taken += needed
        }
        return cells <= 0 ? "" : cut + "…" + String(repeating: " ", count: cells - 1 - taken)
    }

    /// Returns two texts in a number of cells, aligned left and right; truncates the left one if both don't fit.
    static func spread(_ left: String, _ right: String, _ cells: Int) -> String {
        let room = cells - width(right)
        return room < 2 ? fit(left, cells) : fit(left, room - 1) + " " + right
    }

    /// Formats a duration.
    static func formatted(_ time: Duration) -> String {
        let (seconds, rest) = time.components
        let microseconds = seconds * 1_000_000 + rest / 1_000_000_000_000
        switch microseconds {
        case ..<1000: return "\(microseconds) µs"
        case ..<10_000: return "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
        case ..<10_000_000: return "\(microseconds / 1000) ms"
        default: return "\(seconds) s"
        }
    }

    /// Formats a number, from 10,000,000 on in millions.
    static func formatted(_ number: Int) -> String {
        number < 10_000_000 ? "\(number)" : "\(number / 1_000_000) M"
    }

    /// Returns a row of bars, newest at the right, scaled to the highest value.
    static func sparkline(_ values: [Int], _ cells: Int) -> String {
        let bars = Array(" ▁▂▃▄▅▆▇█")
        let shown = values.suffix(max(0, cells))
        let highest = max(1, shown.max() ?? 1)
        let line = shown.map { value in
            // A value above zero has at least the lowest bar.
            value <= 0 ? bars[0] : bars[max(1, min(8, value * 8 / highest))]
        }
        return String(repeating: " ", count: max(0, cells) - line.count) + String(line)
    }
}
