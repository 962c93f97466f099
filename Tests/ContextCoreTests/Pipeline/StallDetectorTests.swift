import Testing

@testable import ContextCore

struct StallDetectorTests {
    private func progress(_ turn: UInt64, requests: UInt64 = 0, time: Duration? = .zero) -> [ContextProgress]
    {
        [ContextProgress(turn: turn, requests: requests, processorTime: time)]
    }

    /// Returns the number of equal observations after which a detector reports that the context is stalled.
    private func count(_ detector: StallDetector, of progress: [ContextProgress]?) -> Int? {
        var detector = detector
        return (1...100).first { _ in detector.isStalled(progress) }
    }

    @Test func `A context is stalled after ten observations without progress`() {
        let detector = StallDetector(.seconds(10), earlierStall: nil, first: progress(1))
        #expect(count(detector, of: progress(1)) == 10)
        #expect(detector.interval == .seconds(1))
    }

    @Test func `Another job, a request and processor time are progress`() {
        for other in [progress(2), progress(1, requests: 1), progress(1, time: .nanoseconds(1))] {
            var detector = StallDetector(.seconds(10), earlierStall: nil, first: progress(1))
            for _ in 1..<detector.observations {
                let isStalled = detector.isStalled(progress(1))
                #expect(!isStalled)
            }
            let isStalled = detector.isStalled(other)
            #expect(!isStalled)
            #expect(count(detector, of: other) == 10)
        }
    }

    @Test func `A context that uses the store is never stalled`() {
        let detector = StallDetector(.seconds(10), earlierStall: nil, first: nil)
        #expect(count(detector, of: nil) == nil)
        #expect(count(detector, of: progress(1)) == 11)
    }

    @Test func `A context that stays stalled is detected quickly`() {
        let known = StallDetector(.seconds(10), earlierStall: progress(1), first: progress(1))
        #expect(count(known, of: progress(1)) == 1)
        #expect(known.interval == .milliseconds(100))
        var other = StallDetector(.seconds(10), earlierStall: progress(1), first: progress(2))
        #expect(count(other, of: progress(2)) == 10)
        #expect(!other.isAtEarlierStall && other.interval == .seconds(1))
        let isStalled = other.isStalled(nil)
        #expect(!isStalled)
    }

    @Test func `The longest limit has observations that the system can wait for`() {
        let longest = StallDetector(.seconds(Int64.max), earlierStall: nil, first: progress(1))
        #expect(longest.interval <= .seconds(360))
    }

    @Test func `A limit of hours is supported`() {
        let detector = StallDetector(.seconds(7200), earlierStall: nil, first: progress(1))
        #expect(detector.interval == .seconds(360))
        #expect(count(detector, of: progress(1)) == 20)
    }

    @Test func `A store needs a positive limit`() {
        let error = #expect(throws: StoreError.self) {
            try Store.inMemory([Remark.self], options: StoreOptions(deadlockTimeout: .zero))
        }
        #expect(error?.code == .configuration)
        #expect(error?.remedy == "Pass a longer time, or nil for no limit.")
    }
}
