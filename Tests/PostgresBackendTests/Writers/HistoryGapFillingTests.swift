#if Postgres
import Testing

@testable import PostgresBackend

struct HistoryGapFillingTests {
    private let start = ContinuousClock.now
    private var upkeep = HistoryGapFilling()

    private func clock(_ end: Int64, newest: Int64, isFirst: Bool = false) -> ClockReading {
        ClockReading(
            end: end, unsettled: newest > end ? [newest] : [], base: 0, isFirst: isFirst, transaction: nil)
    }

    @Test mutating func `A gap that has just appeared is not filled`() {
        upkeep.see(clock(4, newest: 6), at: start)
        #expect(upkeep.next(at: start) == nil)
        upkeep.see(clock(6, newest: 6), at: start + .milliseconds(100))
        #expect(upkeep.next(at: start + .seconds(60)) == nil)
    }

    @Test mutating func `A gap that stays is filled, together with others of the same age`() {
        upkeep.see(clock(4, newest: 8), at: start)
        upkeep.see(clock(4, newest: 90), at: start + .milliseconds(150))
        #expect(upkeep.next(at: start + .milliseconds(199)) == nil)
        #expect(upkeep.next(at: start + .milliseconds(200)) == .fill(5...8))
    }

    @Test mutating func `Failed attempts are repeated at growing intervals`() {
        upkeep.see(clock(4, newest: 5), at: start)
        var tries: [Int] = []
        for second in 0..<200 {
            upkeep.see(clock(4, newest: 5), at: start + .seconds(second))
            if upkeep.next(at: start + .seconds(second)) != nil { tries.append(second) }
        }
        #expect(tries == [1, 2, 3, 5, 9, 16, 29, 55, 107, 167])
    }

    @Test mutating func `Each gap starts a new wait`() {
        upkeep.see(clock(4, newest: 6), at: start)
        upkeep.see(clock(6, newest: 9), at: start + .milliseconds(190))
        #expect(upkeep.next(at: start + .milliseconds(210)) == nil)
        #expect(upkeep.next(at: start + .milliseconds(390)) == .fill(7...9))
    }

    @Test mutating func `The end is recorded once in ten thousand records`() {
        upkeep.see(clock(9000, newest: 9000, isFirst: true), at: start)
        #expect(upkeep.next(at: start) == nil)
        upkeep.see(clock(10_000, newest: 10_000), at: start)
        #expect(upkeep.next(at: start) == .recordEnd(10_000))
        #expect(upkeep.next(at: start) == nil)
        upkeep.see(clock(19_999, newest: 19_999), at: start)
        #expect(upkeep.next(at: start) == nil)
    }

    @Test mutating func `A program that only inserts checks for gaps after others' saves`() {
        upkeep.see(clock(4, newest: 4), at: start)
        upkeep.see(saved: [5, 6], at: start)
        #expect(upkeep.next(at: start + .seconds(1)) == nil)
        upkeep.see(saved: [9], at: start)
        #expect(upkeep.next(at: start + .milliseconds(199)) == nil)
        #expect(upkeep.next(at: start + .milliseconds(200)) == .look)
        #expect(upkeep.next(at: start + .seconds(1)) == nil)
    }

    @Test mutating func `After a failover, the recorded end is at most the one seen before`() {
        upkeep.see(clock(15_000, newest: 15_002), at: start)
        upkeep.see(clock(12_000, newest: 12_000), at: start)
        #expect(upkeep.next(at: start + .seconds(1)) == .recordEnd(12_000))
    }

    @Test mutating func `A read-only program fills no gaps`() {
        upkeep.see(clock(4, newest: 6), at: start)
        upkeep.stop()
        #expect(upkeep.next(at: start + .seconds(1)) == nil)
    }
}
#endif
