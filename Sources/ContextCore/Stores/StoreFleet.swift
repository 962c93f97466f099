/// Opens the stores of many tenants when they are needed, and closes those that aren't used.
///
/// They have one model and one address.
///
/// On PostgreSQL each tenant has a schema of the database, and all of them share the connections of one pool. On SQLite each has a file.
///
/// ```swift
/// let fleet = try StoreFleet("prod", backends: [.postgres], model: [Game.self, Player.self])
/// let store = try await fleet.store("acme")
/// try await store.write { context in
///     _ = Game(in: context, title: "Go")
/// }
/// ```
///
/// It holds up to ``openLimit`` stores open, and evicts those that were not requested during ``idleLimit``. An evicted store is closed as
/// soon as neither it nor a context of it is held any more, and can be used until then. Stores in memory, which would be empty afterwards, are
/// never evicted.
public final class StoreFleet: Sendable {
    /// How many stores are held open, unless more of them are in use at once.
    public let openLimit: Int
    /// How long a store stays open without a request.
    public let idleLimit: Duration

    private let text: String?
    private let backends: [StoreBackend]
    private let model: ObjectModel
    private let options: StoreOptions
    private let migration: StoreMigration
    private let threads: ThreadCache
    private let shared = Guarded<StoreURL?>(nil)
    private let state: Guarded<FleetState<Store>>

    /// How many stores are opened at once.
    private static let openingLimit = 8

    /// Makes a fleet; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - url: The address that the tenants share, or its name in the configuration; nil for the one that the configuration means where
    ///     none is named.
    ///   - backends: What can open it.
    ///   - model: The classes of the objects.
    ///   - options: How each store is used.
    ///   - migration: What is done with a store of another version of the model, when it is opened.
    ///   - openLimit: How many stores are held open, unless more of them are in use at once.
    ///   - idleLimit: How long a store stays open without a request.
    /// - Throws: ``ModelError`` when the classes make no model.
    public init(
        _ url: String? = nil, backends: [StoreBackend] = [], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic,
        openLimit: Int = 100, idleLimit: Duration = .seconds(300)
    ) throws {
        text = url
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

    /// Returns the tenant's store, and opens or creates it if necessary.
    ///
    /// Concurrent calls for one tenant return the same store. Hold it for one piece of work, and call again for the next: a store that was
    /// closed meanwhile, as one has to be that was moved or restored, is opened again. A task that is cancelled waits for the opening all
    /// the same.
    ///
    /// - Throws: What `Store.open` throws; the next call tries again.
    public func store(_ tenant: String) async throws -> Store {
        let answer = change { state in
            state.request(tenant, at: .now) { Task.detached { [self] in try await open(tenant) } }
        }
        switch answer {
        case .open(let store): return store
        case .opening(let task): return try await task.value
        case .closed:
            throw StoreError(.closed, "The fleet of stores is closed.", remedy: "Make another StoreFleet.")
        }
    }

    /// The tenants that have a store, whether or not it is open, sorted by their names.
    public func tenants() async throws -> [String] {
        try await threads.perform { [self] in
            let backends = backends + [.memory]
            let shared = try sharedAddress(backends)
            return try StoreBackend.backend(for: shared, among: backends).tenants(at: shared)
        }
    }

    /// The tenants whose stores are open, sorted by their names.
    public var openTenants: [String] { change { $0.openTenants() } }

    /// Closes all stores, those in use included; later calls throw ``StoreError/Code/closed``.
    public func close() async {
        let (stores, opening) = change { $0.close() }
        for task in opening { await (try? task.value)?.close() }
        for store in stores { await store.close() }
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
            // A password may have changed since.
            shared.withLock { $0 = nil }
            throw error
        }
    }

    /// The address that the tenants share; the configuration is read and secrets are looked up once, and again after an error.
    @Sendable private func sharedAddress(_ backends: [StoreBackend]) throws -> StoreURL {
        if let known = shared.withLock({ $0 }) { return known }
        let address = try StoreBackend.address(of: text, among: backends)
        shared.withLock { $0 = address }
        return address
    }

    /// Evicts idle stores from time to time, as long as any are open and the fleet is alive.
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

    /// Changes the state, and releases without the lock what it holds no more: the end of a store runs the program's code.
    private func change<Answer: Sendable>(_ body: (inout FleetState<Store>) -> Answer) -> Answer {
        let (answer, released) = state.withLock { state in (body(&state), state.takeReleasedReferences()) }
        withExtendedLifetime(released) {}
        return answer
    }
}

extension Store: FleetMember {
    var core: Pipeline { pipeline }
    static func isClosed(_ core: Pipeline) -> Bool { core.isClosing }
}
