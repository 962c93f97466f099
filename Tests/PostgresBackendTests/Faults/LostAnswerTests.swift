#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

@Suite(.enabled(if: TestServer.isExpected))
struct LostAnswerTests {
    /// `POSTGRES_LOST_ANSWERS` is the number of cut connections.
    @Test func `A save with a lost response is stored once, without an error`() throws {
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

    @Test(arguments: InjuredStore.Way.allCases)
    func `The outcome of a save is found, whenever the server disappears`(_ way: InjuredStore.Way) throws {
        let store = try InjuredStore()
        let proxy = store.proxy
        let orders = 8
        for count in 0..<orders {
            proxy.arm(.cutCommitAnswer) {
                proxy.arm(.cutAfterOrders(count)) {
                    proxy.refuse(true)
                    Thread.detachNewThread {
                        Thread.sleep(forTimeInterval: 0.05)
                        proxy.refuse(false)
                    }
                }
            }
            try store.save(Int64(count), way)
            proxy.arm(nil)
            proxy.refuse(false)
        }
        // Several points of a commit can lose the connection; after the last one no fault occurs.
        #expect((orders + 2..<2 * orders).contains(proxy.faultCount))
        #expect(try store.keys() == Array(0..<Int64(orders)))
        try store.expectFullPool()
    }

    @Test(arguments: InjuredStore.Way.allCases)
    func `A server that hangs during the query for an outcome is asked again`(
        _ way: InjuredStore.Way
    ) throws {
        let store = try InjuredStore { $0.timeout = .seconds(4) }
        store.proxy.arm(.cutCommitAnswer) { [proxy = store.proxy] in proxy.arm(.silence) }
        try store.save(1, way)
        #expect(store.proxy.faultCount == 2)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }
}
#endif
