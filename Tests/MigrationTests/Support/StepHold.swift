import ChildProcesses
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Makes processes that migrate a store stop in the middle of a step, where a test can kill them.
///
/// On a server a step waits for a table that another session has locked, until that lock is released. In a file the process itself waits
/// before the commit.
///
/// State: the connections, used by one thread at a time.
final class StepHold: @unchecked Sendable {
    private enum Place {
        case file(gate: String)
        case server(blocker: PostgresConnection, watcher: PostgresMigrationConnection)
    }

    private let place: Place

    /// - Parameter table: A table that the steps change.
    init(_ store: MigratedStore, table: String) throws {
        switch store.kind {
        case .sqlite:
            let gate = store.path("gate")
            try Data().write(to: URL(filePath: gate))
            place = .file(gate: gate)
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

    /// The option with which a process must be started.
    var fate: MoverProcess.Fate? {
        if case .file(let gate) = place { .waiting(gate: gate) } else { nil }
    }

    /// Waits until the process that migrates is in the middle of a step, where it stays until `release` is called.
    func catchHolder(_ holder: MoverProcess) async throws {
        try await onThread { [self] in
            let deadline = ContinuousClock.now + .seconds(600)
            while try !isHeld(holder) {
                try #require(
                    holder.isRunning && ContinuousClock.now < deadline,
                    "The process was not in the middle of a step.")
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }

    private func isHeld(_ holder: MoverProcess) throws -> Bool {
        switch place {
        case .file(let gate): FileManager.default.fileExists(atPath: "\(gate).\(holder.identifier)")
        case .server(_, let watcher): try waits(watcher)
        }
    }

    /// Lets the waiting steps continue.
    func release() throws {
        switch place {
        case .file(let gate): try FileManager.default.removeItem(atPath: gate)
        case .server(let blocker, let watcher):
            try blocker.execute("ROLLBACK")
            blocker.forceClose()
            watcher.close()
        }
    }

    /// Returns whether the session with the migration lock waits inside of a statement.
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
