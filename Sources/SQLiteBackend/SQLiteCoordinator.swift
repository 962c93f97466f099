#if SQLite
public import ContextCore
import Foundation
import SQLStore

/// A store in a SQLite file.
///
/// One session writes at a time. Any number of sessions read at the same time, each from a snapshot. Other processes may use the
/// file, too.
///
/// ```swift
/// let coordinator = try SQLiteCoordinator(model: model, SQLiteConfiguration(path: "games.sqlite"))
/// let session = try coordinator.openReadSession(SessionOptions(identifier: "leaders"))
/// ```
public final class SQLiteCoordinator: ReportingCoordinator {
    let store: SQLiteStore

    /// Opens a store, or creates it if it doesn't exist and the configuration allows it.
    ///
    /// - Throws: `StoreError`: `notAStore` for a file of another program, `modelMismatch` for a store with another model.
    public init(model: ObjectModel, _ configuration: SQLiteConfiguration) throws {
        store = try StoreOpening(model: model, configuration: configuration).open()
    }

    public var model: ObjectModel { store.model }

    public var capabilities: StoreCapabilities {
        var capabilities: StoreCapabilities = []
        if store.configuration.path != nil { capabilities.formUnion([.persistent, .sharedByProcesses]) }
        if store.configuration.journal == .wal { capabilities.insert(.concurrentReads) }
        if store.configuration.keepsHistory { capabilities.insert(.history) }
        return capabilities
    }

    public func metadata() throws -> StoreMetadata {
        try store.checkOpen()
        let connection = try store.readers.borrow()
        defer { store.readers.returnConnection(connection) }
        let catalog = StoreCatalog(connection: connection)
        return StoreMetadata(
            storeID: store.storeID, modelFingerprint: try catalog.modelFingerprint(),
            userInfo: try catalog.userInfo())
    }

    public func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        try store.checkOpen()
        return try SQLiteReadSession(store, options)
    }

    public func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try store.checkOpen()
        if store.configuration.mode == .read {
            throw StoreError(
                .readOnly, "The store was opened read-only.", remedy: "Open it with mode=rw.")
        }
        return try SQLiteWriteSession(store, options)
    }

    public var databaseName: DatabaseName { store.configuration.databaseName }

    public var databaseStatistics: DatabaseStatistics {
        let (readers, lane) = (store.readers.statistics, store.lane.statistics)
        var statements = readers.statements
        statements += lane.statements
        return DatabaseStatistics(
            connections: DatabaseStatistics.Connections(
                limit: nil, inUse: readers.inUse + lane.inUse, idle: readers.idle + lane.idle,
                waiting: lane.waiting),
            requests: store.templates.lookups, statements: statements)
    }

    public func close() { store.close() }
}
#endif
