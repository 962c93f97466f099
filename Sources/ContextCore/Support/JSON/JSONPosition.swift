/// A place in a text, as editors count: both numbers begin at 1, and columns count Unicode scalars.
package struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line.
    package var line: Int
    /// The column.
    package var column: Int

    /// Names a place.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Gives line and column, as compilers do: `3:14`.
    package var description: String { "\(line):\(column)" }
}

extension JSONPosition: Comparable {
    package static func < (left: JSONPosition, right: JSONPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
