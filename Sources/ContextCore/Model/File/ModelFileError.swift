/// An error with all problems of a model file and their positions.
public struct ModelFileError: Error, Sendable, Hashable {
    /// One problem.
    public struct Problem: Sendable, Hashable {
        /// The line, from 1.
        public let line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// A text that says what is wrong and how to fix it.
        public let message: String

        init(_ message: String, at position: JSONPosition) {
            line = position.line
            column = position.column
            self.message = message
        }
    }

    /// The file's name, for messages.
    public let fileName: String
    /// The problems, sorted by position; at least one.
    public let problems: [Problem]

    init(fileName: String, problems: [Problem]) {
        self.fileName = fileName
        self.problems = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

extension ModelFileError: CustomStringConvertible {
    /// The problems, one per line, in the format of compilers: `V2.model.json:3:14: …`.
    public var description: String {
        problems.map { "\(fileName):\($0.line):\($0.column): \($0.message)" }.joined(separator: "\n")
    }
}
