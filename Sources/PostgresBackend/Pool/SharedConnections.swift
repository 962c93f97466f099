#if Postgres
import ContextCore
import SQLStore

/// The connections that stores of this process share which differ in nothing that concerns a connection, as those of tenants do: a pool,
/// and one connection more for notifications where any of them listens.
///
/// State: the pools and listeners, and how many stores use each, guarded by a lock.
final class SharedConnections: Sendable {
    static let ofProcess = SharedConnections()

    private struct Entry {
        let pool: ConnectionPool<PostgresConnection>
        var storeCount = 0
        var listener: NotificationListener?
    }

    private let entries = Guarded<[PostgresConfiguration: Entry]>([:])

    /// The pool for a store, which calls ``leavePool(_:)`` when it is closed.
    func joinPool(_ configuration: PostgresConfiguration) -> ConnectionPool<PostgresConnection> {
        let shared = configuration.ofConnections
        return entries.withLock { entries in
            var entry = entries[shared] ?? Entry(pool: ConnectionPool(shared))
            entry.storeCount += 1
            entries[shared] = entry
            return entry.pool
        }
    }

    /// A store uses the pool no more; the last one closes it.
    func leavePool(_ configuration: PostgresConfiguration) {
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

    /// Listens for commits to a store that has joined; answers what ends that, which it calls before it leaves.
    func subscribe(
        _ subscription: NotificationListener.Subscription, _ configuration: PostgresConfiguration
    ) -> @Sendable () -> Void {
        let shared = configuration.ofConnections
        let id = entries.withLock { entries -> Int? in
            guard var entry = entries[shared] else { return nil }
            let listener = entry.listener ?? NotificationListener(shared)
            entry.listener = listener
            entries[shared] = entry
            return listener.subscribe(subscription)
        }
        return { [self] in if let id { unsubscribe(id, shared) } }
    }

    private func unsubscribe(_ id: Int, _ shared: PostgresConfiguration) {
        let unused = entries.withLock { entries -> NotificationListener? in
            guard let listener = entries[shared]?.listener, listener.unsubscribe(id) else { return nil }
            entries[shared]?.listener = nil
            return listener
        }
        unused?.close()
    }
}

extension ConnectionPool<PostgresConnection> {
    convenience init(_ configuration: PostgresConfiguration) {
        let lending = PoolState(
            limit: configuration.connections, maximumAge: configuration.maximumAge,
            idleLimit: configuration.idleLimit)
        self.init(lending, timeout: configuration.timeout) { () throws(StoreError) in
            try PostgresConnection(configuration)
        }
    }
}

extension PostgresConfiguration {
    /// The configuration without what concerns one store and not its connections.
    var ofConnections: PostgresConfiguration {
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
