#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Reads and writes what a store keeps about itself.
struct StoreCatalogue {
    private static let notePrefix = "user."

    let connection: PostgresConnection

    private var entities: String { connection.configuration.stored(StoreNames.entities) }
    private var models: String { connection.configuration.stored(StoreNames.models) }
    private var metadata: String { connection.configuration.stored(StoreNames.metadata) }

    func storeID() throws(StoreError) -> UUID {
        if let text = try note("store_id"), let id = UUID(uuidString: text) { return id }
        throw StoreError(
            .corrupt, "The store doesn't say who it is.", remedy: "Restore a backup.",
            detail: "The note store_id is missing.")
    }

    /// The numbers that stand for entities.
    func entityNumbers() throws(StoreError) -> [String: Int] {
        let result = try connection.run("SELECT \"number\", \"name\" FROM \(entities)")
        var numbers: [String: Int] = [:]
        for row in 0..<result.count { numbers[result.text(row, 1)] = Int(result.integer(row, 0)) }
        return numbers
    }

    /// The fingerprint of the model that the store was made or migrated with.
    func modelFingerprint() throws(StoreError) -> String {
        let result = try connection.run(
            "SELECT \"fingerprint\" FROM \(models) ORDER BY \"number\" DESC LIMIT 1")
        return result.count == 0 ? "" : result.text(0, 0)
    }

    /// What was noted under a name.
    func note(_ name: String) throws(StoreError) -> String? {
        var parameters = PostgresParameters()
        parameters.append(name)
        let result = try connection.run(
            "SELECT \"value\" FROM \(metadata) WHERE \"name\" = $1", parameters)
        return result.count == 0 ? nil : result.text(0, 0)
    }

    /// Notes something, in place of what was noted before.
    func note(_ name: String, _ value: String) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(name)
        parameters.append(value)
        try connection.run(
            """
            INSERT INTO \(metadata) ("name", "value") VALUES ($1, $2) \
            ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"
            """, parameters)
    }

    /// What a program noted.
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
        for (name, value) in info { try note(Self.notePrefix + name, value) }
    }

    /// The last save that is not kept in the history any more; 0 where all are.
    func prunedSequence() throws(StoreError) -> Int64 {
        try note(PostgresNames.prunedHistory).flatMap { Int64($0) } ?? 0
    }
}
#endif
