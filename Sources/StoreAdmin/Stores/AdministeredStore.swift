import ContextCore

/// A store that a command works on: its address, its backend, and what the configuration says of it.
struct AdministeredStore: Sendable {
    /// Its name in the configuration; nil for one that was named by its URL.
    let name: String?
    let url: StoreURL
    let backend: StoreBackend
    let isProduction: Bool
    /// The tenant whose store it is; nil for the store of an address itself.
    var tenant: Tenant?

    /// A tenant, and the address from which that of its store was worked out.
    struct Tenant: Sendable {
        let name: String
        let sharedURL: StoreURL
        /// Whether an entry of the configuration marks this very store as production, and not only the shared address.
        var isProductionByItself = false
    }

    /// What people call it: `prod`, or `prod/acme` for a tenant's.
    var title: String {
        guard let name else { return url.description }
        return tenant.map { "\(name)/\($0.name)" } ?? name
    }

    /// Where the store is, by which it is told from another one of the same name; nil where that can't be told.
    var place: String? { try? backend.place(of: url) }

    /// The confirmation that what can't be undone asks for.
    ///
    /// That of a tenant's store names the store and the tenant, so that neither a wrong `--store` nor a wrong `--tenant` is confirmed.
    var confirmation: String {
        let database = (tenant?.sharedURL ?? url).databaseName.split(separator: "/").last.map(String.init)
        let shared = name ?? database ?? ""
        return tenant.map { "\(shared)/\($0.name)" } ?? shared
    }

    /// Opens an inspector, does something with it, and closes it.
    func inspect<Value>(_ body: (any StoreInspector) throws -> Value) throws -> Value {
        let inspector = try backend.inspect(url)
        defer { inspector.close() }
        return try body(inspector)
    }

    /// Opens a maintainer, does something with it, and closes it.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` where the backend has none.
    func maintain<Value>(_ body: (any StoreMaintainer) throws -> Value) throws -> Value {
        try inspect { inspector in
            if let maintainer = inspector as? any StoreMaintainer { return try body(maintainer) }
            throw StoreError(
                .unsupportedRequest, "A store of \(backend.name) has nothing to maintain from outside.",
                remedy: "Name a store in a file or on a server.")
        }
    }

    /// Looks for damage in the database's own structures, which reads all of it.
    func damage(_ output: Output) throws -> [String] {
        try ProgressLine.during("looking for damage", output) { try inspect { try $0.damage() } }
    }

    /// The model that the store keeps; nil where there is no store.
    func modelIfThere() throws -> ObjectModel? {
        do {
            return try model()
        } catch let error as StoreError where error.code == .storeNotFound || error.code == .notAStore {
            return nil
        }
    }

    /// The model that the store keeps; where there is no store, an error says so and nothing is made.
    func model() throws -> ObjectModel { try backend.storedModel(of: url) }

    /// Opens the store to read one moment of it.
    func read<Value>(
        _ identifier: String, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try read(identifier, model: model(), body)
    }

    /// Opens the store with a model that is known already.
    func read<Value>(
        _ identifier: String, model: ObjectModel, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try open(model: model) { coordinator in
            let session = try coordinator.openReadSession(SessionOptions(identifier: identifier))
            defer { session.end() }
            return try body(session, model)
        }
    }

    /// Opens the store to read several moments of it.
    func open<Value>(model: ObjectModel, _ body: (any StoreCoordinator) throws -> Value) throws -> Value {
        let coordinator = try backend.coordinator(for: readingURL, model)
        defer { coordinator.close() }
        return try body(coordinator)
    }

    /// What programs have noted about the store.
    func userInfo(model: ObjectModel) throws -> [String: String] {
        try open(model: model) { try $0.metadata().userInfo }
    }

    /// Opens the store to change it.
    ///
    /// - Parameter model: The store's model; where there is no store, one of it is made.
    func write<Value>(
        model: ObjectModel, _ body: (any StoreCoordinator) throws -> Value
    ) throws -> Value {
        let coordinator = try backend.coordinator(for: url, model)
        defer { coordinator.close() }
        return try body(coordinator)
    }

    /// Takes in everything that another store holds, with what programs have noted about that.
    func take(
        _ session: any ReadSession, from source: AdministeredStore, _ model: ObjectModel, _ output: Output,
        betweenBatches: () throws -> Void = {}
    ) throws {
        let info = try source.userInfo(model: model)
        try write(model: model) { coordinator in
            let progress = ProgressLine(output)
            defer { progress.finish() }
            try withoutActuallyEscaping(betweenBatches) { betweenBatches in
                try StoreCopy(
                    source: session, destination: coordinator, model: model, progress: progress.tell,
                    betweenBatches: betweenBatches
                ).copy()
            }
            try coordinator.note(info)
        }
    }

    private var readingURL: StoreURL {
        (backend.administration?.readingOptions ?? [:]).reduce(url) { $0.adding($1.key, $1.value) }
    }

    /// The store as documents have it.
    var json: JSONValue {
        .object([
            "name": name.map(JSONValue.string) ?? .null, "url": .string(url.description),
            "tenant": tenant.map { .string($0.name) } ?? .null,
            "backend": .string(backend.name), "production": .bool(isProduction),
        ])
    }
}
