import ContextCore
import Foundation

/// The coordinator of one of several processes that share an in-memory store.
final class SharedCoordinator: StoreCoordinator {
    private let store: InMemoryCoordinator
    /// Whether no read session is available.
    let isFull = Guarded(false)
    /// The number of read sessions that were opened.
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
