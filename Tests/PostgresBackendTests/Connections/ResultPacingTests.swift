#if Postgres
import Testing

@testable import PostgresBackend

/// The pauses while a large result arrives.
struct ResultPacingTests {
    private let start = ContinuousClock.now
    private var later: ContinuousClock.Instant { start + .milliseconds(1) }

    @Test func `A short result is read without pauses`() {
        let pace = ResultPacing(at: start)
        #expect(!pace.shouldPause(at: start))
        #expect(!pace.shouldPause(at: start + .microseconds(999)))
        #expect(pace.shouldPause(at: later))
        #expect(pace.shouldPause(at: start + .seconds(60)))
    }

    @Test(arguments: [0, 8 * 1024, 200 * 1024])
    func `Pauses end if they gain nothing, or if the socket buffer is full`(bytes: Int) {
        var pace = ResultPacing(at: start)
        for _ in 0..<ResultPacing.maximumUselessPauses {
            #expect(pace.shouldPause(at: later))
            pace.recordReceived(bytes: bytes)
        }
        #expect(!pace.shouldPause(at: later))
    }

    @Test func `Pauses continue if most of them gain several parts`() {
        var pace = ResultPacing(at: start)
        for number in 0..<100 {
            #expect(pace.shouldPause(at: later))
            pace.recordReceived(
                bytes: number.isMultiple(of: ResultPacing.maximumUselessPauses) ? 40 * 1024 : 0)
        }
    }
}
#endif
