#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

@Suite(.enabled(if: TestServer.isExpected))
struct LostAnswerTests {
    /// `POSTGRES_LOST_ANSWERS=2000` cuts as many.
    @Test func `Every save whose answer was cut is there once, and its program never hears of it`() throws {
        let store = try InjuredStore()
        let count = Int64(Effort.count("POSTGRES_LOST_ANSWERS", otherwise: 60))
        for key in 1...count {
            store.proxy.arm(.cutCommitAnswer)
            try store.save(key)
        }
        #expect(store.proxy.faultCount == Int(count))
        #expect(try store.keys() == Array(1...count))
        let session = try store.read()
        let lines = try session.history(HistoryRequest())
        session.end()
        #expect(lines.map { $0.changes.count } == Array(repeating: 1, count: Int(count)))
        try store.expectFullPool()
    }
}
#endif
