/// How text is made to look: colours where they can be seen, and how much room a line has.
struct TextStyle: Sendable, Equatable {
    /// Whether letters may have colours.
    var hasColour = false
    /// How many cells a line has; nil where nobody sees it break.
    var width: Int?

    /// Decides as people expect it: <https://no-color.org>, `FORCE_COLOR`, and none on a dumb terminal.
    static func hasColour(isTerminal: Bool, wantsColour: Bool, _ variables: [String: String]) -> Bool {
        if !wantsColour || variables["NO_COLOR"]?.isEmpty == false { return false }
        if let force = variables["FORCE_COLOR"], !force.isEmpty, force != "0" { return true }
        return isTerminal && variables["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { marked(text, "1") }
    func dim(_ text: String) -> String { marked(text, "2") }
    func red(_ text: String) -> String { marked(text, "31") }
    func green(_ text: String) -> String { marked(text, "32") }
    func yellow(_ text: String) -> String { marked(text, "33") }
    func blue(_ text: String) -> String { marked(text, "34") }

    private func marked(_ text: String, _ code: String) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
