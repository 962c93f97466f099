package import ContextCore
import Foundation

/// Reads and writes a store's metadata.
package struct StoreCatalog {
    /// The name of the last number that was pruned from the history.
    package static let prunedHistory = "history_pruned"
    private static let userInfoPrefix = "user."

    private let connection: any SQLConnection

    package init(connection: any SQLConnection) { self.connection = connection }

    package func storeID() throws(StoreError) -> UUID {
        if let text = try value(of: "store_id"), let id = UUID(uuidString: text) { return id }
        throw Self.missingIdentifier
    }

    /// The error of a store without an identifier.
    package static let missingIdentifier = StoreError(
        .corrupt, "The store has no identifier.", remedy: "Restore a backup.",
        detail: "Its metadata has no store_id.")

    /// Returns the numbers of the entities by name.
    package func entityNumbers() throws(StoreError) -> [String: Int] { Self.numbers(try entities()) }

    /// Returns the numbers of the entities by name, and checks that they are valid and include each entity of the model.
    package func entityNumbers(of model: ObjectModel) throws(StoreError) -> [String: Int] {
        let entities = try entities()
        let numbers = Self.numbers(entities)
        let isSound =
            Set(entities.map(\.number)).count == numbers.count
            && model.layouts.allSatisfy { numbers[$0.name] != nil }
            && numbers.values.allSatisfy { (1...Int(Int32.max)).contains($0) }
        if isSound { return numbers }
        throw StoreError(
            .corrupt, "The store's entity numbers are missing or invalid.", remedy: "Restore a backup.",
            detail: "The numbers are \(numbers.values.sorted()).")
    }

    private func entities() throws(StoreError) -> [(number: Int, name: String)] {
        try rows(#"SELECT "number", "name" FROM \#(stored: StoreNames.entities)"#, [.key, .text])
            .map { ($0[0].number, $0[1].textValue) }
    }

    private static func numbers(_ entities: [(number: Int, name: String)]) -> [String: Int] {
        Dictionary(entities.map { ($0.name, $0.number) }) { _, last in last }
    }

    /// Returns the fingerprint of the model that the store was created with or last migrated to.
    package func modelFingerprint() throws(StoreError) -> String {
        try rows(
            #"SELECT "fingerprint" FROM \#(stored: StoreNames.models) ORDER BY "number" DESC LIMIT 1"#,
            [.text]
        ).first?[0].textValue ?? ""
    }

    // MARK: Values

    /// Returns the metadata value of a name.
    package func value(of name: String) throws(StoreError) -> String? {
        try rows(
            #"SELECT "value" FROM \#(stored: StoreNames.metadata) WHERE "name" = \#(text(name))"#, [.text]
        ).first?[0].textValue
    }

    /// Sets the metadata value of a name.
    package func setValue(_ name: String, _ value: String) throws(StoreError) {
        try run(
            """
            INSERT INTO \(stored: StoreNames.metadata) ("name", "value") VALUES (\(text(name)), \(text(value))) \
            ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"
            """)
    }

    /// Returns the metadata of the program.
    package func userInfo() throws(StoreError) -> [String: String] {
        let rows = try rows(
            """
            SELECT "name", "value" FROM \(stored: StoreNames.metadata) WHERE \(connection.dialect.isUserInfo)
            """, [.text, .text])
        let info = rows.map {
            (String($0[0].textValue.dropFirst(Self.userInfoPrefix.count)), $0[1].textValue)
        }
        return Dictionary(info) { _, last in last }
    }

    package func setUserInfo(_ info: [String: String]) throws(StoreError) {
        try run("DELETE FROM \(stored: StoreNames.metadata) WHERE \(connection.dialect.isUserInfo)")
        for (name, value) in info { try setValue(Self.userInfoPrefix + name, value) }
    }

    // MARK: Creation

    /// Inserts the metadata of a new store: the entities' numbers, the model and the identifier.
    package func insertMetadata(of mapping: StoreMapping) throws(StoreError) {
        for entity in mapping.entities {
            try run(
                """
                INSERT INTO \(stored: StoreNames.entities) ("number", "name") \
                VALUES (\(.value(.int(Int64(entity.number)), .key)), \(text(entity.layout.name)))
                """)
        }
        try insertModel(1, fingerprint: mapping.model.fingerprint, fileText: mapping.model.fileText)
        try setValue("store_id", UUID().uuidString)
    }

    /// Inserts a model that the store was created with or migrated to.
    func insertModel(_ number: Int, fingerprint: String, fileText: String) throws(StoreError) {
        try run(
            """
            INSERT INTO \(stored: StoreNames.models) ("number", "fingerprint", "model") \
            VALUES (\(number: number), \(text(fingerprint)), \(text(fileText)))
            """)
    }

    // MARK: History

    /// Returns the number of the last save that was pruned from the history; 0 if none was.
    package func prunedSequence() throws(StoreError) -> Int64 {
        try value(of: Self.prunedHistory).flatMap { Int64($0) } ?? 0
    }

    /// Deletes history records up to a number, but keeps the last record, which determines the next number.
    ///
    /// - Parameters:
    ///   - last: The number of the last record, or one that is not greater than the numbers of the transaction's own records.
    ///   - end: The greatest number up to which the history may be considered pruned.
    package func pruneHistory(
        through sequence: Int64, keeping last: Int64, end: Int64
    ) throws(StoreError) {
        // Different types, so that equal values are two parameters all the same, and the statement stays prepared.
        try run(
            """
            DELETE FROM \(stored: StoreNames.history) WHERE "sequence" <= \(.value(.int(sequence), .key)) \
            AND "sequence" < \(.value(.int(last), .integer(bits: 64)))
            """)
        if sequence > (try prunedSequence()) {
            try setValue(Self.prunedHistory, String(min(sequence, end)))
        }
    }

    // MARK: Running

    private func rows(_ sql: SQLFragment, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try connection.rows(SQLText(sql, connection.dialect), types)
    }

    private func run(_ sql: SQLFragment) throws(StoreError) {
        try connection.run(SQLText(sql, connection.dialect))
    }

    private func text(_ value: String) -> SQLFragment { "\(.value(.string(value), .text))" }
}
