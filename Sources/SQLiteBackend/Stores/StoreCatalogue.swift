#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Reads and writes what a store keeps about itself.
struct StoreCatalogue {
    private static let notePrefix = "user."

    let connection: SQLiteConnection

    func storeID() throws(StoreError) -> UUID {
        if let text = try note("store_id"), let id = UUID(uuidString: text) { return id }
        throw StoreError(
            .corrupt, "The store doesn't say who it is.", remedy: "Restore a backup.",
            detail: "The note store_id is missing.")
    }

    /// The numbers that stand for entities.
    func entityNumbers() throws(StoreError) -> [String: Int] {
        let statement = try connection.statement("SELECT \"number\", \"name\" FROM \"_store_entities\"")
        defer { statement.reset() }
        var numbers: [String: Int] = [:]
        while try statement.step() { numbers[statement.text(1)] = Int(statement.integer(0)) }
        return numbers
    }

    /// The fingerprint of the model that the store was made or migrated with.
    func modelFingerprint() throws(StoreError) -> String {
        try connection.text(
            "SELECT \"fingerprint\" FROM \"_store_models\" ORDER BY \"number\" DESC LIMIT 1") ?? ""
    }

    /// What was noted under a name.
    func note(_ name: String) throws(StoreError) -> String? {
        let statement = try connection.statement(
            "SELECT \"value\" FROM \"_store_metadata\" WHERE \"name\" = ?1")
        defer { statement.reset() }
        try statement.bind(1, name)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Notes something, in place of what was noted before.
    func note(_ name: String, _ value: String) throws(StoreError) {
        let statement = try connection.statement(
            """
            INSERT INTO "_store_metadata" ("name", "value") VALUES (?1, ?2) \
            ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"
            """)
        defer { statement.reset() }
        try statement.bind(1, name)
        try statement.bind(2, value)
        try statement.run()
    }

    /// What a program noted.
    func userInfo() throws(StoreError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT \"name\", \"value\" FROM \"_store_metadata\" WHERE \"name\" >= 'user.' AND \"name\" < 'user/'"
        )
        defer { statement.reset() }
        var info: [String: String] = [:]
        while try statement.step() {
            info[String(statement.text(0).dropFirst(Self.notePrefix.count))] = statement.text(1)
        }
        return info
    }

    func setUserInfo(_ info: [String: String]) throws(StoreError) {
        try connection.execute(
            "DELETE FROM \"_store_metadata\" WHERE \"name\" >= 'user.' AND \"name\" < 'user/'")
        for (name, value) in info { try note(Self.notePrefix + name, value) }
    }

    /// The number of the last transaction.
    func lastSequence() throws(StoreError) -> Int64 {
        try connection.integer("SELECT max(\"sequence\") FROM \"_store_history\"") ?? 0
    }
}
#endif
