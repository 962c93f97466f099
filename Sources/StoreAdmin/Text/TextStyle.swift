/// The formatting of text: colors, and the width of a line.
struct TextStyle: Sendable, Equatable {
    /// Whether text has colors.
    var hasColor = false
    /// The number of cells of a line; nil if the output isn't a terminal.
    var width: Int?

    /// Decides whether to use colors, by `--no-color`, `NO_COLOR` (<https://no-color.org>), `FORCE_COLOR`, and `TERM`.
    static func hasColor(isTerminal: Bool, wantsColor: Bool, _ variables: [String: String]) -> Bool {
        if !wantsColor || variables["NO_COLOR"]?.isEmpty == false { return false }
        if let force = variables["FORCE_COLOR"], !force.isEmpty, force != "0" { return true }
        return isTerminal && variables["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { styled(text, "1") }
    func dim(_ text: String) -> String { styled(text, "2") }
    func red(_ text: String) -> String { styled(text, "31") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }
    func blue(_ text: String) -> String { styled(text, "34") }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
