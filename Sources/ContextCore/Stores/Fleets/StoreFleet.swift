/// Opens the stores of many tenants on demand, and closes idle ones.
///
/// All stores have the same model and share one address.
///
/// On PostgreSQL each tenant has a schema of the database, and all tenants share one connection pool. On SQLite each tenant has a file.
///
/// ```swift
/// let fleet = try StoreFleet("prod", backends: [.postgres], model: [Game.self, Player.self])
/// let store = try await fleet.store("acme")
/// try await store.write { context in
///     _ = Game(in: context, title: "Go")
/// }
/// ```
///
/// It retains up to ``openLimit`` open stores, and evicts stores that were not requested for ``idleLimit``. An evicted store stays usable,
/// and is closed when it and all of its contexts are released. Stores in memory would lose their data, so they are never evicted.
public final class StoreFleet: Sendable {
    /// The maximum number of open stores that the fleet retains; more may be open while the program uses them.
    public let openLimit: Int
    /// How long the fleet retains an open store that isn't requested.
    public let idleLimit: Duration

    private let nameOrURL: String?
    private let backends: [StoreBackend]
    private let model: ObjectModel
    private let options: StoreOptions
    private let migration: StoreMigration
    private let threads: ThreadCache
    private let shared = Guarded<StoreURL?>(nil)
    private let state: Guarded<FleetState<Store>>

    /// The maximum number of stores that are being opened at once.
    private static let openingLimit = 8

    /// Creates a fleet without opening a store.
    ///
    /// - Parameters:
    ///   - url: The address that the tenants share, or its name in the configuration; nil for the configuration's default.
    ///   - backends: The backends that may open the stores.
    ///   - model: The classes of the entities.
    ///   - options: The options for using each store.
    ///   - migration: What to do if a store has another version of the model.
    ///   - openLimit: The maximum number of open stores that the fleet retains; more may be open while the program uses them.
    ///   - idleLimit: How long the fleet retains an open store that isn't requested.
    /// - Throws: ``ModelError`` if the classes don't form a valid model.
    public init(
        _ url: String? = nil, backends: [StoreBackend] = [], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic,
        openLimit: Int = 100, idleLimit: Duration = .seconds(300)
    ) throws {
        nameOrURL = url
        self.backends = backends
        self.model = try ObjectModel(model)
        self.options = options
        self.migration = migration
        self.openLimit = max(1, openLimit)
        self.idleLimit = idleLimit
        threads = ThreadCache(name: "opening", limit: Self.openingLimit)
        state = Guarded(FleetState(limit: max(1, openLimit), idleLimit: idleLimit))
    }

    deinit { threads.close() }

    /// Returns the store of a tenant, and opens or creates it if necessary.
    ///
    /// Concurrent calls for one tenant return the same store. Use it for one unit of work, and call again for the next: a store that was
    /// closed in the meantime, to move or restore it, is opened again, after all of its operations have ended. Cancelling the calling task
    /// doesn't cancel the opening.
    ///
    /// - Throws: The errors of `Store.open`; the next call tries again.
    public func store(_ tenant: String) async throws -> Store {
        let response = change { state in
            state.request(tenant, at: .now) { closing in
                Task.detached { [self] in
                    // Two stores of a tenant would have two queues, so their operations would have no common order.
                    await closing?.waitUntilClosed()
                    return try await open(tenant)
                }
            }
        }
        switch response {
        case .open(let store): return store
        case .opening(let task): return try await task.value
        case .closed:
            throw StoreError(.closed, "The store fleet is closed.", remedy: "Create a new StoreFleet.")
        }
    }

    /// Returns the names of the tenants that have a store, open or not, sorted.
    public func tenants() async throws -> [String] {
        try await threads.perform { [self] in
            let backends = backends + [.memory]
            let shared = try sharedAddress(backends)
            return try StoreBackend.backend(for: shared, among: backends).tenants(at: shared)
        }
    }

    /// The names of the tenants whose stores are open, sorted.
    public var openTenants: [String] { change { $0.openTenants() } }

    /// Closes all stores, including those in use; later calls of ``store(_:)`` throw ``StoreError/Code/closed``.
    ///
    /// Running operations end normally; waiting ones throw, as with `Store.close()`.
    public func close() async { await endStores { await $0.close() } }

    /// Closes all stores after all submitted operations have ended; later calls of ``store(_:)`` throw ``StoreError/Code/closed``.
    ///
    /// Waiting operations run too, as with `Store.drain()`.
    public func drain() async { await endStores { await $0.drain() } }

    /// Closes the fleet, and ends all of its stores at the same time.
    private func endStores(_ end: @escaping @Sendable (Store) async -> Void) async {
        let (stores, opening) = change { $0.close() }
        await withTaskGroup { group in
            for store in stores { group.addTask { await end(store) } }
            for task in opening {
                group.addTask { if let store = try? await task.value { await end(store) } }
            }
        }
    }

    // MARK: Opening and evicting

    private func open(_ tenant: String) async throws -> Store {
        do {
            let store = try await Store.open(
                tenant: tenant, on: threads, backends: backends, model: model, options: options,
                migration: migration, progress: nil, address: sharedAddress)
            let isPersistent = store.capabilities.contains(.persistent)
            let mustSweep = change {
                $0.finishOpening(tenant, store, canBeEvicted: isPersistent, at: .now)
            }
            if mustSweep { startSweeping() }
            return store
        } catch {
            change { $0.failOpening(tenant) }
            // The next attempt reads the configuration again, because a password may have changed.
            shared.withLock { $0 = nil }
            throw error
        }
    }

    /// Returns the address that the tenants share; the configuration and secrets are read once, and again after an error.
    @Sendable private func sharedAddress(_ backends: [StoreBackend]) throws -> StoreURL {
        if let known = shared.withLock({ $0 }) { return known }
        let address = try StoreBackend.address(of: nameOrURL, among: backends)
        shared.withLock { $0 = address }
        return address
    }

    /// Evicts idle stores periodically, while there are open stores and the fleet is alive.
    private func startSweeping() {
        let pause = max(idleLimit / 4, .milliseconds(100))
        Task.detached { [weak self] in
            var isWanted = true
            while isWanted {
                try? await Task.sleep(for: pause)
                isWanted = self?.change { $0.sweep(at: .now) } ?? false
            }
        }
    }

    /// Changes the state, and releases references after unlocking, because closing a store runs code of the program.
    private func change<Response: Sendable>(_ body: (inout FleetState<Store>) -> Response) -> Response {
        let (response, released) = state.withLock { state in (body(&state), state.removeReleasedReferences())
        }
        withExtendedLifetime(released) {}
        return response
    }
}

extension Store: FleetMember {
    var core: Pipeline { pipeline }
    static func isClosing(_ core: Pipeline) -> Bool { core.isClosing }
    static func isClosed(_ core: Pipeline) -> Bool { core.isClosed }
}
