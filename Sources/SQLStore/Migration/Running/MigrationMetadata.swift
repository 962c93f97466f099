import ContextCore
import Foundation

/// Reads and writes the metadata of a store's models and migrations in an open transaction.
struct MigrationMetadata {
    static let sharedModel = "shared_model"
    static let run = "migration.run"
    static let done = "migration.done"
    private static let cursor = "migration.cursor"
    private static let reviewedPlan = "migration.seal"
    private static let automatic = "migration.automatic"
    private static let versions = "migration.versions"

    let connection: any MigrationConnection

    private var dialect: SQLDialect { connection.dialect }
    private var catalog: StoreCatalog { StoreCatalog(connection: connection) }

    // MARK: Reading

    func storeID() throws(StoreError) -> UUID { try catalog.storeID() }

    func models() throws(StoreError) -> [StoredModel] {
        let rows = try rows(
            "SELECT \(name: "number"), \(name: "fingerprint"), \(name: "model") FROM \(name: StoreNames.models) ORDER BY 1",
            [.key, .text, .text])
        return rows.map {
            StoredModel(number: $0[0].number, fingerprint: $0[1].textValue, fileText: $0[2].textValue)
        }
    }

    /// Returns the numbers of the entities, including removed ones, by name.
    func numbers() throws(StoreError) -> [String: Int] {
        let rows = try rows(
            "SELECT \(name: "name"), \(name: "number") FROM \(name: StoreNames.entities)", [.text, .key])
        return Dictionary(rows.map { ($0[0].textValue, $0[1].number) }) { first, _ in first }
    }

    func entries() throws(StoreError) -> [MigrationState.Entry] {
        let rows = try rows(
            """
            SELECT \(name: "name"), \(name: "date"), \(name: "detail") FROM \(name: StoreNames.migrations) \
            ORDER BY \(name: "number")
            """, [.text, .date, .text])
        return rows.map { row in
            var date = Date(timeIntervalSince1970: 0)
            if case .timestamp(let microseconds) = row[1] {
                date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
            }
            return MigrationState.Entry(transition: row[0].textValue, date: date, detail: row[2].textValue)
        }
    }

    /// Returns the numbers of the models to which programs migrated the store automatically when they opened it.
    func automatic() throws(StoreError) -> Set<Int> {
        Set(try value(of: Self.automatic)?.split(separator: " ").compactMap { Int($0) } ?? [])
    }

    /// Returns the tables of the model in force and, during a migration, of the previous and the newer model.
    func ownTables() throws -> [TableSchema] {
        try StoreTableMappings(
            models: models(), record: record(), numbers: numbers(),
            maximumNameLength: dialect.maximumNameLength
        ).tables()
    }

    /// Returns the fingerprints of the versions that the store has or had, by version name.
    func versions() throws(StoreError) -> [String: String] { try decodedValue(of: Self.versions) ?? [:] }

    /// Returns the record of the unfinished migration; nil if there is none.
    func record() throws(StoreError) -> RunRecord? { try decodedValue(of: Self.run) }

    /// Returns whether programs with the previous model, which has a given fingerprint, can use the store during its migration.
    func isShared(from fingerprint: String) throws(StoreError) -> Bool {
        try value(of: Self.sharedModel) == fingerprint
    }

    /// Returns the digests of an approved plan whose remaining segments have yet to run; nil if there is none.
    func reviewedPlan() throws(StoreError) -> ReviewedPlan? { try decodedValue(of: Self.reviewedPlan) }

    private func decodedValue<Value: Decodable>(of name: String) throws(StoreError) -> Value? {
        try value(of: name).map { text throws(StoreError) in try Self.decoded(text) }
    }

