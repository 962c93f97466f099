#if Postgres
import ContextCore
import SQLStore

/// The connections that stores of this process share if their connection settings are equal, such as the stores of tenants.
///
/// Each set of settings has a pool, and one more connection if any of the stores listens for notifications. A lock guards the pools,
/// the listeners and the number of stores that use them.
final class SharedConnections: Sendable {
    static let shared = SharedConnections()

    private struct Entry {
        let pool: ConnectionPool<PostgresConnection>
        var storeCount = 0
        var listener: NotificationListener?
    }

    private let entries = Guarded<[PostgresConfiguration: Entry]>([:])

    /// Returns the pool for a store, which must call ``leavePool(_:)`` when it is closed.
    func joinPool(_ configuration: PostgresConfiguration) -> ConnectionPool<PostgresConnection> {
        let shared = configuration.connectionSettingsOnly
        return entries.withLock { entries in
            var entry = entries[shared] ?? Entry(pool: ConnectionPool(shared))
            entry.storeCount += 1
            entries[shared] = entry
            return entry.pool
        }
    }

    /// Unregisters a store from its pool, and closes the pool after the last one.
    func leavePool(_ configuration: PostgresConfiguration) {
        let shared = configuration.connectionSettingsOnly
        let unused = entries.withLock { entries -> ConnectionPool<PostgresConnection>? in
            guard let entry = entries[shared] else { return nil }
            entries[shared]?.storeCount -= 1
            if entry.storeCount > 1 { return nil }
            entries[shared] = nil
            return entry.pool
        }
        unused?.close()
    }

    /// Listens for commits to a store, and returns the function that stops this, which the store must call before ``leavePool(_:)``.
    func subscribe(
        _ subscription: NotificationListener.Subscription, _ configuration: PostgresConfiguration
    ) -> @Sendable () -> Void {
        let shared = configuration.connectionSettingsOnly
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
        let policy = PoolState(
            limit: configuration.connections, maximumAge: configuration.maximumAge,
            idleLimit: configuration.idleLimit)
        self.init(policy, timeout: configuration.timeout) { () throws(StoreError) in
            try PostgresConnection(configuration)
        }
    }
}

extension PostgresConfiguration {
    /// The configuration without the settings that don't affect connections, which identifies a shared pool.
    var connectionSettingsOnly: PostgresConfiguration {
        var shared = self
        shared.schema = ""
        shared.replicas = []
        shared.replicaTimeout = .zero
        shared.isolation = .snapshot
        (shared.keepsHistory, shared.notifies) = (true, true)
        shared.statementLog = nil
        return shared
    }
}
#endif
