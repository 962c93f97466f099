import ContextCore

/// Decides how many rows to read at once: many small ones, few large ones.
///
/// A batch has room for four gigabytes, and a program that copies a store needs no more than a small part of that in memory.
struct RowPace {
    /// How many rows are read first, of which nobody knows how large they are.
    private static let first = 64
    /// How many bytes of text and data are read at once, as far as the rows before say what to expect.
    private static let bytes = 64 * 1024 * 1024

    private let most: Int
    /// How many rows to read next.
    private(set) var count: Int

    init(most: Int) {
        self.most = most
        count = min(most, Self.first)
    }

    /// Records how large rows were that were read.
    mutating func note(rows: Int, bytes: Int) {
        let fitting = bytes == 0 ? most : Int(Double(Self.bytes) / Double(bytes) * Double(rows))
        count = max(1, min(fitting, count * 8, most))
    }

    /// Reads the first rows of some that there is room for.
    ///
    /// - Parameter read: Reads so many rows, and answers how many bytes they took.
    /// - Returns: How many were read.
    mutating func read(of left: Int, _ read: (Int) throws -> Int) throws -> Int {
        while true {
            let count = min(count, left)
            do {
                note(rows: count, bytes: try read(count))
                return count
            } catch let error as StoreError where error.code == .unsupportedRequest && count > 1 {
                self.count = max(1, count / 4)
            }
        }
    }
}

extension ReadSession {
    /// Reads rows of an entity, as many at a time as there is room for.
    ///
    /// - Parameters:
    ///   - most: How many are read at once where they are small.
    ///   - body: Is given the keys that were asked for, and the rows that were found.
    func forEachBatch(
        of keys: [Int64], entityIndex: Int, most: Int = 1000, _ body: ([Int64], RowBatch) throws -> Void
    ) throws {
        var pace = RowPace(most: most)
        var start = 0
        while start < keys.count {
            var found: (keys: [Int64], rows: RowBatch)?
            start += try pace.read(of: keys.count - start) { count in
                let part = Array(keys[start..<start + count])
                let rows = try rows(part, entityIndex: entityIndex)
                found = (part, rows)
                return rows.heapSize
            }
            if let found { try body(found.keys, found.rows) }
        }
    }
}
