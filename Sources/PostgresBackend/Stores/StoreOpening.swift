#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Opens a store, or makes one where the schema has none.
struct StoreOpening {
    /// What the tables of the store's own look like; a newer one is not touched.
    static let formatVersion = 1

    let model: ObjectModel
    let configuration: PostgresConfiguration

    func open() throws(StoreError) -> PostgresStore {
        let pool = PostgresPool(configuration)
        let connection = try pool.take(for: "open")
        defer { pool.giveBack(connection) }
        let description = try description(connection)
        if description.functionsVersion < StoredFunctions.version { try renewFunctions(connection) }
        let facts = try asking(connection, ServerFacts.init)
        if !facts.numbers(beyond: description) { try addHistoryNumbers(connection) }
        let mapping = StoreMapping(
            model, numbers: description.entityNumbers, longestName: SQLDialect.postgres.longestName)
        return PostgresStore(
            model: model, mapping: mapping, configuration: configuration, storeID: description.storeID,
            pool: pool, isDistributed: facts.mayBeDistributed ? try prepareNode(connection) : false)
    }

    /// Gives a store in a distributed schema what its node needs; returns whether the store is in one.
    private func prepareNode(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        let distributed = DistributedSchema(connection: connection)
        guard try distributed.isDistributed() else { return false }
        if try distributed.hasCheck() { return true }
        do throws(StoreError) {
            try alone(connection) { () throws(StoreError) in
                let isThere = try distributed.hasCheck()
                if !isThere { try distributed.createCheck() }
            }
        } catch {
            guard error.code == .accessDenied || error.code == .readOnly else { throw error }
            throw StoreError(
                .readOnly,
                "The store's schema is distributed to a node, which needs a function that the role may not make.",
                remedy: "Let the store's owner open it once.", detail: error.detail, cause: error)
        }
        return true
    }

    /// Reads what the store says about itself, and checks that this library and this model can work with it; makes a store where there is
    /// none.
    private func description(_ connection: PostgresConnection) throws(StoreError) -> StoreDescription {
        let found: StoreDescription
        do throws(StoreError) {
            found = try asking(connection, StoreDescription.init)
        } catch {
            guard connection.isAlive else { throw error }
            if error.isOfMissingTable { try prepare(connection) }
            // A store of another format may not have all that this version reads.
            let format = try asking(connection) { connection throws(StoreError) in
                try StoreCatalogue(connection: connection).note(StoreDescription.formatKey)
            }
            try checkFormat(format)
            guard error.isOfMissingTable else { throw error }
            found = try asking(connection, StoreDescription.init)
        }
        try checkFormat(found.format)
        try checkModel(found)
        return found
    }

    /// Asks the server something, with the settings that statements rely on.
    private func asking<Answer>(
        _ connection: PostgresConnection, _ question: (PostgresConnection) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        // Behind a pooler a session has none, and each transaction sets them for itself.
        if !configuration.isPooled { return try question(connection) }
        return try connection.inTransaction { () throws(StoreError) in try question(connection) }
    }

    private var schema: String { configuration.quotedSchema }

    /// Makes the tables of a new store.
    private func prepare(_ connection: PostgresConnection) throws(StoreError) {
        if try hasStore(connection) { return }
        try alone(connection) { () throws(StoreError) in
            try makeSchema(connection)
            let isThere = try hasStore(connection)
            if !isThere {
                try StoreCreation(model: model, connection: connection).create()
            }
        }
    }

    /// Gives a store that an older version of the library made the functions of this one.
    ///
    /// Who may not, as on a standby, works with the older ones where they will do.
    private func renewFunctions(_ connection: PostgresConnection) throws(StoreError) {
        let functions = FunctionCreation(connection)
        do throws(StoreError) {
            try alone(connection) { () throws(StoreError) in
                if try functions.version() >= StoredFunctions.version { return }
                try functions.remake()
                try functions.note()
            }
        } catch {
            guard error.code == .readOnly else { throw error }
            if try functions.version() >= StoredFunctions.leastVersion { return }
            throw StoreError(
                .readOnly,
                "The store needs functions of this version of the library, and the role may not make them.",
                remedy: "Let the store's owner open it once, on the primary server.", detail: error.detail,
                cause: error)
        }
    }

    /// Makes the sequence for the lines of the history go on after the last one: an older version of the library made the store without
    /// it, or its tables were copied without their sequences.
    private func addHistoryNumbers(_ connection: PostgresConnection) throws(StoreError) {
        let history = configuration.stored(StoreNames.history)
        do throws(StoreError) {
            try alone(connection) { () throws(StoreError) in
                try connection.execute(StoreCreation.historyNumbers(configuration))
                // Transactions that have taken numbers are waited for.
                try connection.execute("LOCK TABLE \(history) IN SHARE ROW EXCLUSIVE MODE")
                let last =
                    try connection.integer("SELECT coalesce(max(\"sequence\"), 0) FROM \(history)") ?? 0
                if try (ServerFacts(connection).lastGivenNumber ?? 0) < last {
                    var parameters = PostgresParameters()
                    parameters.append(configuration.stored(PostgresNames.historyNumbers))
                    parameters.append(last)
                    try connection.run("SELECT pg_catalog.setval($1::text::regclass, $2)", parameters)
                }
                // Nobody is at work on the numbers up to here, whether or not they have lines.
                try StoreCatalogue(connection: connection).note(PostgresNames.settledHistory, "\(last)")
            }
        } catch {
            // A role without the right, or a program on a standby, only reads. Where others write, there is another opening.
            guard error.code == .readOnly || error.code == .busy else { throw error }
        }
    }

    /// Does something in one transaction; of several processes that want to, one does it, and the others find it done.
    private func alone(
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

    /// Any number that others are unlikely to lock; the second half is the schema's.
    private static let creationLock: Int64 = 0x436F_6E74

    private func hasStore(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        var parameters = PostgresParameters()
        parameters.append(configuration.stored(StoreNames.metadata))
        let result = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        return result.integer(0, 0) != 0
    }

    private func makeSchema(_ connection: PostgresConnection) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(schema)
        let known = try connection.run("SELECT pg_catalog.to_regnamespace($1) IS NOT NULL", parameters)
        if known.integer(0, 0) == 0 { try connection.execute("CREATE SCHEMA \(schema)") }
    }

    private func checkFormat(_ format: String?) throws(StoreError) {
        let format = format.flatMap { Int($0) } ?? 0
        if format == Self.formatVersion { return }
        throw StoreError(
            .notAStore, "The store was made by another version of this library.",
            remedy: "Open it with that version; nothing was changed.", detail: "Its format is \(format).")
    }

    private func checkModel(_ found: StoreDescription) throws(StoreError) {
        if found.fingerprint == model.fingerprint { return }
        // Between two phases of a migration, programs of both versions work on the store.
        if found.sharedFingerprint == model.fingerprint { return }
        throw ModelInForce(found.fingerprint).mismatch(model)
    }
}
#endif
