import ContextCore
import Testing

@testable import StoreAdmin

struct TextTests {
    private func table(_ rows: [[String]]) -> TextTable {
        var table = TextTable([
            .init(name: "name"), .init(name: "n", isRightAligned: true), .init(name: "rest"),
        ])
        for row in rows { table.append(row) }
        return table
    }

    @Test func `Columns are aligned, and lines end with their text`() {
        #expect(
            table([["Ann", "12", ""], ["Bo", "7", "x"]]).text(TextStyle()) == """
                name   n  rest
                ────  ──  ────
                Ann   12
                Bo     7  x

                """)
    }

    @Test func `Wide letters take two cells, and combining ones none`() {
        #expect(DisplayWidth.columnCount("日本") == 4)
        #expect(DisplayWidth.columnCount("e\u{301}") == 1)
        #expect(DisplayWidth.columnCount("👩‍👩‍👧") == 2)
        #expect(DisplayWidth.truncated("日本語", to: 5) == "日本…")
        #expect(DisplayWidth.truncated("abc", to: 3) == "abc")
    }

    @Test(
        arguments: [
            ("SELECT titel", 8, ["SELECT titel", "       ^"]),
            ("SELECT '日本', x", 14, ["SELECT '日本', x", "               ^"]),
            ("a\tb\u{1B}c", 3, ["a b c", "  ^"]), ("ab", 3, ["ab", "  ^"]), ("", 1, ["", "^"]),
            ("e\u{301}x", 3, ["e\u{301}x", " ^"]),
        ] as [(String, Int, [String])])
    func `A caret is below its character`(text: String, column: Int, lines: [String]) {
        #expect(MarkedLine(text: text, column: column).lines() == lines)
    }

    @Test(arguments: [1, 40, 300, 599, 600, 601])
    func `A long line is cut around its caret`(column: Int) throws {
        let text = (0..<600).map { "\($0 % 10)" }.joined()
        let lines = MarkedLine(text: text, column: column).lines(width: 60)
        #expect(lines[0].count <= 60)
        let place = lines[1].count - 1
        let shown = lines[0].dropFirst(place).first
        #expect(shown == (column > 600 ? nil : Character("\((column - 1) % 10)")))
        #expect(lines[0].hasPrefix("…") == (column > 40))
        #expect(lines[0].hasSuffix("…") == (column < 599))
    }

    @Test func `Control characters in a value are escaped`() {
        #expect(TextTable.escapingControlCharacters("a\nb\tc\u{1B}[2J\u{7F}") == "a\\nb\\tc\\u{1b}[2J\\u{7f}")
    }

    @Test func `If a line is too long, the widest column is truncated`() {
        let text = table([["Ann", "12", String(repeating: "x", count: 90)]]).text(TextStyle(width: 40))
        #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.columnCount(String($0)) <= 40 })
        #expect(text.contains("Ann   12  xxx"))
        #expect(text.contains("…"))
    }

    @Test(
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (20_000_000, "19 MiB"),
            (5_000_000_000_000, "4.5 TiB"),
        ] as [(Int64, String)])
    func `Sizes are in the unit with the fewest digits`(bytes: Int64, text: String) {
        #expect(Quantity.bytes(bytes) == text)
    }

    @Test func `Numbers have groups, and bars are proportional`() {
        #expect(Quantity.count(1_234_567) == "1,234,567")
        #expect(Quantity.count(-12) == "-12")
        #expect(Quantity.count(999) == "999")
        #expect(Quantity.bar(1, of: 2, width: 4) == "██")
        #expect(Quantity.bar(1, of: 1_000_000, width: 4) == "▏")
        #expect(Quantity.bar(0, of: 5) == "")
        #expect(Quantity.text(1, "entity", "entities") == "1 entity")
    }

    @Test func `Rows become CSV and Markdown without losses`() {
        var rows = RowSet([.init("a b", key: "ab"), .init("n", isRightAligned: true)])
        rows.append([.string("x,\"y\"\nz|"), .count(1000)])
        rows.append([.none, .flag(false)])
        #expect(rows.commaSeparated == "ab,n\r\n\"x,\"\"y\"\"\nz|\",1000\r\n,false\r\n")
        #expect(rows.markdown == "| a b | n |\n| --- | --: |\n| x,\"y\"\\nz\\| | 1,000 |\n|  |  |\n")
        #expect(rows.documents.map(\.text) == [#"{"ab":"x,\"y\"\nz|","n":1000}"#, #"{"ab":null,"n":false}"#])
    }
}
