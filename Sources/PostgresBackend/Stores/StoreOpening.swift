#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Opens a store, and creates it if the schema has none.
struct StoreOpening {
    /// The version of the store's internal tables; opening a store of another version fails.
    static let formatVersion = 1

    let model: ObjectModel
    let configuration: PostgresConfiguration

    func open() throws(StoreError) -> PostgresStore {
        let pool = PostgresPool(configuration)
        let connection = try pool.borrow(for: "open")
        defer { pool.returnConnection(connection) }
        let description = try description(connection)
        if description.functionsVersion < StoredFunctions.version { try updateFunctions(connection) }
        let facts = try query(connection, ServerFacts.init)
        if !facts.hasCurrentSequence(for: description) { try repairHistorySequence(connection) }
        let mapping = StoreMapping(
            model, numbers: description.entityNumbers,
            maximumNameLength: SQLDialect.postgres.maximumNameLength)
        return PostgresStore(
            model: model, mapping: mapping, configuration: configuration, storeID: description.storeID,
            pool: pool, isDistributed: facts.mayBeDistributed ? try prepareNode(connection) : false)
    }

    /// Creates the function that the node of a distributed schema needs, and returns whether the schema is distributed.
    private func prepareNode(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let distributed = DistributedSchema(connection: connection)
        guard try distributed.isDistributed() else { return false }
        if try distributed.hasCheckFunction() { return true }
        do throws(StoreError) {
            try withCreationLock(connection) { () throws(StoreError) in
                let isThere = try distributed.hasCheckFunction()
                if !isThere { try distributed.createCheckFunction() }
            }
        } catch {
            guard error.code == .accessDenied || error.code == .readOnly else { throw error }
            throw StoreError(
                .readOnly,
                "The store's distributed schema needs a function that the role may not create.",
                remedy: "Open the store once as its owner.", detail: error.detail, cause: error)
        }
        return true
    }

    /// Reads the store's metadata, and checks its format and its model; creates the store if the schema has none.
    private func description(_ connection: PostgresConnection) throws(StoreError) -> OpeningMetadata {
        let found: OpeningMetadata
        do throws(StoreError) {
            found = try query(connection, OpeningMetadata.init)
        } catch {
            guard connection.isAlive else {
                throw error.isMissingTable ? .lostConnectionError(error.detail ?? "") : error
            }
            if error.isMissingTable { try createStoreIfMissing(connection) }
            // The query can fail because the store has another format, so check that first.
            let format = try query(connection) { connection throws(StoreError) in
                try StoreCatalog(connection: connection).value(of: OpeningMetadata.formatKey)
            }
            try checkFormat(format)
            guard error.isMissingTable else { throw error }
            found = try query(connection, OpeningMetadata.init)
        }
        try checkFormat(found.format)
        try CurrentModel(found.fingerprint).check(model) { found.sharedFingerprint }
        return found
    }

    /// Runs a query with the settings that statements rely on.
    private func query<Result>(
        _ connection: PostgresConnection, _ body: (PostgresConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // Behind a pooler settings last for a transaction only.
        if !configuration.isPooled { return try body(connection) }
        return try connection.inTransaction { () throws(StoreError) in try body(connection) }
    }

    private var schema: String { configuration.quotedSchema }

    /// Creates the schema and the tables of a new store if they don't exist.
    private func createStoreIfMissing(_ connection: PostgresConnection) throws(StoreError) {
        if try hasStore(connection) { return }
        try withCreationLock(connection) { () throws(StoreError) in
            try createSchemaIfMissing(connection)
            let isThere = try hasStore(connection)
            if !isThere {
                try StoreCreation(model, connection).create()
            }
        }
    }

    /// Updates the functions of a store that an older version of the library created.
    ///
    /// If the role or the server is read-only, the older functions are used as long as they suffice.
    private func updateFunctions(_ connection: PostgresConnection) throws(StoreError) {
        let functions = FunctionCreation(connection)
        do throws(StoreError) {
            try withCreationLock(connection) { () throws(StoreError) in
                if try functions.version() >= StoredFunctions.version { return }
                try functions.replaceFunctions()
                try functions.recordVersion()
            }
        } catch {
            guard error.code == .readOnly else { throw error }
            if try functions.version() >= StoredFunctions.minimumVersion { return }
            throw StoreError(
                .readOnly,
                "The store needs functions of this version of the library, which the role may not create.",
                remedy: "Open the store once as its owner, on the primary server.", detail: error.detail,
                cause: error)
        }
    }

    /// Creates the history's sequence if it is missing, and advances it past the last record.
    ///
    /// An older version of the library created the store without it, or the tables were copied without their sequences.
    private func repairHistorySequence(_ connection: PostgresConnection) throws(StoreError) {
        let history = configuration.stored(StoreNames.history)
        do throws(StoreError) {
            try withCreationLock(connection) { () throws(StoreError) in
                try connection.createHistoryNumbers()
                // Wait for transactions that use numbers.
                try connection.execute("LOCK TABLE \(history) IN SHARE ROW EXCLUSIVE MODE")
                let last =
                    try connection.integer("SELECT coalesce(max(\"sequence\"), 0) FROM \(history)") ?? 0
                if try (ServerFacts(connection).lastSequenceValue ?? 0) < last {
                    var parameters = PostgresParameters()
                    parameters.append(configuration.stored(PostgresNames.historySequence))
                    parameters.append(last)
                    try connection.run("SELECT pg_catalog.setval($1::text::regclass, $2)", parameters)
                }
                // No transaction uses the numbers up to here any more, so gaps before this one are permanent.
                try StoreCatalog(connection: connection).setValue(
                    PostgresNames.gaplessHistoryEnd, "\(last)")
            }
        } catch {
            // A role without the privilege, or a standby, only reads. If the table is locked, a later opening does it.
            guard error.code == .readOnly || error.code == .busy else { throw error }
        }
    }

    /// Runs work in a transaction with an advisory lock, so that only one process at a time runs it.
    private func withCreationLock(
        _ connection: PostgresConnection, _ work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.inTransaction { () throws(StoreError) in
            var parameters = PostgresParameters()
            parameters.append(Self.creationLock)
            parameters.append(schema)
            try connection.run(
                "SELECT pg_catalog.pg_advisory_xact_lock($1::int4, pg_catalog.hashtext($2))", parameters)
            try work()
        }
    }

    /// The first half of the advisory lock's key, which other programs are unlikely to use; the second half identifies the schema.
    private static let creationLock: Int64 = 0x436F_6E74

    private func hasStore(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(configuration.stored(StoreNames.metadata))
        let result = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        return result.integer(0, 0) != 0
    }

    private func createSchemaIfMissing(_ connection: PostgresConnection) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(schema)
        let known = try connection.run("SELECT pg_catalog.to_regnamespace($1) IS NOT NULL", parameters)
        if known.integer(0, 0) == 0 { try connection.execute("CREATE SCHEMA \(schema)") }
    }

    private func checkFormat(_ format: String?) throws(StoreError) {
        let format = format.flatMap { Int($0) } ?? 0
        if format == Self.formatVersion { return }
        throw StoreError(
            .notAStore, "The store was created by another version of this library.",
            remedy: "Open the store with that version; nothing was changed.",
            detail: "Its format is \(format).")
    }
}
#endif
