#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Reads and writes a store's metadata.
struct StoreCatalogue {
    private static let notePrefix = "user."

    let connection: SQLiteConnection

    func storeID() throws(StoreError) -> UUID {
        if let text = try value(of: "store_id"), let id = UUID(uuidString: text) { return id }
        throw StoreError(
            .corrupt, "The store has no identifier.", remedy: "Restore a backup.",
            detail: "Its metadata has no store_id.")
    }

    /// Returns the entity numbers, which include each entity of the model.
    func entityNumbers(of model: ObjectModel) throws(StoreError) -> [String: Int] {
        let statement = try connection.statement("SELECT \"number\", \"name\" FROM \"_store_entities\"")
        defer { statement.reset() }
        var names: [Int64: String] = [:]
        var numbers: [String: Int] = [:]
        while try statement.step() {
            let (number, name) = (statement.integer(0), try statement.text(1))
            names[number] = name
            numbers[name] = Int(number)
        }
        let isSound =
            names.count == numbers.count && model.layouts.allSatisfy { numbers[$0.name] != nil }
            && numbers.values.allSatisfy { (1...Int(Int32.max)).contains($0) }
        if isSound { return numbers }
        throw StoreError(
            .corrupt, "The store's entity numbers are missing or invalid.", remedy: "Restore a backup.",
            detail: "The numbers are \(numbers.values.sorted()).")
    }

    /// Returns the fingerprint of the model that the store was created or migrated with.
    func modelFingerprint() throws(StoreError) -> String {
        try connection.text(
            "SELECT \"fingerprint\" FROM \"_store_models\" ORDER BY \"number\" DESC LIMIT 1") ?? ""
    }

    /// Returns the metadata value of a name.
    func value(of name: String) throws(StoreError) -> String? {
        let statement = try connection.statement(
            "SELECT \"value\" FROM \"_store_metadata\" WHERE \"name\" = ?1")
        defer { statement.reset() }
        try statement.bind(1, name)
        return try statement.step() ? try statement.text(0) : nil
    }

    /// Sets the metadata value of a name.
    func setValue(_ name: String, _ value: String) throws(StoreError) {
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

    /// Returns the metadata of the program.
    func userInfo() throws(StoreError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT \"name\", \"value\" FROM \"_store_metadata\" WHERE \"name\" >= 'user.' AND \"name\" < 'user/'"
        )
        defer { statement.reset() }
        var info: [String: String] = [:]
        while try statement.step() {
            info[String(try statement.text(0).dropFirst(Self.notePrefix.count))] = try statement.text(1)
        }
        return info
    }

    func setUserInfo(_ info: [String: String]) throws(StoreError) {
        try connection.execute(
            "DELETE FROM \"_store_metadata\" WHERE \"name\" >= 'user.' AND \"name\" < 'user/'")
        for (name, value) in info { try setValue(Self.notePrefix + name, value) }
    }
}
#endif
