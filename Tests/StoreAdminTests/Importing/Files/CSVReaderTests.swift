import RandomSeeds
import Testing

@testable import StoreAdmin

struct CSVReaderTests {
    /// Parses a text in pieces, and returns the fields of its records; quoted ones are in brackets.
    private func records(
        _ text: String, piece: Int = 7, _ reader: CSVReader = CSVReader()
    ) throws -> [(line: Int, fields: [String])] {
        var reader = reader
        var found: [(line: Int, fields: [String])] = []
        let body = { (record: CSVReader.Record) in
            found.append((record.line, record.fields.map { $0.isQuoted ? "[\($0.text)]" : $0.text }))
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try reader.read(Array(bytes[start..<min(start + piece, bytes.count)]), body)
        }
        try reader.finish(body)
        return found
    }

    private func failure(_ text: String, _ reader: CSVReader = CSVReader()) -> CSVReader.Failure? {
        do {
            _ = try records(text, reader)
            return nil
        } catch { return error as? CSVReader.Failure }
    }

    @Test(arguments: 1...9) func `Records are the same however the file is cut`(piece: Int) throws {
        let text = "a,b\r\n\"1,\"\"x\"\"\",\r\n\n\"two\nlines\",é\"z\r3,\"\"\n,\n\"\""
        let found = try records(text, piece: piece)
        #expect(
            found.map(\.fields) == [
                ["a", "b"], ["[1,\"x\"]", ""], ["[two\nlines]", "é\"z"], ["3", "[]"], ["", ""], ["[]"],
            ])
        #expect(found.map(\.line) == [1, 2, 4, 6, 7, 8])
    }

    @Test func `Another character can separate fields`() throws {
        let found = try records("a;b,c\n\";\";2\n", CSVReader(delimiter: UInt8(ascii: ";")))
        #expect(found.map(\.fields) == [["a", "b,c"], ["[;]", "2"]])
    }

    @Test func `A file without records has none`() throws {
        for text in ["", "\n", "\r\n\r\n", "\r"] { #expect(try records(text).isEmpty) }
    }

    @Test func `Records that can't be parsed are errors with the line where they begin`() {
        #expect(failure("a\n\"b\n\nc") == .init(line: 2, reason: .unclosedQuote))
        #expect(failure("a\n\"b\"c\n") == .init(line: 2, reason: .textAfterQuote))
        #expect(failure("a,\"b\" ") == .init(line: 1, reason: .textAfterQuote))
    }

    @Test func `Records are limited in size`() throws {
        let small = CSVReader(limits: .init(recordBytes: 5, fields: 3))
        #expect(try records("ab,cd,e\nabcde\n", small).count == 2)
        #expect(failure("ab,cd,ef", small) == .init(line: 1, reason: .tooLong(limit: 5)))
        #expect(failure("x\n\"abcdef", small) == .init(line: 2, reason: .tooLong(limit: 5)))
        #expect(failure("a,b,c,d", small) == .init(line: 1, reason: .tooManyFields(limit: 3)))
    }

    @Test func `What is written is read again`() throws {
        var random = SeededRandom(seed: 7)
        let pieces = ["a", "\"", ",", "\n", "\r", "\r\n", " ", "é", "😀", "", ";", "\t", "\0"]
        for _ in 0..<2_000 {
            let rows = (0..<random.next(upTo: 4) + 1).map { _ in
                (0..<random.next(upTo: 4) + 1).map { _ in
                    (0..<random.next(upTo: 4)).map { _ in pieces[random.next(upTo: pieces.count)] }.joined()
                }
            }
            let text = rows.map { $0.map { CSVText.inQuotes($0) }.joined(separator: ",") + "\r\n" }.joined()
            let found = try records(text, piece: random.next(upTo: 9) + 1)
            #expect(found.map(\.fields) == rows.map { $0.map { "[\($0)]" } })
            let plain = rows.filter { $0 != [""] }
            let short = plain.map { $0.map { CSVText().field($0) }.joined(separator: ",") + "\n" }.joined()
            let read = try records(short).map {
                $0.fields.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
            }
            #expect(read == plain)
        }
    }

    @Test func `Separators and quotation marks are recognized under accents`() throws {
        let texts = ["\"\u{301}", "a,\u{301}b", "\r\n\u{301}", "\u{301}", "a\"\u{200D}"]
        let writer = CSVText()
        var reader = CSVReader()
        var fields: [String] = []
        try reader.read(Array(writer.record(texts.map(writer.field)).utf8)) { fields = $0.fields.map(\.text) }
        #expect(fields.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        var rows = RowSet([RowSet.Column("a")])
        rows.append([.string("\"\u{301}")])
        rows.append([.none])
        #expect(rows.commaSeparated.utf8.elementsEqual("a\r\n\"\"\"\u{301}\"\r\n\"\"\r\n".utf8))
    }

    @Test func `Any bytes are parsed or rejected, in the same way however they are cut`() {
        var random = SeededRandom(seed: 42)
        let alphabet = Array("ab,\"\"\n\r;\u{FF}é\0".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<random.next(upTo: 40)).map { _ in
                random.next(upTo: 10) == 0
                    ? UInt8(truncatingIfNeeded: random.next(upTo: 256))
                    : alphabet[random.next(upTo: alphabet.count)]
            }
            let whole = outcome(bytes, piece: 64)
            #expect(outcome(bytes, piece: random.next(upTo: 5) + 1) == whole, "\(bytes)")
        }
    }

    private enum Outcome: Equatable {
        case records([CSVReader.Record])
        case failure(CSVReader.Failure)
    }

    private func outcome(_ bytes: [UInt8], piece: Int) -> Outcome? {
        var reader = CSVReader(limits: .init(recordBytes: 30, fields: 8))
        var found: [CSVReader.Record] = []
        do {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                try reader.read(Array(bytes[start..<min(start + piece, bytes.count)])) { found.append($0) }
            }
            try reader.finish { found.append($0) }
            return .records(found)
        } catch { return (error as? CSVReader.Failure).map(Outcome.failure) }
    }
}

extension SeededRandom {
    /// Returns a number from 0 up to, but not including, a limit.
    mutating func next(upTo limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
