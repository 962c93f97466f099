import ContextCore

/// One run of a case, which opens stores at its own locations, and closes and removes them at the end.
///
/// Tasks share the list of stores and coordinators to close, which a mutex guards.
final class CaseRun: Sendable {
    let fixture: StoreFixture
    /// The location of the case's store.
    let location: String
    private let opened = Guarded(Opened())

    private struct Opened {
        var stores: [Store] = []
        var coordinators: [any StoreCoordinator] = []
        var places: Set<String> = []
    }

    init(_ fixture: StoreFixture) {
        self.fixture = fixture
        location = "conformance_" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    /// Opens the case's store, or with a suffix another store.
    func open(
        _ model: [ManagedObject.Type] = GameModel.classes, beside suffix: String = "",
        transformers: [any AttributeTransformer] = []
    ) async throws -> Store {
        let location = location + suffix
        let store = try await Store.open(
            "conformance:\(location)", backends: [fixture.backend(at: location)],
            model: ObjectModel(model, transformers: transformers))
        opened.withLock { opened in
            opened.stores.append(store)
            opened.places.insert(location)
        }
        return store
    }

    /// Opens a coordinator without a store, for cases about sessions.
    func coordinator(
        _ model: [ManagedObject.Type] = GameModel.classes, beside suffix: String = ""
    ) throws -> any StoreCoordinator {
        let location = location + suffix
        let coordinator = try fixture.open(location, ObjectModel(model))
        opened.withLock { opened in
            opened.coordinators.append(coordinator)
            opened.places.insert(location)
        }
        return coordinator
    }

    /// Registers an open store that the run closes at its end.
    func registerForClosing(_ store: Store) { opened.withLock { $0.stores.append(store) } }

    /// Closes all stores and coordinators, and removes their data.
    func end() async throws {
        let opened = opened.withLock { $0 }
        for store in opened.stores { await store.close() }
        for coordinator in opened.coordinators { coordinator.close() }
        for location in opened.places { try fixture.remove(location) }
    }
}
