/// What a user entered at the prompt.
enum ShellLine: Equatable, Sendable {
    case text(String)
    /// Ctrl-C, which discards the line.
    case interrupted
    /// Ctrl-D in an empty line, or the end of the input.
    case end
}

/// A source of the shell's lines, used by one thread.
protocol ShellReader: AnyObject {
    /// Waits for the next line.
    ///
    /// - Parameters:
    ///   - prompt: The text before the line, which may contain escape sequences for colors.
    ///   - complete: Returns what Tab does, for the text before the cursor. Only a reader with line editing calls it.
    func next(prompt: String, complete: @escaping (String) -> CompletionAction) -> ShellLine
    /// Makes an input available to the keys that recall earlier inputs, if the reader has line editing.
    func recall(_ input: String)
}

/// Reads lines from an input that isn't a terminal, or from a test.
final class InputReader: ShellReader {
    private let input: LineInput
    private let output: Output

    init(_ input: LineInput, output: Output) {
        self.input = input
        self.output = output
    }

    func next(prompt: String, complete: @escaping (String) -> CompletionAction) -> ShellLine {
        if input.isTerminal { output.message(prompt) }
        return input.next().map(ShellLine.text) ?? .end
    }

    func recall(_ input: String) {}
}
