#if Postgres
import Testing

@testable import PostgresBackend

/// How long an answer is left alone.
struct AnswerPaceTests {
    private let start = ContinuousClock.now

    @Test func `The first part of an answer is waited for at once`() {
        var pace = AnswerPace()
        #expect(pace.pause(at: start) == nil)
    }

    @Test func `A pause is a tenth of what the answer has taken, and neither short nor long`() {
        var pace = AnswerPace()
        _ = pace.pause(at: start)
        #expect(pace.pause(at: start + .microseconds(499)) == nil)
        #expect(pace.pause(at: start + .milliseconds(2)) == .microseconds(200))
        #expect(pace.pause(at: start + .milliseconds(4)) == .microseconds(400))
        #expect(pace.pause(at: start + .seconds(60)) == .microseconds(500))
    }
}
#endif
