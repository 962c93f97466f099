#if Postgres
import ContextCore
import SQLStore

/// Creates the functions that a store's statements call in the store's schema.
struct FunctionCreation {
    /// The key of the functions' version in the metadata.
    static let versionKey = "functions"

    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    private var schema: String { connection.configuration.quotedSchema }

    /// Returns the version of the functions in the store; each version contains all functions of the older ones.
    func version() throws(StoreError) -> Int {
        try StoreCatalog(connection: connection).value(of: Self.versionKey).flatMap { Int($0) } ?? 0
    }

    /// Creates all functions in the open transaction.
    func createFunctions() throws(StoreError) {
        let statements = StoredFunctions.creation(in: schema, version: connection.serverVersion)
        for statement in statements { try connection.execute(statement) }
        try checkOwner(of: StoredFunctions.signatures(in: schema))
    }

    /// Replaces all functions in the open transaction, as the store's owner, who owns them.
    func replaceFunctions() throws(StoreError) {
        try becomeOwner()
        try createFunctions()
    }

    /// Switches to the role of the store's owner for the rest of the open transaction.
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

    /// Checks that the current role owns the functions that the open transaction has created.
    ///
    /// A function that existed before keeps its owner, who could replace its body later.
    ///
    /// - Throws: `StoreError.Code.configuration` if another role owns one of them.
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
            .configuration,
            "Functions with the names of the store's functions exist and belong to another role.",
            remedy: "Drop these functions, or choose another schema for the store.",
            detail: (0..<result.count).map { result.text($0, 0) }.joined(separator: "; "))
    }

    /// Records the version of the functions in the metadata.
    func recordVersion() throws(StoreError) {
        try StoreCatalog(connection: connection).setValue(Self.versionKey, String(StoredFunctions.version))
    }
}
#endif
