#if Postgres
import ContextCore
import SQLStore

/// The connections that stores of this process share which differ in nothing that concerns a connection, as those of tenants do.
///
/// State: the pools and how many stores use each, guarded by a lock.
final class SharedConnections: Sendable {
    static let ofProcess = SharedConnections()

    private struct Entry {
        let pool: ConnectionPool<PostgresConnection>
        var storeCount = 0
    }

    private let entries = Guarded<[PostgresConfiguration: Entry]>([:])

    /// The pool for a store, which calls ``leave(_:)`` when it is closed.
    func join(_ configuration: PostgresConfiguration) -> ConnectionPool<PostgresConnection> {
        let shared = configuration.ofConnections
        return entries.withLock { entries in
            var entry = entries[shared] ?? Entry(pool: ConnectionPool(shared))
            entry.storeCount += 1
            entries[shared] = entry
            return entry.pool
        }
    }

    /// A store uses the pool no more; the last one closes it.
    func leave(_ configuration: PostgresConfiguration) {
        let shared = configuration.ofConnections
        let unused = entries.withLock { entries -> ConnectionPool<PostgresConnection>? in
            guard let entry = entries[shared] else { return nil }
            entries[shared]?.storeCount -= 1
            if entry.storeCount > 1 { return nil }
            entries[shared] = nil
            return entry.pool
        }
        unused?.close()
    }
}

extension PostgresConfiguration {
    /// The configuration without what concerns one store and not its connections.
    fileprivate var ofConnections: PostgresConfiguration {
        var shared = self
        shared.schema = ""
        shared.replicas = []
        shared.replicaPatience = .zero
        shared.isolation = .snapshot
        (shared.keepsHistory, shared.notifies) = (true, true)
        shared.statementLog = nil
        return shared
    }
}
#endif
