import ContextCore

/// A coordinator that reports each call to a listener and forwards it to another coordinator.
///
/// ```swift
/// let coordinator = TracingCoordinator(over: InMemoryCoordinator(model: model)) { print($0) }
/// let store = try Store(coordinator: coordinator)
/// ```
public final class TracingCoordinator: StoreCoordinator {
    public typealias Listener = @Sendable (String) -> Void

    private let store: any StoreCoordinator
    private let listener: Listener

    /// Creates a coordinator that traces the calls of another one.
    public init(over store: any StoreCoordinator, _ listener: @escaping Listener) {
        self.store = store
        self.listener = listener
    }

    public var model: ObjectModel { store.model }
    public var capabilities: StoreCapabilities { store.capabilities }
    public func metadata() throws -> StoreMetadata { try store.metadata() }

    public func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        listener("\(options.identifier): begins to read")
        return TracingReadSession(try store.openReadSession(options), options, listener)
    }

    public func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        let session = try store.openWriteSession(options)
        listener("\(options.identifier): begins to write")
        return TracingWriteSession(session, options, listener)
    }

    public func close() {
        listener("closes")
        store.close()
    }
}

extension StoreBackend {
    /// A backend of in-memory stores that report each call to a listener: `traced:`.
    public static func traced(_ listener: @escaping TracingCoordinator.Listener) -> StoreBackend {
        StoreBackend(name: "traced", schemes: ["traced"]) { _, model, _ in
            TracingCoordinator(over: InMemoryCoordinator(model: model), listener)
        }
    }
}
