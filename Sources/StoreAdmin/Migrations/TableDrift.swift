import ContextCore

/// The differences between a store's tables and its model, and the user-defined objects on these tables.
struct TableDrift: Sendable {
    /// A sentence for each difference.
    let differences: [String]
    /// A sentence for each user-defined object.
    let userObjects: [String]

    init(of store: AdministeredStore, _ output: Output) throws {
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        differences = try ProgressLine.run("comparing the tables", output) { try migrator.drift() }
        userObjects = try (migrator as? any UserObjectLister)?.userObjects() ?? []
    }
}
