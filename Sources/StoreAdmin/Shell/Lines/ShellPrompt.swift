/// The prompt of the shell: the store's name, and what a user must know about it before typing.
///
/// The end of the prompt shows whether a line starts an input, `=>`, or continues one: `(>` in a bracket, `'>` in a quote.
struct ShellPrompt: Sendable, Equatable {
    /// The store's name, as `--confirm` takes it.
    let name: String
    var isProduction = false
    /// Whether the store's URL opens it read-only for every command.
    var isReadOnly = false

    func text(_ continuation: InputScan.Continuation? = nil, _ style: TextStyle = TextStyle()) -> String {
        let marks =
            (isProduction ? [style.red("production")] : []) + (isReadOnly ? [style.yellow("read-only")] : [])
        let list = marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
        return "\(name)\(list)\(Self.sign(continuation))> "
    }

    private static func sign(_ continuation: InputScan.Continuation?) -> Character {
        switch continuation {
        case nil: "="
        case .quote(let quote): quote
        case .bracket: "("
        case .comment: "*"
        case .backslash: "-"
        }
    }

    /// Returns a prompt with a marker before and after each escape sequence of the terminal.
    ///
    /// An editor that doesn't know which characters are invisible would place the cursor wrong.
    static func markingEscapes(in prompt: String, with marker: Character = "\u{1}") -> String {
        var marked = ""
        var isInEscape = false
        for character in prompt {
            if character == "\u{1B}" {
                marked.append(marker)
                isInEscape = true
            }
            marked.append(character)
            if isInEscape, character == "m" {
                marked.append(marker)
                isInEscape = false
            }
        }
        return marked
    }
}
