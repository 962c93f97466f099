import ContextCore
import Testing

@testable import StoreAdmin

struct BatchSizerTests {
    @Test func `Small rows are soon read by the thousand, large ones one by one`() throws {
        var batchSizer = BatchSizer(maxBatchSize: 2000)
        var read: [Int] = []
        for _ in 0..<4 { read.append(try batchSizer.read(of: 5000) { $0 * 100 }) }
        #expect(read == [64, 512, 2000, 2000])
        #expect(try batchSizer.read(of: 7) { $0 * 1_000_000 } == 7)
        // Sixty-four megabytes, of rows of one megabyte each.
        #expect(try batchSizer.read(of: 5000) { $0 * 1_000_000 } == 67)
        #expect(try batchSizer.read(of: 5000) { $0 * 500_000_000 } == 67)
        #expect(try batchSizer.read(of: 5000) { $0 * 500_000_000 } == 1)
    }

    @Test func `Rows that exceed a batch are read in smaller numbers`() throws {
        let overfull = StoreError(
            .unsupportedRequest, "A fetch or save exceeds 4 GiB of strings and data.")
        var batchSizer = BatchSizer(maxBatchSize: 2000)
        var tried: [Int] = []
        let count = try batchSizer.read(of: 5000) { count in
            tried.append(count)
            if count > 3 { throw overfull }
            return count
        }
        #expect(tried == [64, 16, 4, 1])
        #expect(count == 1)
        // A row without enough space is an error.
        #expect(throws: StoreError.self) {
            var batchSizer = BatchSizer(maxBatchSize: 1)
            _ = try batchSizer.read(of: 5) { _ in throw overfull }
        }
    }
}
