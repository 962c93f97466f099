#if Postgres
import Testing

@testable import PostgresBackend

/// Parsing of rows that the server streams in binary format.
struct CopiedRowTests {
    private func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes
    }

    private func row(_ values: [[UInt8]?]) -> [UInt8] {
        values.reduce(number(Int16(values.count))) { row, value in
            row + number(Int32(value?.count ?? -1)) + (value ?? [])
        }
    }

    /// Returns the bytes that the parser reads from each piece; nil if it rejects one.
    private func read(_ pieces: [[UInt8]]) -> [[[UInt8]?]]? {
        var copied = CopiedRow(width: 2)
        var rows: [[[UInt8]?]] = []
        var last: CopiedRow.Content?
        for piece in pieces {
            last = piece.withUnsafeBytes { bytes in
                let content = copied.read(bytes)
                if content == .row {
                    rows.append((0..<2).map { copied.isNull($0) ? nil : Array(copied.value($0)) })
                }
                return content
            }
            if last == nil { return nil }
        }
        return last == .end ? rows : nil
    }

    private let beginning = CopyFormat.beginning

    @Test func `Values, nulls and empty values are distinguished`() {
        let rows: [[[UInt8]?]] = [[[1, 2, 3], nil], [[], [9]], [nil, []]]
        let pieces = [beginning + row(rows[0]), row(rows[1]), row(rows[2]), CopyFormat.end]
        #expect(read(pieces) == rows)
    }

    @Test func `An empty result is a trailer after a header, which may have an extension`() {
        #expect(read([beginning + CopyFormat.end]) == [])
        #expect(read([beginning, row([[1], [2]]), CopyFormat.end]) == [[[1], [2]]])
        let longer = CopyFormat.signature + number(Int32(0)) + number(Int32(3)) + [7, 7, 7]
        #expect(read([longer + row([[1], [2]]), CopyFormat.end]) == [[[1], [2]]])
    }

    @Test func `Invalid rows are rejected`() {
        let good = beginning + row([[1, 2, 3, 4, 5, 6, 7, 8], [2]])
        #expect(read([good, CopyFormat.end]) != nil)
        // Truncated and extended rows are rejected.
        for length in 0..<good.count where length != beginning.count {
            #expect(read([Array(good[..<length]), CopyFormat.end]) == nil)
        }
        #expect(read([good + [0], CopyFormat.end]) == nil)
        #expect(read([good, CopyFormat.end + [0]]) == nil)
        #expect(read([good, CopyFormat.end, row([[1], [2]])]) == nil)
        // So are another number of values, and a missing signature.
        #expect(read([beginning + row([[1]]), CopyFormat.end]) == nil)
        #expect(read([beginning + row([[1], [2], [3]]), CopyFormat.end]) == nil)
        #expect(read([row([[1], [2]]), CopyFormat.end]) == nil)
        #expect(read([beginning + number(Int16(-2))]) == nil)
    }
}
#endif
