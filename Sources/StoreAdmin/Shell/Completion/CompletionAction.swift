/// What Tab does.
enum CompletionAction: Equatable, Sendable {
    /// No candidate begins with the typed text.
    case nothing
    /// Replaces Unicode scalars before the cursor with a text.
    case replace(count: Int, text: String)
    /// Shows the candidates.
    case list([String])

    /// Completes the typed text if a candidate, or what several have in common, adds to it; otherwise shows the candidates.
    ///
    /// Case is ignored, so `pl` becomes `Player`.
    init(typed: String, candidates: [CompletionCandidate]) {
        let matching = candidates.filter { $0.continues(typed) }
        guard let first = matching.first else {
            self = .nothing
            return
        }
        let texts = matching.map { $0.text(for: typed) }
        let common = matching.count == 1 ? texts[0] + first.suffix : Self.commonPrefix(of: texts)
        let count = typed.unicodeScalars.count
        if common != typed, common.unicodeScalars.count >= count {
            self = .replace(count: count, text: common)
        } else {
            self = .list(texts)
        }
    }

    private static func commonPrefix(of texts: [String]) -> String {
        texts.dropFirst().reduce(texts.first ?? "") { common, text in
            String(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
    }
}

/// A text that can replace the word at the cursor.
struct CompletionCandidate: Hashable, Sendable {
    let text: String
    /// What follows the text if it is the only candidate: a space, or nothing if the word continues.
    let suffix: String
    /// Whether the text is a keyword, which may be in uppercase.
    let isKeyword: Bool
    /// What the text names, such as the type of an attribute; empty for a keyword.
    let help: String

    init(_ text: String, suffix: String = " ", isKeyword: Bool = false, help: String = "") {
        self.text = text
        self.suffix = suffix
        self.isKeyword = isKeyword
        self.help = help
    }

    static func keyword(_ text: String, suffix: String = " ") -> CompletionCandidate {
        CompletionCandidate(text, suffix: suffix, isKeyword: true)
    }

    /// Whether the text begins with what the user has typed, ignoring case.
    func continues(_ typed: String) -> Bool { text.lowercased().hasPrefix(typed.lowercased()) }

    /// Returns the text, in uppercase if it is a keyword and the user has typed uppercase letters only.
    func text(for typed: String) -> String {
        let isUppercase = typed.contains(where: \.isLetter) && typed == typed.uppercased()
        return isKeyword && isUppercase ? text.uppercased() : text
    }
}

/// Formats candidates in columns.
enum CompletionColumns {
    /// The maximum number of candidates that are shown.
    static let limit = 300

    static func text(_ candidates: [String], width: Int) -> String {
        let shown = candidates.prefix(limit)
        let cell = 2 + (shown.map(DisplayWidth.columnCount).max() ?? 0)
        let columns = max(1, width / cell)
        let rows = (shown.count + columns - 1) / columns
        var text = ""
        for row in 0..<rows {
            // Down each column first, as `ls` does.
            let cells = stride(from: row, to: shown.count, by: rows).map { shown[$0] }
            for (index, candidate) in cells.enumerated() {
                let space = index == cells.count - 1 ? 0 : cell - DisplayWidth.columnCount(candidate)
                text += candidate + String(repeating: " ", count: space)
            }
            text += "\n"
        }
        let rest = candidates.count - shown.count
        return rest == 0 ? text : text + "and \(Quantity.count(rest)) more\n"
    }
}
