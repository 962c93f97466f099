@testable import ContextCore

/// An in-memory store whose read sessions fail to open when a test wants that.
final class GatedCoordinator: StoreCoordinator {
    private let store: InMemoryCoordinator
    private let gate: ReadGate

    init(_ store: InMemoryCoordinator, _ gate: ReadGate) { (self.store, self.gate) = (store, gate) }

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities }
    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        try gate.remaining.withLock { remaining in
            if remaining == 0 { throw StoreError(.closed, "The store can't be read.") }
            remaining = remaining.map { $0 - 1 }
        }
        return try store.openReadSession(options)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try store.openWriteSession(options)
    }

    func close() { store.close() }
}

/// The number of read sessions to open before one fails; nil for no failure.
final class ReadGate: Sendable {
    let remaining = Guarded<Int?>(nil)
}
