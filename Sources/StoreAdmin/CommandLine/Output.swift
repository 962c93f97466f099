import Foundation

/// Where what the tool says goes: data to one side, messages to the other.
struct Output: Sendable {
    /// Takes data, for standard output.
    let data: @Sendable (String) throws -> Void
    /// Takes messages and problems, for standard error.
    let message: @Sendable (String) -> Void
    /// How text looks on standard output.
    var style = TextStyle()
    /// How text looks on standard error.
    var messageStyle = TextStyle()
    /// Whether messages that are no errors are wanted.
    var isQuiet = false

    /// The output with the name of the program that runs in the commands that its messages advise.
    func naming(_ tool: Tool) -> Output {
        Output(
            data: data, message: { [message] in message(tool.named($0)) }, style: style,
            messageStyle: messageStyle, isQuiet: isQuiet)
    }

    /// Says something that is no data.
    func note(_ text: String) {
        if !isQuiet { message(text + "\n") }
    }
}

extension Output {
    /// This process's standard output and standard error.
    static func process(_ variables: [String: String], wantsColour: Bool) -> Output {
        Output(
            data: { text in try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) },
            message: { text in try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) },
            style: style(STDOUT_FILENO, variables, wantsColour),
            messageStyle: style(STDERR_FILENO, variables, wantsColour))
    }

    private static func style(
        _ descriptor: Int32, _ variables: [String: String], _ wantsColour: Bool
    ) -> TextStyle {
        let isTerminal = isatty(descriptor) != 0
        return TextStyle(
            hasColour: TextStyle.hasColour(isTerminal: isTerminal, wantsColour: wantsColour, variables),
            width: isTerminal ? variables["COLUMNS"].flatMap { Int($0) } ?? Self.columns(descriptor) : nil)
    }

    /// The width of a terminal's window, as it says itself.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
