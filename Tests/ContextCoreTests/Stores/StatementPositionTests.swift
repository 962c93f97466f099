import Testing

@testable import ContextCore

struct StatementPositionTests {
    private let statement = "SELECT '日本',\r\n  titel\nFROM game"

    @Test func `A position is a line and a column in Unicode scalars`() throws {
        let offset = try #require(statement.firstRange(of: "titel")?.lowerBound)
        let bytes = statement[..<offset].utf8.count
        let position = try #require(StatementPosition(in: statement, byteOffset: bytes))
        #expect(position.line == 2 && position.column == 3)
        #expect(position.text == "  titel" && position.lineCount == 3)
        let scalars = statement[..<offset].unicodeScalars.count
        #expect(StatementPosition(in: statement, scalarOffset: scalars) == position)
    }

    @Test func `The text of a line has no line ending`() throws {
        let first = try #require(StatementPosition(in: statement, scalarOffset: 8))
        #expect(first.line == 1 && first.column == 9 && first.text == "SELECT '日本',")
        let last = try #require(StatementPosition(in: statement, byteOffset: statement.utf8.count))
        #expect(last.line == 3 && last.column == 10 && last.text == "FROM game")
        #expect(StatementPosition(in: "a", scalarOffset: 0)?.lineCount == 1)
    }

    @Test func `A position outside of the statement is none`() {
        #expect(StatementPosition(in: "a", scalarOffset: -1) == nil)
        #expect(StatementPosition(in: "a", byteOffset: -1) == nil)
        #expect(StatementPosition(in: "a", byteOffset: 2) == nil)
    }
}
