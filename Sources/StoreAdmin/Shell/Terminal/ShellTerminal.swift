import ContextCore
import Foundation

/// What the shell needs of a terminal: its size, Ctrl-C, lines, and programs that use it.
struct ShellTerminal: Sendable {
    /// Returns the size of the window; nil if standard output isn't a terminal.
    let size: @Sendable () -> Pager.Size?
    /// Runs a shell command that reads a text, and returns its exit code.
    let page: @Sendable (_ text: String, _ command: String) -> Int32
    /// Runs a shell command, and returns its exit code.
    let run: @Sendable (_ command: String) -> Int32
    let interrupts: ShellInterrupts
    /// Creates a reader of lines, with editing if the program has it and the terminal supports it.
    let makeReader: @Sendable (_ output: Output, _ variables: [String: String]) -> any ShellReader

    /// The exit code of a command that the shell can't find.
    static let commandNotFound: Int32 = 127

    /// The terminal of this process.
    static let process = ShellTerminal(
        size: {
            var size = winsize()
            guard isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
                size.ws_row > 0, size.ws_col > 0
            else { return nil }
            return Pager.Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
        },
        page: { text, command in
            ShellInterrupts.forProgram {
                guard let pipe = popen(command, "w") else { return commandNotFound }
                var text = text
                // Writing fails after the user has quit the pager, which is no error.
                _ = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, pipe) }
                return exitCode(of: pclose(pipe))
            }
        },
        // system() ignores Ctrl-C while the program runs, which gets it.
        run: { exitCode(of: system($0)) },
        interrupts: .process,
        makeReader: { output, variables in
            #if LineEditing
            if isatty(STDOUT_FILENO) != 0, !["", "dumb"].contains(variables["TERM"] ?? ""),
                let reader = EditLine(limit: HistoryPolicy.limit, interrupts: .process)
            {
                return reader
            }
            #endif
            return TerminalReader(output: output, interrupts: .process)
        })

    /// Returns the exit code in a status of `waitpid`, or 128 and the signal that ended the program, as a shell does.
    private static func exitCode(of status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Reads lines from a terminal that does the editing itself, which is little more than deleting the last character.
///
/// State: what was read after the last line; used by one thread.
final class TerminalReader: ShellReader {
    private let output: Output
    private let interrupts: ShellInterrupts
    private var bytes: [UInt8] = []
    /// The interval, in milliseconds, at which a press of Ctrl-C is noticed in any case.
    private static let checkInterval: Int32 = 250

    init(output: Output, interrupts: ShellInterrupts) {
        self.output = output
        self.interrupts = interrupts
    }

    func next(prompt: String, complete: @escaping (String) -> CompletionAction) -> ShellLine {
        output.message(prompt)
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeSubrange(...end) }
                return .text(String(decoding: bytes[..<end], as: UTF8.self))
            }
            if isInterrupted() {
                // The terminal discards what was typed.
                bytes = []
                output.message("\n")
                return .interrupted
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 || errno != EINTR {
                // Ctrl-D, or an error such as that of a closed terminal.
                defer { bytes = [] }
                return bytes.isEmpty ? .end : .text(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// Waits until there is something to read; returns whether Ctrl-C was pressed before.
    ///
    /// `readLine` would continue to read after a signal. A read here could miss one that arrives just before it, so it only reads what is
    /// there already.
    private func isInterrupted() -> Bool {
        while true {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let count = poll(&input, 1, Self.checkInterval)
            if interrupts.consume() { return true }
            if count > 0 || count < 0 && errno != EINTR { return false }
        }
    }

    func recall(_ input: String) {}
}
