/// The name of a store's database, for logs and traces.
public struct DatabaseName: Sendable, Hashable {
    /// The database system, as OpenTelemetry spells it in `db.system.name`: `sqlite`, `postgresql`.
    public let system: String
    /// The database within the system (`db.namespace`): the name of a file, or a database and a schema, `games|public`.
    public let namespace: String

    /// Creates a name.
    public init(system: String, namespace: String) {
        self.system = system
        self.namespace = namespace
    }
}
