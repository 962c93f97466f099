#if Postgres
import RandomSeeds
import Testing

@testable import PostgresBackend

/// The time that a connection waits for a result.
struct ResultWaitTests {
    private let start = ContinuousClock.now

    private func watch(isCancellable: Bool = false, canInquire: Bool = true) -> ResultWait {
        ResultWait(
            timeout: .seconds(10), isCancellable: isCancellable, canInquire: canInquire, at: start)
    }

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `A silent server is probed, and given up if it does nothing`() {
        var watch = watch()
        #expect(watch.next(at: start, isCancelled: false) == .wait(.seconds(10)))
        #expect(watch.next(at: after(4), isCancelled: false) == .wait(.seconds(6)))
        #expect(watch.next(at: after(10), isCancelled: false) == .inquire)
        watch.recordInquiry(isWorking: false, at: after(11))
        #expect(watch.next(at: after(11), isCancelled: false) == .wait(.seconds(1)))
        #expect(watch.next(at: after(12), isCancelled: false) == .giveUp)
    }

    @Test func `A connection waits as long as the server works`() {
        var watch = watch()
        for round in 1...100 {
            let now = after(Double(round) * 10)
            #expect(watch.next(at: now, isCancelled: false) == .inquire)
            watch.recordInquiry(isWorking: true, at: now)
            #expect(watch.next(at: now, isCancelled: false) == .wait(.seconds(10)))
        }
    }

    @Test func `Progress in receiving is a sign of life, though no new statement starts`() {
        var watch = watch()
        watch.recordQueueSize(1000, at: after(1))
        watch.recordQueueSize(900, at: after(9))
        #expect(watch.next(at: after(9), isCancelled: false) == .wait(.seconds(10)))
        watch.recordQueueSize(900, at: after(15))
        #expect(watch.next(at: after(15), isCancelled: false) == .wait(.seconds(4)))
        watch.recordQueueSize(2000, at: after(18))
        #expect(watch.next(at: after(19), isCancelled: false) == .inquire)
        watch.recordInquiry(isWorking: false, at: after(19))
        watch.recordQueueSize(1999, at: after(20))
        #expect(watch.next(at: after(20), isCancelled: false) == .wait(.seconds(10)))
    }

    @Test func `A response that arrives during the probe counts`() {
        var watch = watch()
        #expect(watch.next(at: after(10), isCancelled: false) == .inquire)
        watch.recordInquiry(isWorking: false, at: after(10))
        watch.recordActivity(at: after(10.5))
        #expect(watch.next(at: after(10.5), isCancelled: false) == .wait(.seconds(10)))
        #expect(watch.next(at: after(20.5), isCancelled: false) == .inquire)
    }

    @Test func `Without a way to probe, silence ends the wait`() {
        var watch = watch(canInquire: false)
        #expect(watch.next(at: after(9), isCancelled: false) == .wait(.seconds(1)))
        #expect(watch.next(at: after(10), isCancelled: false) == .giveUp)
    }

    @Test func `A cancellation is sent, and repeated without effect`() {
        var watch = watch(isCancellable: true)
        #expect(watch.next(at: start, isCancelled: false) == .wait(ResultWait.cancellationCheckInterval))
        #expect(watch.next(at: after(1), isCancelled: true) == .cancel)
        #expect(watch.next(at: after(1), isCancelled: true) == .wait(ResultWait.cancellationInterval))
        #expect(watch.next(at: after(1.75), isCancelled: true) == .wait(.milliseconds(250)))
        #expect(watch.next(at: after(2), isCancelled: true) == .cancel)
        #expect(watch.next(at: after(9.5), isCancelled: true) == .cancel)
        #expect(watch.next(at: after(9.5), isCancelled: true) == .wait(.milliseconds(500)))
        #expect(watch.next(at: after(10), isCancelled: true) == .inquire)
    }

    @Test func `An uncancellable wait ignores cancellations`() {
        var watch = watch()
        #expect(watch.next(at: after(1), isCancelled: true) == .wait(.seconds(9)))
    }

    @Test func `Pauses grow within bounds, and are random`() {
        var random = SeededRandom(seed: 7)
        var backoff = Backoff()
        let pauses = (0..<20).map { _ in backoff.nextPause(using: &random) }
        #expect(pauses[0] <= .milliseconds(10) && pauses[0] >= .milliseconds(5))
        #expect(pauses.dropFirst(8).allSatisfy { $0 >= .milliseconds(500) && $0 <= .seconds(1) })
        #expect(Set(pauses).count == pauses.count)
    }
}
#endif
