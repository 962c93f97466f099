import ContextCore
import Foundation
import Synchronization

@testable import PostgresBackend

/// A program without this library that changes the players s1, s2 and so on by SQL, as long as they have no `label`.
///
/// State: the results of its changes, guarded by a mutex; whether it should stop, an atomic.
final class SQLProgram: Sendable {
    private let configuration: PostgresConfiguration
    private let rows: Int
    private let isStopped = Atomic(false)
    private let state = Mutex(LiveProgram.Outcome())

    /// Starts the program.
    init(_ url: StoreURL, rows: Int) throws {
        configuration = try PostgresConfiguration(url)
        self.rows = rows
        Thread { [self] in
            do { try work() } catch { state.withLock { $0.failures.append("\(error)") } }
            state.withLock { $0.isRefused = true }
        }.start()
    }

    /// Stops the program once it has found the players migrated, or at once, and returns the results of its changes.
    func stop() async -> LiveProgram.Outcome {
        isStopped.store(true, ordering: .relaxed)
        while !state.withLock({ $0.isRefused }) { try? await Task.sleep(for: .milliseconds(2)) }
        return state.withLock { $0 }
    }

    private func work() throws {
        let connection = try PostgresConnection(configuration)
        defer { connection.forceClose() }
        try connection.execute("SET search_path = \(configuration.quotedSchema)")
        var attempts = 0
        while !isStopped.load(ordering: .relaxed) {
            let start = ContinuousClock.now
            do {
                if try !change(connection) { return }
                attempts = 0
                state.withLock { $0.writes.append(start.duration(to: .now)) }
            } catch let error as StoreError where error.code == .busy || error.code == .contention {
                if connection.isInTransaction { try connection.execute("ROLLBACK") }
                attempts += 1
                state.withLock { $0.retries += 1 }
                if attempts == LiveProgram.maxRetries { throw error }
            }
        }
    }

    /// Changes a player; returns false if the players have labels, which the program doesn't know.
    private func change(_ connection: PostgresConnection) throws -> Bool {
        try connection.execute("BEGIN; LOCK TABLE player IN ROW EXCLUSIVE MODE")
        let labels = try connection.integer(
            """
            SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('player') AND attname = 'label' \
            AND NOT attisdropped
            """)
        if labels == 0 {
            try connection.execute(
                """
                UPDATE player SET first = 'sql \(Int.random(in: 0..<1_000_000))', _version = _version + 1 \
                WHERE name = 's\(Int.random(in: 1...rows))'
                """)
        }
        try connection.execute("COMMIT")
        return labels == 0
    }
}
