import ContextCore
import RandomSeeds
import Testing

@testable import SQLStore

/// The assignment of connections to requests.
struct PoolStateTests {
    private let start = ContinuousClock.now

    private func pool(_ limit: Int) -> PoolState {
        PoolState(limit: limit, maximumAge: .seconds(100), idleLimit: .seconds(10))
    }

    private func lease(_ answer: PoolState.RequestResult) throws -> PoolState.Lease {
        guard case .lent(let lease) = answer else { throw Unexpected(answer: answer) }
        return lease
    }

    private struct Unexpected: Error { let answer: PoolState.RequestResult }

    @Test func `A returned connection is lent again, the last one first`() throws {
        var pool = pool(2)
        let first = try lease(pool.request(by: "a", at: start))
        let second = try lease(pool.request(by: "b", at: start))
        #expect(first.isNew && second.isNew && first.connection != second.connection)
        #expect(pool.returnConnection(first, isReusable: true, at: start) == PoolState.Return())
        #expect(
            pool.returnConnection(second, isReusable: true, at: start + .seconds(1)) == PoolState.Return())
        let third = try lease(pool.request(by: "c", at: start + .seconds(2)))
        #expect(third.connection == second.connection && !third.isNew)
        #expect(third.idleSince == start + .seconds(1))
    }

    @Test func `Requests are served in order, and a newcomer doesn't overtake`() throws {
        var pool = pool(1)
        let lease = try lease(pool.request(by: "a", at: start))
        #expect(pool.request(by: "b", at: start) == .waits(1))
        #expect(pool.request(by: "c", at: start) == .waits(2))
        #expect(pool.report(at: start).waiting == ["b", "c"])
        let next = try #require(pool.returnConnection(lease, isReusable: true, at: start).next)
        #expect(next.ticket == 1 && next.lease.connection == lease.connection)
        #expect(pool.request(by: "d", at: start) == .waits(3))
        pool.withdraw(2)
        #expect(pool.returnConnection(next.lease, isReusable: true, at: start).next?.ticket == 3)
    }

    @Test func `An unusable connection is replaced by a new one`() throws {
        var pool = pool(1)
        let lease = try lease(pool.request(by: "a", at: start))
        #expect(pool.request(by: "b", at: start) == .waits(1))
        let answer = pool.returnConnection(lease, isReusable: false, at: start)
        #expect(answer.isDiscarded)
        #expect(answer.next?.lease.isNew == true)
        #expect(answer.next?.lease.connection != lease.connection)
    }

    @Test func `A dead connection is replaced while it is lent`() throws {
        var pool = pool(1)
        let lease = try lease(pool.request(by: "a", at: start))
        let other = pool.replace(lease, at: start)
        #expect(other.isNew && other.connection != lease.connection)
        #expect(pool.returnConnection(lease, isReusable: true, at: start) == PoolState.Return())
        #expect(pool.report(at: start).holders.map(\.identifier) == ["a"])
        #expect(pool.returnConnection(other, isReusable: true, at: start) == PoolState.Return())
        #expect(pool.report(at: start).idle == 1)
    }

    @Test func `Connections that are old, or idle for long, are closed`() throws {
        var pool = pool(2)
        let old = try lease(pool.request(by: "a", at: start))
        #expect(pool.returnConnection(old, isReusable: true, at: start + .seconds(100)).isDiscarded)
        let idle = try lease(pool.request(by: "a", at: start + .seconds(100)))
        #expect(!pool.returnConnection(idle, isReusable: true, at: start + .seconds(101)).isDiscarded)
        #expect(pool.removeExpired(at: start + .seconds(110)) == [])
        #expect(pool.removeExpired(at: start + .seconds(111)) == [idle.connection])
        #expect(pool.report(at: start + .seconds(111)).idle == 0)
    }

    @Test func `A closed pool lends nothing, and closes returned connections`() throws {
        var pool = pool(2)
        let held = try lease(pool.request(by: "a", at: start))
        let idle = try lease(pool.request(by: "b", at: start))
        _ = pool.returnConnection(idle, isReusable: true, at: start)
        #expect(pool.close().connections == [idle.connection])
        #expect(pool.request(by: "c", at: start) == .closed)
        #expect(pool.returnConnection(held, isReusable: true, at: start).isDiscarded)
    }

    @Test func `The report has the holders of connections, and for how long`() throws {
        var pool = pool(2)
        _ = pool.request(by: "import", at: start)
        _ = pool.request(by: "read", at: start + .seconds(3))
        _ = pool.request(by: "late", at: start + .seconds(4))
        let report = pool.report(at: start + .seconds(5))
        #expect(report.holders.map(\.time) == [.seconds(5), .seconds(2)])
        #expect(
            report.description
                == "2 of 2 connections in use, 0 idle, 1 waiting, used by: import for 5000 ms, read for 2000 ms"
        )
    }

    @Test func `In random histories no connection is lent twice or lost, and no request is skipped`() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 { run(&random, "seed \(seed)") }
    }

    private func run(_ random: inout SeededRandom, _ comment: Comment) {
        let limit = Int.random(in: 1...4, using: &random)
        var pool = pool(limit)
        var now = start
        var (held, waiting): ([PoolState.Lease], [Int]) = ([], [])
        var alive: Set<Int> = []
        for _ in 0..<100 {
            now += .milliseconds(Int.random(in: 0...8000, using: &random))
            alive.subtract(pool.removeExpired(at: now))
            switch Int.random(in: 0...5, using: &random) {
            case 0...2:
                switch pool.request(by: "someone", at: now) {
                case .lent(let lease):
                    #expect(waiting.isEmpty, comment)
                    borrow(lease, &held, &alive, comment)
                case .waits(let ticket): waiting.append(ticket)
                case .closed: Issue.record(comment)
                }
            case 3 where !waiting.isEmpty:
                pool.withdraw(waiting.remove(at: Int.random(in: waiting.indices, using: &random)))
            default:
                guard let index = held.indices.randomElement(using: &random) else { continue }
                let lease = held.remove(at: index)
                let answer = pool.returnConnection(lease, isReusable: Bool.random(using: &random), at: now)
                if answer.isDiscarded { alive.remove(lease.connection) }
                #expect(answer.next?.ticket == waiting.first, comment)
                guard let next = answer.next else { continue }
                waiting.removeFirst()
                borrow(next.lease, &held, &alive, comment)
            }
            let report = pool.report(at: now)
            #expect(held.count <= limit && report.holders.count == held.count, comment)
            #expect(report.idle + held.count == alive.count && report.waiting.count == waiting.count, comment)
        }
    }

    private func borrow(
        _ lease: PoolState.Lease, _ held: inout [PoolState.Lease], _ alive: inout Set<Int>, _ comment: Comment
    ) {
        #expect(!held.contains { $0.connection == lease.connection }, comment)
        #expect(alive.contains(lease.connection) != lease.isNew, comment)
        alive.insert(lease.connection)
        held.append(lease)
    }
}
