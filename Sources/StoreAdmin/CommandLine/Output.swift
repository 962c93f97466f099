import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The destinations of the tool's output: one for data, one for messages.
struct Output: Sendable {
    /// Writes data to standard output.
    let data: @Sendable (String) throws -> Void
    /// Writes a message or an error to standard error.
    let message: @Sendable (String) -> Void
    /// The style of text on standard output.
    var style = TextStyle()
    /// The style of text on standard error.
    var messageStyle = TextStyle()
    /// Whether to suppress messages other than errors.
    var isQuiet = false

    /// Returns an output that replaces `storectl` with the program's name in the commands that messages suggest.
    func naming(_ tool: Tool) -> Output {
        Output(
            data: data, message: { [message] in message(tool.withProgramName($0)) }, style: style,
            messageStyle: messageStyle, isQuiet: isQuiet)
    }

    /// Writes a line to standard error unless the output is quiet.
    func info(_ text: String) {
        if !isQuiet { message(text + "\n") }
    }
}

extension Output {
    /// Returns this process's standard output and standard error.
    static func process(_ variables: [String: String], wantsColor: Bool) -> Output {
        Output(
            data: { text in try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) },
            message: { text in try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) },
            style: style(STDOUT_FILENO, variables, wantsColor),
            messageStyle: style(STDERR_FILENO, variables, wantsColor))
    }

    private static func style(
        _ descriptor: Int32, _ variables: [String: String], _ wantsColor: Bool
    ) -> TextStyle {
        let isTerminal = isatty(descriptor) != 0
        return TextStyle(
            hasColor: TextStyle.hasColor(isTerminal: isTerminal, wantsColor: wantsColor, variables),
            width: isTerminal ? variables["COLUMNS"].flatMap { Int($0) } ?? Self.columns(descriptor) : nil)
    }

    /// Returns the number of columns of the terminal's window.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
