import Testing

@testable import SQLStore

struct BatchLimitTests {
    /// Processes objects that take the same time each, and returns the sizes of the batches and the number of objects that were read.
    private func work(
        _ count: Int, maximumObjects: Int = 1000, each: Duration
    ) -> (batches: [Int], read: Int) {
        var limit = BatchLimit(maximumObjects: maximumObjects)
        var (left, read) = (count, 0)
        var batches: [Int] = []
        while left > 0 {
            let found = min(left, limit.objects)
            var handled = 0
            while handled < found {
                handled += 1
                if each * handled >= BatchLimit.timeLimit { break }
            }
            read += found
            left -= handled
            batches.append(handled)
            limit.adjust(handled, of: found, in: each * handled)
        }
        return (batches, read)
    }

    @Test func `A quick stage soon has batches of the maximum size`() {
        let (batches, read) = work(10_000, each: .microseconds(10))
        #expect(batches.prefix(8) == [16, 32, 64, 128, 256, 512, 1000, 1000])
        #expect(read == 10_000)
    }

    @Test func `No batch exceeds the maximum size`() {
        #expect(work(100, maximumObjects: 5, each: .zero).batches.allSatisfy { $0 == 5 })
        #expect(work(3, maximumObjects: 1, each: .seconds(9)).batches == [1, 1, 1])
    }

    @Test func `A slow stage has batches that end at their size`() {
        let (batches, read) = work(300, each: .milliseconds(40))
        #expect(batches.prefix(3) == [13, 6, 6])
        // Only the first batch read objects that it didn't process.
        #expect(read == 300 + 3)
    }

    @Test func `An object of a very slow stage is a batch`() {
        let (batches, read) = work(20, each: .seconds(2))
        #expect(batches == Array(repeating: 1, count: 20))
        #expect(read == 20 + 15)
    }

    @Test func `Batches grow when a stage becomes quick, and shrink when it becomes slow`() {
        var limit = BatchLimit(maximumObjects: 1000)
        limit.adjust(1, of: 16, in: .seconds(1))
        #expect(limit.objects == 1)
        limit.adjust(1, of: 1, in: .zero)
        limit.adjust(2, of: 2, in: .milliseconds(1))
        #expect(limit.objects == 4)
        limit.adjust(4, of: 4, in: .seconds(1))
        #expect(limit.objects == 1)
    }

    @Test func `After a batch with too little memory, the next one has the size that fitted`() {
        var limit = BatchLimit(maximumObjects: 1000)
        for _ in 0..<6 { limit.adjust(limit.objects, of: limit.objects, in: .milliseconds(1)) }
        #expect(limit.objects == 1000)
        limit.adjust(12, of: 1000, in: .milliseconds(1))
        #expect(limit.objects == 12)
    }
}
