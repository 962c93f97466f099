import ContextCore

/// Chooses the number of rows per batch by the size of the previous rows, to limit memory.
struct BatchSizer {
    /// The number of rows in the first batch, when their size is unknown.
    private static let first = 64
    /// The target size of a batch in bytes of text and data, estimated from the previous batch.
    private static let bytes = 64 * 1024 * 1024

    private let maxBatchSize: Int
    /// The number of rows in the next batch.
    private(set) var count: Int

    init(maxBatchSize: Int) {
        self.maxBatchSize = maxBatchSize
        count = min(maxBatchSize, Self.first)
    }

    /// Records the size of a batch, and adapts the number of rows.
    mutating func recordBatch(rows: Int, bytes: Int) {
        let fitting = bytes == 0 ? maxBatchSize : Int(Double(Self.bytes) / Double(bytes) * Double(rows))
        count = max(1, min(fitting, count * 8, maxBatchSize))
    }

    /// Reads a batch, with fewer rows if the backend refuses it as too large.
    ///
    /// - Parameters:
    ///   - left: The number of remaining rows.
    ///   - read: Reads a number of rows, and returns their size in bytes.
    /// - Returns: The number of rows that were read.
    mutating func read(of left: Int, _ read: (Int) throws -> Int) throws -> Int {
        while true {
            let count = min(count, left)
            do {
                recordBatch(rows: count, bytes: try read(count))
                return count
            } catch let error as StoreError where error.code == .unsupportedRequest && count > 1 {
                self.count = max(1, count / 4)
            }
        }
    }
}

extension ReadSession {
    /// Reads rows of an entity in batches of limited size.
    ///
    /// - Parameters:
    ///   - maxBatchSize: The maximum number of rows per batch.
    ///   - body: Receives the requested keys and the found rows of each batch.
    func forEachBatch(
        of keys: [Int64], entityIndex: Int, maxBatchSize: Int = KeyChunks.defaultSize,
        _ body: ([Int64], RowBatch) throws -> Void
    ) throws {
        var batchSizer = BatchSizer(maxBatchSize: maxBatchSize)
        var start = 0
        while start < keys.count {
            var found: (keys: [Int64], rows: RowBatch)?
            start += try batchSizer.read(of: keys.count - start) { count in
                let part = Array(keys[start..<start + count])
                let rows = try rows(part, entityIndex: entityIndex)
                found = (part, rows)
                return rows.heapSize
            }
            if let found { try body(found.keys, found.rows) }
        }
    }
}
