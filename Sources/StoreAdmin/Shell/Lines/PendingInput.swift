/// The lines of an input that isn't complete yet.
struct PendingInput: Sendable, Equatable {
    private var text: String?

    /// Why the next line continues the input; nil if it starts a new one.
    var continuation: InputScan.Continuation? {
        text.map { InputScan($0).continuation ?? .backslash }
    }

    /// Adds a line, and returns the input if it is complete now.
    ///
    /// A backslash at the end of a line is removed. An empty line ends the input even if a quote or a bracket is open, so that a user
    /// who mistyped one sees the error.
    mutating func append(_ line: String) -> String? {
        if text != nil, line.trimmingSpaces.isEmpty { return remove() }
        let joined = text(before: line)
        guard let continuation = InputScan(joined).continuation else {
            text = nil
            return joined
        }
        text = continuation == .backslash ? String(joined.dropLast()) : joined
        return nil
    }

    /// Removes and returns the incomplete input; nil if there is none.
    mutating func remove() -> String? {
        defer { text = nil }
        return text
    }

    /// Returns the whole input before the cursor in the next line.
    func text(before part: String) -> String { text.map { $0 + "\n" + part } ?? part }
}
