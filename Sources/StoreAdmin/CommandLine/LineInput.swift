import Foundation

/// The source of input lines.
struct LineInput: Sendable {
    /// Whether the input is a terminal.
    var isTerminal: Bool
    /// The terminal that the shell uses; nil if it only reads lines.
    var terminal: ShellTerminal?
    /// Waits for the next line and returns it without its line ending; nil at the end of the input.
    let next: @Sendable () -> String?

    /// This process's standard input.
    static let process = LineInput(isTerminal: isatty(STDIN_FILENO) != 0, terminal: .process) { readLine() }
}
