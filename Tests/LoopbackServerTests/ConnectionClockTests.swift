import Testing

@testable import LoopbackServer

struct ConnectionClockTests {
    private let start = ContinuousClock.now
    private var clock = ConnectionClock(limits: ServerLimits())

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test mutating func `A connection without a complete request is late, once`() {
        clock.open(1, socket: 7, at: start)
        clock.open(2, socket: 8, at: after(5))
        #expect(clock.takeLateSockets(at: after(9)) == [])
        #expect(clock.takeLateSockets(at: after(10)) == [7])
        #expect(clock.takeLateSockets(at: after(11)) == [])
        #expect(clock.takeLateSockets(at: after(15)) == [8])
    }

    @Test mutating func `A response may take any time`() {
        clock.open(1, socket: 7, at: start)
        clock.requestArrived(1)
        #expect(clock.takeLateSockets(at: after(10_000)) == [])
    }

    @Test mutating func `A connection waits longer for its next request`() {
        clock.open(1, socket: 7, at: start)
        clock.requestArrived(1)
        clock.responseSent(1, at: after(3))
        #expect(clock.takeLateSockets(at: after(62)) == [])
        #expect(clock.takeLateSockets(at: after(63)) == [7])
    }

    @Test
    mutating func `A closed connection's socket is never returned, because it may belong to another one`() {
        clock.open(1, socket: 7, at: start)
        clock.close(1)
        clock.responseSent(1, at: start)
        #expect(clock.takeLateSockets(at: after(1000)) == [])
    }
}
