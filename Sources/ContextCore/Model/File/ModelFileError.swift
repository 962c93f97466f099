/// Tells everything that is wrong with a model file, each with its place.
public struct ModelFileError: Error, Sendable, Hashable {
    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable {
        /// The line, from 1.
        public let line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// Says what is wrong and what to do.
        public let message: String

        init(_ message: String, at position: JSONPosition) {
            line = position.line
            column = position.column
            self.message = message
        }
    }

    /// The file's name, for messages.
    public let fileName: String
    /// The problems in the order of their places; at least one.
    public let problems: [Problem]

    init(fileName: String, problems: [Problem]) {
        self.fileName = fileName
        self.problems = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

extension ModelFileError: CustomStringConvertible {
    /// Lists the problems, one a line, as compilers do: `V2.model.json:3:14: …`.
    public var description: String {
        problems.map { "\(fileName):\($0.line):\($0.column): \($0.message)" }.joined(separator: "\n")
    }
}
