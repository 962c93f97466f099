/// The words and redirections of an example in the help, as a shell reads them.
struct ExampleCall {
    /// The words after the program's name, up to a redirection or a pipe.
    private(set) var words: [String] = []
    /// The file that standard input comes from.
    private(set) var input: String?
    /// The file that standard output goes to.
    private(set) var output: String?
    /// Whether the output is appended to the file.
    private(set) var appends = false

    init(_ text: String) {
        var tokens = Self.tokens(of: text)[...]
        while let token = tokens.popFirst() {
            switch token {
            case "|": return
            case ">", ">>":
                output = tokens.popFirst()
                appends = token == ">>"
            case "<": input = tokens.popFirst()
            default: words.append(token)
            }
        }
    }

    /// Splits a text at spaces, except for those between single quotes, which are removed.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var token: String?
        var isQuoted = false
        for character in text {
            if character == "'" {
                isQuoted.toggle()
                token = token ?? ""
            } else if character == " ", !isQuoted {
                if let token { tokens.append(token) }
                token = nil
            } else {
                token = (token ?? "") + String(character)
            }
        }
        return tokens + (token.map { [$0] } ?? [])
    }
}
