/// Decides whether and how a result is shown in a pager.
struct Pager: Sendable, Equatable {
    /// The size of a terminal in cells.
    struct Size: Sendable, Equatable {
        var rows: Int
        var columns: Int
    }

    /// The shell command that shows its input, page by page.
    let command: String

    /// Chooses the pager: `STORECTL_PAGER`, `PAGER`, or else `less` or `more`, if it is installed.
    ///
    /// - Returns: Nil if the variable is empty or `cat`, or if no pager is installed.
    init?(_ variables: [String: String], isInstalled: (String) -> Bool) {
        let chosen = variables["STORECTL_PAGER"] ?? variables["PAGER"]
        let command = chosen?.trimmingSpaces ?? ["less", "more"].first(where: isInstalled) ?? ""
        if command.isEmpty || command == "cat" { return nil }
        // Colors, and no waiting for a key at the end of a short text. A user's own options take precedence.
        self.command = "LESS=\"${LESS-FRX}\" \(command)"
    }

    /// Whether a text takes more lines than the terminal has, one of which is for the next prompt.
    static func isNeeded(for text: String, in size: Size) -> Bool {
        guard size.rows > 0, size.columns > 0 else { return false }
        var rows = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            rows += max(1, (visibleWidth(of: line) + size.columns - 1) / size.columns)
            if rows >= size.rows { return true }
        }
        return false
    }

    /// Returns the number of cells of a line without its escape sequences for colors.
    private static func visibleWidth(of line: Substring) -> Int {
        guard line.contains("\u{1B}") else { return DisplayWidth.columnCount(String(line)) }
        let parts = line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        let visible = parts.prefix(1) + parts.dropFirst().map { $0.drop { $0 != "m" }.dropFirst() }
        return DisplayWidth.columnCount(visible.joined())
    }
}
