import ContextCore

/// A store that a command works on: its URL, its backend, and its configuration.
struct AdministeredStore: Sendable {
    /// The name in the configuration; nil if the command names the store by its URL.
    let name: String?
    let url: StoreURL
    let backend: StoreBackend
    let isProduction: Bool
    /// The tenant whose store it is; nil for the store of an address itself.
    var tenant: Tenant?

    /// A tenant, and the shared address from which its store's URL is derived.
    struct Tenant: Sendable {
        let name: String
        let sharedURL: StoreURL
        /// Whether an entry of the configuration marks this store itself as production, independently of the shared address.
        var hasOwnProductionEntry = false
    }

    /// The store's name in messages: `prod`, or `prod/acme` for a tenant's store.
    var title: String {
        guard let name else { return url.description }
        return tenant.map { "\(name)/\($0.name)" } ?? name
    }

    /// The store's location without credentials, which distinguishes stores with the same name; nil if the backend can't determine it.
    var location: String? { try? backend.storeIdentity(of: url) }

    /// The value of `--confirm` that irreversible commands require.
    ///
    /// For a tenant's store it contains the store and the tenant, so that it catches a wrong `--store` as well as a wrong `--tenant`.
    var confirmation: String {
        let database = (tenant?.sharedURL ?? url).databaseName.split(separator: "/").last.map(String.init)
        let shared = name ?? database ?? ""
        return tenant.map { "\(shared)/\($0.name)" } ?? shared
    }

    /// Opens an inspector, passes it to a closure, and closes it.
    func inspect<Value>(_ body: (any StoreInspector) throws -> Value) throws -> Value {
        let inspector = try backend.inspect(url)
        defer { inspector.close() }
        return try body(inspector)
    }

    /// Opens a maintainer, passes it to a closure, and closes it.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` if the backend has no maintainer.
    func maintain<Value>(_ body: (any StoreMaintainer) throws -> Value) throws -> Value {
        try inspect(as: (any StoreMaintainer).self, otherwise: "supports no maintenance", body)
    }

    /// Opens a monitor, passes it to a closure, and closes it.
    ///
    /// - Throws: `StoreError.Code.unsupportedRequest` if the backend has no monitor.
    func monitor<Value>(_ body: (any StoreMonitor) throws -> Value) throws -> Value {
        try inspect(as: (any StoreMonitor).self, otherwise: "shows no activity", body)
    }

    private func inspect<Inspector, Value>(
        as _: Inspector.Type, otherwise lack: String, _ body: (Inspector) throws -> Value
    ) throws -> Value {
        try inspect { inspector in
            if let inspector = inspector as? Inspector { return try body(inspector) }
            throw StoreError(
                .unsupportedRequest, "The \(backend.name) backend \(lack).",
                remedy: "Name a store in a file or on a server.")
        }
    }

    /// Returns the damage in the database's own structures; finding it reads the whole database.
    func damage(_ output: Output) throws -> [String] {
        try ProgressLine.run("looking for damage", output) { try inspect { try $0.damage() } }
    }

    /// Returns the store's model; nil if there is no store.
    func modelIfExists() throws -> ObjectModel? {
        do {
            return try model()
        } catch let error as StoreError where error.code == .storeNotFound || error.code == .notAStore {
            return nil
        }
    }

    /// Returns the store's model, and throws without creating a store if there is none.
    func model() throws -> ObjectModel { try backend.storedModel(of: url) }

    /// Opens the store to read one snapshot of it.
    func read<Value>(
        _ identifier: String, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try read(identifier, model: model(), body)
    }

    /// Opens the store to read one snapshot of it, with its model, if the caller has already read that.
    func read<Value>(
        _ identifier: String, model: ObjectModel, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try read(SessionOptions(identifier: identifier), model, body)
    }

    /// Opens the store to read one snapshot of all its objects.
    ///
    /// - Throws: `StoreError.Code.accessDenied` where row security would hide objects from the role of the login.
    func readAll<Value>(
        _ identifier: String, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try readAll(identifier, model: model(), body)
    }

    /// Opens the store to read one snapshot of all its objects, with its model, if the caller has already read that.
    func readAll<Value>(
        _ identifier: String, model: ObjectModel, _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try read(.forAllRows(identifier: identifier), model, body)
    }

    private func read<Value>(
        _ options: SessionOptions, _ model: ObjectModel,
        _ body: (any ReadSession, ObjectModel) throws -> Value
    ) throws -> Value {
        try open(model: model) { coordinator in
            let session = try coordinator.openReadSession(options)
            defer { session.end() }
            return try body(session, model)
        }
    }

    /// Opens the store to read from it in several transactions.
    func open<Value>(model: ObjectModel, _ body: (any StoreCoordinator) throws -> Value) throws -> Value {
        let coordinator = try openForReading(model: model)
        defer { coordinator.close() }
        return try body(coordinator)
    }

    /// Opens the store to read from it for as long as the caller needs it; the caller closes the coordinator.
    func openForReading(model: ObjectModel) throws -> any StoreCoordinator {
        try backend.coordinator(for: readingURL, model)
    }

    /// Returns the metadata that programs keep in the store.
    func userInfo(model: ObjectModel) throws -> [String: String] {
        try open(model: model) { try $0.metadata().userInfo }
    }

    /// Opens the store to change it.
    ///
    /// - Parameter model: The store's model. If there is no store, one with this model is created.
    func write<Value>(
        model: ObjectModel, _ body: (any StoreCoordinator) throws -> Value
    ) throws -> Value {
        let coordinator = try backend.coordinator(for: url, model)
        defer { coordinator.close() }
        return try body(coordinator)
    }

    /// Copies all objects of another store into this one, and the metadata that programs keep in it.
    func copyContents(
        _ session: any ReadSession, from source: AdministeredStore, _ model: ObjectModel, _ output: Output,
        betweenBatches: () throws -> Void = {}
    ) throws {
        let info = try source.userInfo(model: model)
        try write(model: model) { coordinator in
            let progress = ProgressLine(output)
            defer { progress.finish() }
            try withoutActuallyEscaping(betweenBatches) { betweenBatches in
                try StoreCopy(
                    source: session, destination: coordinator, model: model, progress: progress.report,
                    betweenBatches: betweenBatches
                ).copy()
            }
            try coordinator.replaceUserInfo(info)
        }
    }

    private var readingURL: StoreURL {
        (backend.administration?.readingOptions ?? [:]).reduce(url) { $0.adding($1.key, $1.value) }
    }

    /// The store as a member of JSON documents.
    var json: JSONValue {
        .object([
            "name": name.map(JSONValue.string) ?? .null, "url": .string(url.description),
            "tenant": tenant.map { .string($0.name) } ?? .null,
            "backend": .string(backend.name), "production": .bool(isProduction),
        ])
    }
}

extension SessionOptions {
    /// Returns the options of a session that reads the whole store.
    static func forAllRows(identifier: String) -> SessionOptions {
        var options = SessionOptions(identifier: identifier)
        options.requiresAllRows = true
        return options
    }
}