    static func decoded<Value: Decodable>(_ text: String) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError(
                .corrupt, "The store's record of an unfinished migration can't be decoded.",
                remedy: "Finish the migration with the program version that began it, or restore a backup.",
                cause: error)
        }
    }

    /// Returns the number of completed steps of the unfinished migration.
    func doneSteps() throws(StoreError) -> Int { try value(of: Self.done).flatMap { Int($0) } ?? 0 }

    /// Returns the key of the last row that the current backfill has processed; nil before the first.
    func cursor() throws(StoreError) -> Int64? { try value(of: Self.cursor).flatMap { Int64($0) } }

    func value(of name: String) throws(StoreError) -> String? { try catalog.value(of: name) }

    private func rows(_ sql: SQLFragment, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try connection.rows(SQLText(sql, dialect), types)
    }

    // MARK: Writing

    func insertRecord(_ record: RunRecord) throws(StoreError) {
        try setValue(of: Self.run, encoding: record)
        try setValue(of: Self.done, to: "0")
        for name in [Self.cursor, Self.reviewedPlan] { try removeValue(of: name) }
    }

    /// Replaces the record of the unfinished migration.
    func update(_ record: RunRecord) throws(StoreError) { try setValue(of: Self.run, encoding: record) }

    private func setValue(of name: String, encoding value: some Encodable) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw StoreError(
                .database, "The record of the migration can't be encoded.",
                remedy: "This is a bug in the library. Please report it.")
        }
        try setValue(of: name, to: String(decoding: data, as: UTF8.self))
    }

    func setDone(_ count: Int) throws(StoreError) {
        try setValue(of: Self.done, to: String(count))
        try removeValue(of: Self.cursor)
    }

    func setCursor(_ key: Int64) throws(StoreError) { try setValue(of: Self.cursor, to: String(key)) }

    /// Records that the migration is complete.
    func finish(_ record: RunRecord, detail: String) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor] { try removeValue(of: name) }
        if record.reviewedPlan.isReviewed, !record.reviewedPlan.rest.isEmpty {
            try setValue(of: Self.reviewedPlan, encoding: record.reviewedPlan)
        }
        if record.isAutomatic { try recordAutomaticMigration() }
        if let names = record.names { try recordVersions([names.from: record.from, names.to: record.to]) }
        try insertEntry(record.transition, detail)
    }

    /// Records that the store was migrated automatically to the latest model.
    ///
    /// Programs with different models may migrate the store back and forth, so only the latest row of each model since the last explicit
    /// migration is kept.
    private func recordAutomaticMigration() throws(StoreError) {
        let models = try models()
        guard let last = models.last else { return }
        var numbers = try automatic().union([last.number])
        let lastExplicit = models.lastIndex { !numbers.contains($0.number) } ?? models.startIndex
        for model in models[lastExplicit...].dropLast()
        where model.fingerprint == last.fingerprint && numbers.contains(model.number) {
            try run(
                "DELETE FROM \(name: StoreNames.models) WHERE \(name: "number") = \(number: model.number)")
        }
        numbers.formIntersection(try self.models().map(\.number))
        try setValue(of: Self.automatic, to: numbers.sorted().map(String.init).joined(separator: " "))
    }

    /// Records versions of the model that the store has or had.
    ///
    /// - Parameter fingerprints: The fingerprints of the versions by name.
    func recordVersions(_ fingerprints: [String: String]) throws(StoreError) {
        try setValue(of: Self.versions, encoding: try versions().merging(fingerprints) { $1 })
    }

    /// Records a version of the model that the existing tables match, without a migration.
    func adopt(_ version: ModelVersion) throws(StoreError) {
        let number = (try models().last?.number ?? 0) + 1
        try insert(number, version.model.fingerprint, version.model.fileText)
        try removeValue(of: Self.reviewedPlan)
        try recordVersions([version.name: version.model.fingerprint])
        try insertEntry("to \(version.name)", "adopted")
    }

    private func insertEntry(_ name: String, _ detail: String) throws(StoreError) {
        try run(
            """
            INSERT INTO \(name: StoreNames.migrations) (\(name: "number"), \(name: "name"), \(name: "date"), \(name: "detail")) \
            SELECT coalesce(max(\(name: "number")), 0) + 1, \(text(name)), \
            \(.value(Date().storedValue, .date)), \(text(detail)) FROM \(name: StoreNames.migrations)
            """)
    }

    /// Deletes the digests of the approved plan.
    func removeReviewedPlan() throws(StoreError) { try removeValue(of: Self.reviewedPlan) }

    /// Deletes the record of a migration that was rolled back, so that the previous model is in force again.
    func removeRolledBackRun(_ record: RunRecord) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor, Self.reviewedPlan, Self.sharedModel] {
            try removeValue(of: name)
        }
        try run(
            """
            DELETE FROM \(name: StoreNames.models) WHERE \(name: "number") = \
            (SELECT max(\(name: "number")) FROM \(name: StoreNames.models)) \
            AND \(name: "fingerprint") IN (\(text(record.to)), \(text(RunRecord.unfinished + record.to)))
            """)
    }

    /// Changes the models in force as a step of a migration specifies.
    func applyForce(_ force: MigrationStep.Force, _ record: RunRecord) throws(StoreError) {
        guard let last = try models().last else { return }
        switch force {
        case .unchanged: return
        case .none:
            if !last.fingerprint.hasPrefix(RunRecord.unfinished) {
                try insert(last.number + 1, RunRecord.unfinished + record.to, last.fileText)
            }
        case .both:
            try insert(last.number + 1, record.to, record.model)
            try setValue(of: Self.sharedModel, to: record.from)
        case .newer:
            try removeValue(of: Self.sharedModel)
            if last.fingerprint == record.to, last.fileText == record.model { return }
            if last.fingerprint.hasPrefix(RunRecord.unfinished) {
                try run(
                    """
                    UPDATE \(name: StoreNames.models) SET \(name: "fingerprint") = \(text(record.to)), \
                    \(name: "model") = \(text(record.model)) WHERE \(name: "number") = \(number: last.number)
                    """)
            } else {
                try insert(last.number + 1, record.to, record.model)
            }
        }
    }

    private func insert(_ number: Int, _ fingerprint: String, _ model: String) throws(StoreError) {
        try catalog.insertModel(number, fingerprint: fingerprint, fileText: model)
    }

    private func setValue(of name: String, to value: String) throws(StoreError) {
        try catalog.setValue(name, value)
    }

    private func removeValue(of name: String) throws(StoreError) {
        try run("DELETE FROM \(name: StoreNames.metadata) WHERE \(name: "name") = \(text(name))")
    }

    private func run(_ sql: SQLFragment) throws(StoreError) { try connection.run(SQLText(sql, dialect)) }

    private func text(_ value: String) -> SQLFragment { "\(.value(.string(value), .text))" }
}

extension StoredValue {
    var number: Int { if case .int(let value) = self { Int(value) } else { 0 } }
    var textValue: String { if case .string(let text) = self { text } else { "" } }
}
