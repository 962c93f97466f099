import ContextCore

/// A store that tells what it is asked, and lets another store answer.
///
/// ```swift
/// let coordinator = TracingCoordinator(over: InMemoryCoordinator(model: model)) { print($0) }
/// let store = try Store(coordinator: coordinator)
/// ```
public final class TracingCoordinator: StoreCoordinator {
    public typealias Listener = @Sendable (String) -> Void

    private let store: any StoreCoordinator
    private let tell: Listener

    /// Traces what a coordinator is asked.
    public init(over store: any StoreCoordinator, _ tell: @escaping Listener) {
        self.store = store
        self.tell = tell
    }

    public var model: ObjectModel { store.model }
    public var capabilities: StoreCapabilities { store.capabilities }
    public func metadata() throws -> StoreMetadata { try store.metadata() }

    public func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        tell("\(options.identifier): begins to read")
        return TracingReadSession(try store.openReadSession(options), options, tell)
    }

    public func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        let session = try store.openWriteSession(options)
        tell("\(options.identifier): begins to write")
        return TracingWriteSession(session, options, tell)
    }

    public func close() {
        tell("closes")
        store.close()
    }
}

extension StoreBackend {
    /// Stores in memory that tell what they are asked: `traced:`.
    public static func traced(_ tell: @escaping TracingCoordinator.Listener) -> StoreBackend {
        StoreBackend(name: "traced", schemes: ["traced"]) { _, model, _ in
            TracingCoordinator(over: InMemoryCoordinator(model: model), tell)
        }
    }
}
