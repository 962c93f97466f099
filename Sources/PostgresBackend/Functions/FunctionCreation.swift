#if Postgres
import ContextCore
import SQLStore

/// Gives a store's schema the functions that its statements call.
struct FunctionCreation {
    /// What the version of the functions is noted as.
    static let note = "functions"

    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    private var schema: String { connection.configuration.quotedSchema }

    /// The version of the functions that the store has; newer ones are a superset of older ones.
    func version() throws(StoreError) -> Int {
        try StoreCatalogue(connection: connection).note(Self.note).flatMap { Int($0) } ?? 0
    }

    /// Makes all functions, inside a transaction that is open.
    func make() throws(StoreError) {
        let statements = StoredFunctions.creation(in: schema, version: connection.serverVersion)
        for statement in statements { try connection.execute(statement) }
        try checkOwner(of: StoredFunctions.signatures(in: schema))
    }

    /// Makes all functions anew, inside a transaction that is open, as the store's owner, to whom they belong.
    func remake() throws(StoreError) {
        try becomeOwner()
        try make()
    }

    /// Gives the transaction that is open the role of the store's owner.
    func becomeOwner() throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(StoreNames.metadata))
        let owner = try connection.run(
            """
            SELECT pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(relowner)) FROM pg_catalog.pg_class \
            WHERE oid = pg_catalog.to_regclass($1)
            """, parameters)
        try connection.execute("SET LOCAL ROLE \(owner.text(0, 0))")
    }

    /// Makes sure that nobody else owns any of these functions, inside the transaction that has made them.
    ///
    /// One that was there before keeps its owner, who could make something else of it later.
    func checkOwner(of signatures: [String]) throws(StoreError) {
        let places = signatures.indices.map { "($\($0 + 1)::text)" }.joined(separator: ", ")
        var parameters = PostgresParameters()
        for signature in signatures { parameters.append(signature) }
        let result = try connection.run(
            """
            SELECT signature FROM (VALUES \(places)) AS wanted(signature) \
            LEFT JOIN pg_catalog.pg_proc AS there ON there.oid = pg_catalog.to_regprocedure(signature) \
            WHERE there.proowner IS DISTINCT FROM \
            (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user)
            """, parameters)
        if result.count == 0 { return }
        throw StoreError(
            .configuration, "Functions that the store is to have are there, and belong to somebody else.",
            remedy: "Drop them, or give the store a schema of its own.",
            detail: (0..<result.count).map { result.text($0, 0) }.joined(separator: "; "))
    }

    /// Notes that they are there.
    func note() throws(StoreError) {
        try StoreCatalogue(connection: connection).note(Self.note, String(StoredFunctions.version))
    }
}
#endif
