import Foundation

/// The source of input lines.
struct LineInput: Sendable {
    /// Whether the input is a terminal.
    var isTerminal: Bool
    /// The terminal that the shell uses; nil if it only reads lines.
    let terminal: ShellTerminal?
    /// Waits for the next line and returns it without its line ending; nil at the end of the input.
    let next: @Sendable () -> String?

    init(isTerminal: Bool, terminal: ShellTerminal? = nil, next: @escaping @Sendable () -> String?) {
        self.isTerminal = isTerminal
        self.terminal = terminal
        self.next = next
    }

    /// This process's standard input.
    static let process = LineInput(isTerminal: isatty(STDIN_FILENO) != 0, terminal: .process) { readLine() }
}
