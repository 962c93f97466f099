import Testing

@testable import StoreAdmin

/// When a live view reads the store.
struct LiveScheduleTests {
    private let start = ContinuousClock.now
    private let intervals = LiveSchedule.Intervals()

    private func opened() -> LiveSchedule {
        var schedule = LiveSchedule(intervals, at: start)
        #expect(schedule.step(at: start) == .open)
        schedule.recordOpening(at: start)
        return schedule
    }

    @Test func `Saves are read often, the activity rarely`() {
        var schedule = opened()
        #expect(schedule.step(at: start) == .readSaves)
        schedule.recordSaves(hasMore: false, at: start)
        #expect(schedule.step(at: start) == .readActivity)
        schedule.recordActivity(at: start)
        let next = start + intervals.saves
        #expect(schedule.step(at: start) == .wait(until: next))
        #expect(schedule.step(at: next) == .readSaves)
        schedule.recordSaves(hasMore: false, at: next)
        #expect(schedule.step(at: next) == .wait(until: next + intervals.saves))
    }

    @Test func `Endless saves don't keep the activity from being read`() {
        var schedule = opened()
        var steps: [LiveSchedule.Step] = []
        for second in 0..<10 {
            let now = start + .milliseconds(second * 500)
            let step = schedule.step(at: now)
            steps.append(step)
            switch step {
            case .readSaves: schedule.recordSaves(hasMore: true, at: now)
            case .readActivity: schedule.recordActivity(at: now)
            default: break
            }
        }
        #expect(steps.count { $0 == .readActivity } == 3)
        #expect(steps.count { $0 == .readSaves } == 7)
    }

    @Test func `A store that can't be opened is tried again with growing delays`() {
        var schedule = LiveSchedule(intervals, at: start)
        var (now, delays) = (start, [Duration]())
        for _ in 0..<7 {
            #expect(schedule.step(at: now) == .open)
            guard let delay = schedule.recordFailure(at: now) else {
                Issue.record("A failed opening needs a delay.")
                return
            }
            #expect(schedule.step(at: now) == .wait(until: now + delay))
            delays.append(delay)
            now += delay
        }
        #expect(delays == [0.5, 1, 2, 4, 8, 10, 10].map { .seconds($0) })
    }

    @Test func `A store that has worked for a while is opened again at once`() {
        var schedule = opened()
        // Right after it was opened, an error is reported, so that a store that always fails isn't opened again and again.
        #expect(schedule.recordFailure(at: start + .seconds(1)) == intervals.firstRetry)
        schedule.recordOpening(at: start + .seconds(2))
        #expect(schedule.recordFailure(at: start + .seconds(3)) == intervals.firstRetry * 2)
        schedule.recordOpening(at: start + .seconds(10))
        let later = start + .seconds(10) + intervals.trial
        #expect(schedule.recordFailure(at: later) == nil)
        #expect(schedule.step(at: later) == .open)
        #expect(schedule.recordFailure(at: later) == intervals.firstRetry)
    }
}
