import ChildProcesses
import ContextCore
import Foundation
import SQLStore

@testable import PostgresBackend
@testable import SQLiteBackend

/// Has processes that migrate a store stand in the middle of a step, where a test may kill them.
///
/// On a server a step waits for a table that another session uses until this is let go. In a file a process is stopped while its
/// transaction is open: nobody else can write then.
///
/// State: the connections, used by one thread at a time.
final class StepHold: @unchecked Sendable {
    private enum Place {
        case file(SQLiteConnection)
        case server(blocker: PostgresConnection, watcher: PostgresMigrationConnection)
    }

    private let place: Place

    /// - Parameter table: A table that the steps change.
    init(_ store: MigratedStore, table: String) throws {
        switch store.kind {
        case .sqlite:
            place = .file(
                try SQLiteConnection(path: store.url.path, access: .readAndWrite, timeout: .zero))
        case .postgres:
            let configuration = try PostgresConfiguration(store.url)
            let blocker = try PostgresConnection(configuration)
            try blocker.execute("BEGIN")
            try blocker.execute("LOCK TABLE \(configuration.stored(table)) IN ROW EXCLUSIVE MODE")
            place = .server(
                blocker: blocker,
                watcher: try PostgresMigrationConnection(configuration, MigrationOptions()))
        }
    }

    /// Waits until the one that migrates is in the middle of a step, and keeps it there; tells whether it came to that.
    func catchHolder(_ holder: MoverProcess) async throws -> Bool {
        try await onThread { [self] in
            let deadline = ContinuousClock.now + .seconds(600)
            while ContinuousClock.now < deadline, holder.isRunning {
                switch place {
                case .file(let connection):
                    guard try isWritten(connection) else {
                        // To ask takes the lock for a moment, which the holder wants too.
                        Thread.sleep(forTimeInterval: 0.005)
                        continue
                    }
                    holder.freeze()
                    if holder.isFrozen, try isWritten(connection) { return true }
                    holder.thaw()
                case .server(_, let watcher):
                    if try waits(watcher) { return true }
                    Thread.sleep(forTimeInterval: 0.005)
                }
            }
            return false
        }
    }

    /// Lets steps that wait go on.
    func letGo() throws {
        switch place {
        case .file(let connection): connection.close()
        case .server(let blocker, let watcher):
            try blocker.execute("ROLLBACK")
            blocker.hangUp()
            watcher.close()
        }
    }

    private func isWritten(_ connection: SQLiteConnection) throws -> Bool {
        do throws(StoreError) {
            try connection.begin(writing: true)
            connection.rollback()
            return false
        } catch  where error.code == .busy {
            return true
        }
    }

    /// Whether the session that holds the lock of migrations waits inside of a statement.
    private func waits(_ watcher: PostgresMigrationConnection) throws -> Bool {
        guard let words = watcher.lockHolder()?.split(separator: " "),
            let process = words.lazy.compactMap({ Int32($0) }).first
        else { return false }
        let answer = try watcher.rows(
            SQLText(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND wait_event_type = 'Lock'",
                []),
            [.integer(bits: 64)])
        return answer.first?.first == .int(1)
    }
}
