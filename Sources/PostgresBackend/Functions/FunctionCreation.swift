#if Postgres
import ContextCore

/// Gives a store's schema the functions that its statements call.
struct FunctionCreation {
    /// What the version of the functions is noted as.
    private static let note = "functions"

    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Whether the store has functions that this version of the library can work with; newer ones are a superset of older ones.
    func isDone() throws(StoreError) -> Bool {
        let version = try StoreCatalogue(connection: connection).note(Self.note).flatMap { Int($0) } ?? 0
        return version >= StoredFunctions.version
    }

    /// Makes all functions, inside a transaction that is open.
    func make() throws(StoreError) {
        let schema = connection.configuration.quotedSchema
        let statements = StoredFunctions.creation(in: schema, version: connection.serverVersion)
        for statement in statements { try connection.execute(statement) }
    }

    /// Notes that they are there.
    func note() throws(StoreError) {
        try StoreCatalogue(connection: connection).note(Self.note, String(StoredFunctions.version))
    }
}
#endif
