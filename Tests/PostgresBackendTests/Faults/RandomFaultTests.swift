#if Postgres
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

@Entity final class Piece: ManagedObject {
    var batch: Int
    var part: Int
}

/// Random faults while two stores save and read the same rows.
@Suite(.enabled(if: TestServer.isExpected))
struct RandomFaultTests {
    private static let parts = 3

    /// `POSTGRES_FAULTS` is the number of faults, and `POSTGRES_FAULT_SEED` the seed.
    @Test
    func `After any faults, acknowledged saves are stored once, and others completely or not at all`()
        async throws
    {
        let seed = Effort.count("POSTGRES_FAULT_SEED", otherwise: .random(in: 0 ... .max))
        let count = Effort.count("POSTGRES_FAULTS", otherwise: 40)
        let direct = try TestServer.freshConfiguration()
        let host = try #require(direct.hosts.first)
        let proxy = try TestProxy(to: host.name, port: host.port ?? 5432)
        defer { proxy.close() }
        var configuration = direct
        configuration.hosts = [.init("127.0.0.1", port: proxy.port)]
        // Long enough to ask the server for the outcome of a commit while all other tests run.
        (configuration.timeout, configuration.connections) = (.seconds(15), 4)
        let coordinators = try (0..<2).map { _ in
            try PostgresCoordinator(model: ObjectModel([Piece.self]), configuration)
        }
        let stores = try coordinators.map { try Store(coordinator: $0) }
        let ledger = FaultLedger()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                // On separate threads, so that other tests don't block them.
                for _ in 0..<4 { group.addTask { try await OwnThread.run { Self.write(to: store, ledger) } } }
                for _ in 0..<2 {
                    group.addTask { try await OwnThread.run { Self.read(from: store, ledger) } }
                }
            }
            try await OwnThread.run {
                var harm = RandomHarm(
                    proxy: proxy, server: try PostgresConnection(direct), seed: UInt64(seed))
                for _ in 0..<count { harm.next(ledger) }
                proxy.arm(nil)
                ledger.finish()
            }
            try await group.waitForAll()
        }
        try check(ledger, direct, "seed \(seed)")
        for (coordinator, store) in zip(coordinators, stores) {
            #expect(eventually { coordinator.connectionReport.holders.isEmpty })
            let sessions = try (0..<4).map {
                try coordinator.openReadSession(SessionOptions(identifier: "\($0)"))
            }
            for session in sessions { session.end() }
            await store.close()
        }
    }

    private static func write(to store: Store, _ ledger: FaultLedger) {
        while let batch = ledger.nextBatch() {
            do {
                try store.writeAndWait("batch \(batch)") { context in
                    for part in 0..<parts { _ = Piece(in: context, batch: batch, part: part) }
                }
                ledger.recordOutcome(batch, nil)
            } catch {
                ledger.recordOutcome(batch, error)
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
    }

    private static func read(from store: Store, _ ledger: FaultLedger) {
        while !ledger.isFinished {
            do {
                let batches = try store.readAndWait("read") { context in
                    try context.fetch(Piece.self, order: .descending(\.batch), limit: 30).map(\.batch)
                }
                let counts = Dictionary(grouping: batches) { $0 }.mapValues(\.count)
                #expect(counts.values.allSatisfy { $0 == parts })
            } catch let error as StoreError {
                // While one connection is half open, sessions that wait for its lock may occupy all the others.
                #expect([.connectionLost, .busy].contains(error.code), "\(String(reflecting: error))")
            } catch {
                Issue.record(error)
            }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    private func check(_ ledger: FaultLedger, _ direct: PostgresConfiguration, _ comment: Comment) throws {
        let result = try otherProgram(direct).run(
            "SELECT \"batch\", count(*) FROM \"piece\" GROUP BY \"batch\"")
        var counts: [Int: Int] = [:]
        for row in 0..<result.count { counts[Int(result.integer(row, 0))] = Int(result.integer(row, 1)) }
        let (saved, failed) = ledger.outcomes
        #expect(!saved.isEmpty, comment)
        #expect(saved.filter { counts[$0] != Self.parts } == [], comment)
        #expect(counts.values.allSatisfy { $0 == Self.parts }, comment)
        for (batch, error) in failed {
            // A session that waits for the lock of a half-open connection may exceed its timeout.
            #expect([.connectionLost, .busy].contains(error.code), "\(String(reflecting: error)) \(comment)")
            expectDecency(of: error)
            #expect(counts[batch] == nil, comment)
        }
    }
}

/// The outcomes of saves as the programs saw them.
///
/// State: the outcomes, guarded by a lock.
final class FaultLedger: Sendable {
    private struct State {
        var next = 1
        var isFinished = false
        var saved: [Int] = []
        var failed: [Int: StoreError] = [:]
    }

    private let state = Guarded(State())

    /// Returns the number of the next save; nil at the end of the test.
    func nextBatch() -> Int? {
        state.withLock { state in
            defer { state.next += 1 }
            return state.isFinished ? nil : state.next
        }
    }

    func recordOutcome(_ batch: Int, _ error: (any Error)?) {
        let failure = error.map { $0 as? StoreError ?? StoreError(.database, "\($0)") }
        state.withLock { state in
            if let failure { state.failed[batch] = failure } else { state.saved.append(batch) }
        }
    }

    func finish() { state.withLock { $0.isFinished = true } }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    var outcomes: (saved: [Int], failed: [Int: StoreError]) { state.withLock { ($0.saved, $0.failed) } }
}

/// A sequence of random faults, each after a save has succeeded since the one before.
struct RandomHarm {
    private let proxy: TestProxy
    private let server: PostgresConnection
    private let seed: UInt64
    private var random: SeededRandom
    private var number = 0

    init(proxy: TestProxy, server: PostgresConnection, seed: UInt64) {
        self.proxy = proxy
        self.server = server
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    mutating func next(_ ledger: FaultLedger) {
        number += 1
        let before = ledger.outcomes.saved.count
        let faults = proxy.faultCount
        let kind = Int.random(in: 0..<20, using: &random)
        switch kind {
        case 0...2: proxy.cutAll()
        case 3...5: arm(.cutBeforeCommit)
        case 6...7: arm(.cutAfterCommit)
        case 8...10: arm(.cutCommitAnswer)
        case 11...13: arm(.cut(afterBytes: .random(in: 0..<6000, using: &random)))
        case 14...16: terminate()
        case 17: refuse()
        case 18: arm(Bool.random(using: &random) ? .trickle : .delay(.milliseconds(3)))
        default: arm(Bool.random(using: &random) ? .swallowCommitAnswer : .silence)
        }
        // On a very busy machine, no save would complete within its timeout.
        if kind == 18 {
            _ = eventually(within: .seconds(2)) { ledger.outcomes.saved.count > before }
            proxy.arm(nil)
        }
        // Long, as all other tests may run at the same time; it is exceeded only if saves never succeed again.
        let limit = Duration.seconds(300)
        #expect(
            eventually(within: limit) { ledger.outcomes.saved.count > before },
            "nothing is saved after harm \(kind) (\(number) of seed \(seed))")
        // A fault that waits for a COMMIT gets one, unless it is a lasting fault.
        _ = eventually(within: .milliseconds(100)) { proxy.faultCount > faults }
    }

    private func arm(_ fault: TestProxy.Fault) { proxy.arm(fault) }

    private mutating func terminate() {
        let ports = proxy.ports.sorted()
        guard let port = ports.randomElement(using: &random) else { return }
        try? server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = \(port)")
    }

    private func refuse() {
        proxy.refuse(true)
        proxy.cutAll()
        Thread.sleep(forTimeInterval: 0.02)
        proxy.refuse(false)
    }
}
#endif
