import ContextCore

/// Two lanes with an in-memory store each, so that two writers can be open at the same time.
final class LaneCoordinator: StoreCoordinator {
    private let main: InMemoryCoordinator
    private let side: InMemoryCoordinator

    init(model: ObjectModel) {
        main = InMemoryCoordinator(model: model)
        side = InMemoryCoordinator(model: model)
    }

    var model: ObjectModel { main.model }
    var capabilities: StoreCapabilities { main.capabilities.union(.concurrentWrites) }
    func metadata() throws -> StoreMetadata { try main.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        try main.openReadSession(options)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try (options.lane == nil ? main : side).openWriteSession(options)
    }

    func close() {
        main.close()
        side.close()
    }
}
