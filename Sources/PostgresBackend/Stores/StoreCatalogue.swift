#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Reads and writes a store's metadata.
struct StoreCatalogue {
    private static let notePrefix = "user."

    let connection: PostgresConnection

    private var entities: String { connection.configuration.stored(StoreNames.entities) }
    private var models: String { connection.configuration.stored(StoreNames.models) }
    private var metadata: String { connection.configuration.stored(StoreNames.metadata) }

    func storeID() throws(StoreError) -> UUID {
        if let text = try value(of: "store_id"), let id = UUID(uuidString: text) { return id }
        throw StoreError(
            .corrupt, "The store's identifier is missing from its metadata.", remedy: "Restore a backup.",
            detail: "The metadata has no store_id.")
    }

    /// Returns the numbers of the entities by name.
    func entityNumbers() throws(StoreError) -> [String: Int] {
        let result = try connection.run("SELECT \"number\", \"name\" FROM \(entities)")
        var numbers: [String: Int] = [:]
        for row in 0..<result.count { numbers[result.text(row, 1)] = Int(result.integer(row, 0)) }
        return numbers
    }

    /// Returns the fingerprint of the model that the store was created with or last migrated to.
    func modelFingerprint() throws(StoreError) -> String {
        let result = try connection.run(
            "SELECT \"fingerprint\" FROM \(models) ORDER BY \"number\" DESC LIMIT 1")
        return result.count == 0 ? "" : result.text(0, 0)
    }

    /// Returns the metadata value of a key.
    func value(of name: String) throws(StoreError) -> String? {
        var parameters = PostgresParameters()
        parameters.append(name)
        let result = try connection.run(
            "SELECT \"value\" FROM \(metadata) WHERE \"name\" = $1", parameters)
        return result.count == 0 ? nil : result.text(0, 0)
    }

    /// Sets the metadata value of a key.
    func setValue(_ name: String, _ value: String) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(name)
        parameters.append(value)
        try connection.run(
            """
            INSERT INTO \(metadata) ("name", "value") VALUES ($1, $2) \
            ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"
            """, parameters)
    }

    /// Returns the user info.
    func userInfo() throws(StoreError) -> [String: String] {
        let result = try connection.run(
            "SELECT \"name\", \"value\" FROM \(metadata) WHERE starts_with(\"name\", 'user.')")
        var info: [String: String] = [:]
        for row in 0..<result.count {
            info[String(result.text(row, 0).dropFirst(Self.notePrefix.count))] = result.text(row, 1)
        }
        return info
    }

    func setUserInfo(_ info: [String: String]) throws(StoreError) {
        try connection.run("DELETE FROM \(metadata) WHERE starts_with(\"name\", 'user.')")
        for (name, value) in info { try setValue(Self.notePrefix + name, value) }
    }

    /// Returns the number of the last save that was pruned from the history; 0 if none was.
    func prunedSequence() throws(StoreError) -> Int64 {
        try value(of: PostgresNames.prunedHistory).flatMap { Int64($0) } ?? 0
    }
}
#endif
