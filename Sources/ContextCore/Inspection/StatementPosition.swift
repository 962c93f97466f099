/// The place of an error in a statement of a user.
///
/// It is the cause of the error that ``StoreInspector/run(_:writing:limit:)`` throws, if the database says where it found the error.
package struct StatementPosition: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int
    /// The text of the line.
    package let text: String
    /// The number of lines of the statement.
    package let lineCount: Int

    /// Creates the position after a number of Unicode scalars; nil if the statement is shorter.
    package init?(in statement: String, scalarOffset offset: Int) {
        let scalars = Array(statement.unicodeScalars)
        guard (0...scalars.count).contains(offset) else { return nil }
        let before = scalars[..<offset]
        let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        let end = scalars[offset...].firstIndex(of: "\n") ?? scalars.count
        var line = scalars[start..<end]
        if line.last == "\r" { line.removeLast() }
        self.line = 1 + before.count { $0 == "\n" }
        column = 1 + offset - start
        text = String(String.UnicodeScalarView(line))
        lineCount = 1 + scalars.count { $0 == "\n" }
    }

    /// Creates the position after a number of UTF-8 bytes; nil if the statement is shorter.
    package init?(in statement: String, byteOffset offset: Int) {
        guard (0...statement.utf8.count).contains(offset) else { return nil }
        let scalarCount = statement.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
        self.init(in: statement, scalarOffset: scalarCount)
    }
}
