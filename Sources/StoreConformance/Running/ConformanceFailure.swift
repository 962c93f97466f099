/// The error of a conformance case whose expectation isn't met.
public struct ConformanceFailure: Error, Sendable {
    /// What was expected and what was found.
    public let message: String
    /// The file of the expectation, with its module.
    public let file: String
    /// The line of the expectation.
    public let line: Int

    init(_ message: String, file: String, line: Int) {
        self.message = message
        self.file = file
        self.line = line
    }
}

extension ConformanceFailure: CustomStringConvertible {
    /// The message, followed by the file and line of the expectation.
    public var description: String { "\(message) (\(file):\(line))" }
}
