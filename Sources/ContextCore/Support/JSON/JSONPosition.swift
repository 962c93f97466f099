/// A line and column of a text; both start at 1, and columns count Unicode scalars.
package struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line.
    package var line: Int
    /// The column.
    package var column: Int

    /// Makes a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The line and column in the format of compilers: `3:14`.
    package var description: String { "\(line):\(column)" }
}

extension JSONPosition: Comparable {
    package static func < (left: JSONPosition, right: JSONPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
