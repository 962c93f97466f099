#if Postgres
public import ContextCore
import Foundation
import SQLStore

/// A store in a schema of a PostgreSQL database.
///
/// Several processes can share the store. Any number of sessions can read and write at once; each session reads a snapshot, which is
/// taken when it begins. A save gets its number in the history while it commits; concurrent commits become visible in any order.
///
/// ```swift
/// let configuration = PostgresConfiguration(hosts: [.init("db.example.com")], user: "app", database: "games")
/// let coordinator = try PostgresCoordinator(model: model, configuration)
/// ```
public final class PostgresCoordinator: CommitNotifyingCoordinator, ReportingCoordinator {
    let store: PostgresStore

    /// Opens a store, and creates it if the schema has none.
    ///
    /// - Throws: A `StoreError`: `connectionLost` if no server can be reached, `accessDenied` if the server rejects the login,
    ///   `configuration` if the settings don't fit the server, `modelMismatch` for a store of another model.
    public init(model: ObjectModel, _ configuration: PostgresConfiguration) throws {
        try configuration.checkNames()
        store = try StoreOpening(model: model, configuration: configuration).open()
    }

    public var model: ObjectModel { store.model }

    public var capabilities: StoreCapabilities {
        var capabilities: StoreCapabilities = [
            .persistent, .sharedByProcesses, .concurrentReads, .concurrentWrites,
        ]
        // A row that is inserted without a check of other rows can break what a serializable write relies on.
        if store.configuration.isolation == .snapshot { capabilities.insert(.singleRoundTripSaves) }
        if store.configuration.keepsHistory { capabilities.insert(.history) }
        return capabilities
    }

    public func metadata() throws -> StoreMetadata {
        try store.checkOpen()
        let connection = try store.pool.borrow(for: "metadata")
        defer { store.pool.returnConnection(connection) }
        return try connection.inTransaction { () throws(StoreError) in
            let catalog = StoreCatalog(connection: connection)
            let found = try catalog.storeID()
            if found != store.storeID {
                throw .replacedStoreError(
                    detail:
                        "The schema now contains the store with the ID \(found); the program opened the store \(store.storeID)."
                )
            }
            return StoreMetadata(
                storeID: found, modelFingerprint: try catalog.modelFingerprint(),
                userInfo: try catalog.userInfo())
        }
    }

    public func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        try store.checkOpen()
        return try PostgresReadSession(store, options)
    }

    public func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try store.checkOpen()
        return try PostgresWriteSession(store, options)
    }

    /// The current borrowers of the store's connections, and the operations that wait for one.
    public var connectionReport: ConnectionReport { store.pool.report }

    public var databaseName: DatabaseName { store.configuration.databaseName }

    public var databaseStatistics: DatabaseStatistics {
        let pools = [store.pool, store.replicas?.pool].compactMap(\.self)
        let reports = pools.map(\.report)
        var statements = DatabaseStatistics.Cache()
        for pool in pools { statements += pool.statementLookups }
        return DatabaseStatistics(
            connections: DatabaseStatistics.Connections(
                limit: reports.map(\.limit).reduce(0, +), inUse: reports.map(\.holders.count).reduce(0, +),
                idle: reports.map(\.idle).reduce(0, +), waiting: reports.map(\.waiting.count).reduce(0, +)),
            requests: store.templates.lookups, statements: statements)
    }

    public func notifyCommits(to listener: @escaping @Sendable () -> Void) {
        store.notifyCommits(to: listener)
    }

    public func close() { store.close() }
}
#endif
