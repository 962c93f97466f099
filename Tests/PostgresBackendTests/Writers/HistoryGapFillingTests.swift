#if Postgres
import Testing

@testable import PostgresBackend

struct HistoryGapFillingTests {
    private let start = ContinuousClock.now
    private var gapFilling = HistoryGapFilling()

    private func clock(_ end: Int64, newest: Int64, isFirst: Bool = false) -> HistoryEnd {
        HistoryEnd(
            end: end, unsettled: newest > end ? [newest] : [], base: 0, isFirst: isFirst, transaction: nil)
    }

    @Test mutating func `A gap that has just appeared is not filled`() {
        gapFilling.update(with: clock(4, newest: 6), at: start)
        #expect(gapFilling.next(at: start) == nil)
        gapFilling.update(with: clock(6, newest: 6), at: start + .milliseconds(100))
        #expect(gapFilling.next(at: start + .seconds(60)) == nil)
    }

    @Test mutating func `A gap that stays is filled, together with others of the same age`() {
        gapFilling.update(with: clock(4, newest: 8), at: start)
        gapFilling.update(with: clock(4, newest: 90), at: start + .milliseconds(150))
        #expect(gapFilling.next(at: start + .milliseconds(199)) == nil)
        #expect(gapFilling.next(at: start + .milliseconds(200)) == .fill(5...8))
    }

    @Test mutating func `Failed attempts are repeated at growing intervals`() {
        gapFilling.update(with: clock(4, newest: 5), at: start)
        var tries: [Int] = []
        for second in 0..<200 {
            gapFilling.update(with: clock(4, newest: 5), at: start + .seconds(second))
            if gapFilling.next(at: start + .seconds(second)) != nil { tries.append(second) }
        }
        #expect(tries == [1, 2, 3, 5, 9, 16, 29, 55, 107, 167])
    }

    @Test mutating func `Each gap starts a new wait`() {
        gapFilling.update(with: clock(4, newest: 6), at: start)
        gapFilling.update(with: clock(6, newest: 9), at: start + .milliseconds(190))
        #expect(gapFilling.next(at: start + .milliseconds(210)) == nil)
        #expect(gapFilling.next(at: start + .milliseconds(390)) == .fill(7...9))
    }

    @Test mutating func `The end is recorded once in ten thousand records`() {
        gapFilling.update(with: clock(9000, newest: 9000, isFirst: true), at: start)
        #expect(gapFilling.next(at: start) == nil)
        gapFilling.update(with: clock(10_000, newest: 10_000), at: start)
        #expect(gapFilling.next(at: start) == .recordEnd(10_000))
        #expect(gapFilling.next(at: start) == nil)
        gapFilling.update(with: clock(19_999, newest: 19_999), at: start)
        #expect(gapFilling.next(at: start) == nil)
    }

    @Test mutating func `A program that only inserts checks for gaps after others' saves`() {
        gapFilling.update(with: clock(4, newest: 4), at: start)
        gapFilling.update(withSaved: [5, 6], at: start)
        #expect(gapFilling.next(at: start + .seconds(1)) == nil)
        gapFilling.update(withSaved: [9], at: start)
        #expect(gapFilling.next(at: start + .milliseconds(199)) == nil)
        #expect(gapFilling.next(at: start + .milliseconds(200)) == .readEnd)
        #expect(gapFilling.next(at: start + .seconds(1)) == nil)
    }

    @Test mutating func `After a failover, the recorded end is at most the one seen before`() {
        gapFilling.update(with: clock(15_000, newest: 15_002), at: start)
        gapFilling.update(with: clock(12_000, newest: 12_000), at: start)
        #expect(gapFilling.next(at: start + .seconds(1)) == .recordEnd(12_000))
    }

    @Test mutating func `A read-only program fills no gaps`() {
        gapFilling.update(with: clock(4, newest: 6), at: start)
        gapFilling.stop()
        #expect(gapFilling.next(at: start + .seconds(1)) == nil)
    }
}
#endif
