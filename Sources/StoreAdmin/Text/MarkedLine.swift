/// A line of text with a caret under one of its characters.
struct MarkedLine {
    /// The text of the line.
    let text: String
    /// The column of the character in Unicode scalars, from 1; it may be one after the end.
    let column: Int

    /// Returns the text and the caret, each on a line; a text that is too long is cut around the caret.
    ///
    /// - Parameter width: The number of cells of a terminal's line.
    func lines(width: Int = 90) -> [String] {
        // Tabs and other control characters would move the caret.
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar
        }
        let offset = min(max(0, column - 1), scalars.count)
        var before = Self.text(scalars[..<offset])
        var after = Self.text(scalars[offset...])
        if DisplayWidth.columnCount(before) + DisplayWidth.columnCount(after) > width {
            before = Self.cutStart(of: before, to: width * 2 / 3)
            after = DisplayWidth.truncated(after, to: width - DisplayWidth.columnCount(before))
        }
        return [before + after, String(repeating: " ", count: DisplayWidth.columnCount(before)) + "^"]
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// Returns the end of a text with `…` before it, if the text is wider than the given width.
    private static func cutStart(of text: String, to width: Int) -> String {
        guard DisplayWidth.columnCount(text) > width else { return text }
        var used = 0
        let kept = text.reversed().prefix { character in
            used += DisplayWidth.columnCount(character)
            return used < width
        }
        return "…" + String(kept.reversed())
    }
}
