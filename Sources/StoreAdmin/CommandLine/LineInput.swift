import Foundation

/// Where lines that a person types, or that another program writes, come from.
struct LineInput: Sendable {
    /// Whether somebody sits at a terminal.
    var isTerminal: Bool
    /// Waits for the next line, without its end; nil where there are no more.
    let next: @Sendable () -> String?

    /// This process's standard input.
    static let process = LineInput(isTerminal: isatty(STDIN_FILENO) != 0) { readLine() }
}
