import ContextCore
import Foundation

/// What one of several processes has of a store in memory that they share.
final class SharedCoordinator: StoreCoordinator {
    private let store: InMemoryCoordinator
    /// Whether no session for reading is to be had.
    let isFull = Guarded(false)
    /// How many sessions for reading were opened.
    let readCount = Guarded(0)

    init(_ store: InMemoryCoordinator) { self.store = store }

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities.union(.sharedByProcesses) }

    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        if isFull.withLock({ $0 }) { throw StoreError(.busy, "All connections are in use.") }
        readCount.withLock { $0 += 1 }
        return try store.openReadSession(options)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try store.openWriteSession(options)
    }

    func close() {}
}
