import ContextCore
import Foundation

/// Reads and writes the metadata of a store's models and migrations in an open transaction.
struct MigrationNotes {
    static let sharedModel = "shared_model"
    static let run = "migration.run"
    static let done = "migration.done"
    private static let cursor = "migration.cursor"
    private static let seal = "migration.seal"
    private static let automatic = "migration.automatic"
    private static let versions = "migration.versions"

    let connection: any MigrationConnection

    private var dialect: SQLDialect { connection.spelling.dialect }

    // MARK: Reading

    func storeID() throws(StoreError) -> UUID {
        if let text = try note("store_id"), let id = UUID(uuidString: text) { return id }
        throw StoreError(
            .corrupt, "The store has no identifier.", remedy: "Restore a backup.",
            detail: "Its metadata has no store_id.")
    }

    func models() throws(StoreError) -> [StoredModel] {
        let rows = try rows(
            "SELECT \(name: "number"), \(name: "fingerprint"), \(name: "model") FROM \(name: StoreNames.models) ORDER BY 1",
            [.key, .text, .text])
        return rows.map { StoredModel(number: $0[0].number, fingerprint: $0[1].words, fileText: $0[2].words) }
    }

    /// The numbers of the entities, including those of removed entities.
    func numbers() throws(StoreError) -> [String: Int] {
        let rows = try rows(
            "SELECT \(name: "name"), \(name: "number") FROM \(name: StoreNames.entities)", [.text, .key])
        return Dictionary(rows.map { ($0[0].words, $0[1].number) }) { first, _ in first }
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
            return MigrationState.Entry(transition: row[0].words, date: date, detail: row[2].words)
        }
    }

    /// The numbers of the models that were put in force when a program opened the store.
    func automatic() throws(StoreError) -> Set<Int> {
        Set(try note(Self.automatic)?.split(separator: " ").compactMap { Int($0) } ?? [])
    }

    /// The tables of the model in force; during a migration, also those of the previous and the newer model.
    func ownTables() throws -> [TableSchema] {
        try OwnMappings(
            models: models(), record: record(), numbers: numbers(), longestName: dialect.longestName
        ).tables()
    }

    /// The fingerprints of the versions that the store had, by name.
    func versions() throws(StoreError) -> [String: String] { try value(Self.versions) ?? [:] }

    /// The unfinished migration, if there is one.
    func record() throws(StoreError) -> RunRecord? { try value(Self.run) }

    /// Whether programs of both versions can use the store, which is being migrated from the model with a fingerprint.
    func isShared(from fingerprint: String) throws(StoreError) -> Bool {
        try note(Self.sharedModel) == fingerprint
    }

    /// The rest of a reviewed plan, between two of its segments.
    func seal() throws(StoreError) -> MigrationSeal? { try value(Self.seal) }

    private func value<Value: Decodable>(_ name: String) throws(StoreError) -> Value? {
        try note(name).map { text throws(StoreError) in try Self.decoded(text) }
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

    /// The number of completed steps of the unfinished migration.
    func doneSteps() throws(StoreError) -> Int { try note(Self.done).flatMap { Int($0) } ?? 0 }

    /// The key of the last row that the current backfill has processed.
    func cursor() throws(StoreError) -> Int64? { try note(Self.cursor).flatMap { Int64($0) } }

    func note(_ name: String) throws(StoreError) -> String? {
        try rows(
            "SELECT \(name: "value") FROM \(name: StoreNames.metadata) WHERE \(name: "name") = \(text(name))",
            [.text]
        ).first?[0].words
    }

    private func rows(_ sql: SQLFragment, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try connection.rows(SQLText(sql, dialect), types)
    }

    // MARK: Writing

    func begin(_ record: RunRecord) throws(StoreError) {
        try note(Self.run, value: record)
        try note(Self.done, "0")
        for name in [Self.cursor, Self.seal] { try forget(name) }
    }

    /// Replaces the record of the unfinished migration.
    func update(_ record: RunRecord) throws(StoreError) { try note(Self.run, value: record) }

    private func note(_ name: String, value: some Encodable) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw StoreError(.database, "The record of the migration can't be encoded.")
        }
        try note(name, String(decoding: data, as: UTF8.self))
    }

    func setDone(_ count: Int) throws(StoreError) {
        try note(Self.done, String(count))
        try forget(Self.cursor)
    }

    func setCursor(_ key: Int64) throws(StoreError) { try note(Self.cursor, String(key)) }

    /// Records that the migration is complete.
    func finish(_ record: RunRecord, detail: String) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor] { try forget(name) }
        if record.seal.isReviewed, !record.seal.rest.isEmpty { try note(Self.seal, value: record.seal) }
        if record.isAutomatic { try recordAutomaticModel() }
        if let names = record.names { try noteVersions([names.from: record.from, names.to: record.to]) }
        try enter(record.transition, detail)
    }

    /// Records that a program that opened the store put the model in force.
    ///
    /// Programs with different models may migrate the store back and forth without end, so only the latest row of each model since the
    /// last explicit migration is kept.
    private func recordAutomaticModel() throws(StoreError) {
        let models = try models()
        guard let last = models.last else { return }
        var numbers = try automatic().union([last.number])
        let decided = models.lastIndex { !numbers.contains($0.number) } ?? models.startIndex
        for model in models[decided...].dropLast()
        where model.fingerprint == last.fingerprint && numbers.contains(model.number) {
            try run(
                "DELETE FROM \(name: StoreNames.models) WHERE \(name: "number") = \(number: model.number)")
        }
        numbers.formIntersection(try self.models().map(\.number))
        try note(Self.automatic, numbers.sorted().map(String.init).joined(separator: " "))
    }

    /// Records the names of versions that the store has or had.
    func noteVersions(_ fingerprints: [String: String]) throws(StoreError) {
        try note(Self.versions, value: try versions().merging(fingerprints) { $1 })
    }

    /// Records that the tables match a version.
    func adopt(_ version: ModelVersion) throws(StoreError) {
        let number = (try models().last?.number ?? 0) + 1
        try insert(number, version.model.fingerprint, version.model.fileText)
        try forget(Self.seal)
        try noteVersions([version.name: version.model.fingerprint])
        try enter("to \(version.name)", "adopted")
    }

    private func enter(_ name: String, _ detail: String) throws(StoreError) {
        try run(
            """
            INSERT INTO \(name: StoreNames.migrations) (\(name: "number"), \(name: "name"), \(name: "date"), \(name: "detail")) \
            SELECT coalesce(max(\(name: "number")), 0) + 1, \(text(name)), \
            \(.value(Date().storedValue, .date)), \(text(detail)) FROM \(name: StoreNames.migrations)
            """)
    }

    /// Deletes the rest of a reviewed plan.
    func forgetSeal() throws(StoreError) { try forget(Self.seal) }

    /// Deletes the record of a migration that was rolled back, so that the previous model is in force again.
    func abandon(_ record: RunRecord) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor, Self.seal, Self.sharedModel] { try forget(name) }
        try run(
            """
            DELETE FROM \(name: StoreNames.models) WHERE \(name: "number") = \
            (SELECT max(\(name: "number")) FROM \(name: StoreNames.models)) \
            AND \(name: "fingerprint") IN (\(text(record.to)), \(text(RunRecord.unfinished + record.to)))
            """)
    }

    /// Puts the models in force that a step specifies.
    func put(_ force: MigrationStep.Force, _ record: RunRecord) throws(StoreError) {
        guard let last = try models().last else { return }
        switch force {
        case .unchanged: return
        case .none:
            if !last.fingerprint.hasPrefix(RunRecord.unfinished) {
                try insert(last.number + 1, RunRecord.unfinished + record.to, last.fileText)
            }
        case .both:
            try insert(last.number + 1, record.to, record.model)
            try note(Self.sharedModel, record.from)
        case .newer:
            try forget(Self.sharedModel)
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
        try run(
            """
            INSERT INTO \(name: StoreNames.models) (\(name: "number"), \(name: "fingerprint"), \(name: "model")) \
            VALUES (\(number: number), \(text(fingerprint)), \(text(model)))
            """)
    }

    private func note(_ name: String, _ value: String) throws(StoreError) {
        try run(
            """
            INSERT INTO \(name: StoreNames.metadata) (\(name: "name"), \(name: "value")) VALUES (\(text(name)), \(text(value))) \
            ON CONFLICT (\(name: "name")) DO UPDATE SET \(name: "value") = excluded.\(name: "value")
            """)
    }

    private func forget(_ name: String) throws(StoreError) {
        try run("DELETE FROM \(name: StoreNames.metadata) WHERE \(name: "name") = \(text(name))")
    }

    private func run(_ sql: SQLFragment) throws(StoreError) { try connection.run(SQLText(sql, dialect)) }

    private func text(_ value: String) -> SQLFragment { "\(.value(.string(value), .text))" }
}

extension StoredValue {
    var number: Int { if case .int(let value) = self { Int(value) } else { 0 } }
    var words: String { if case .string(let text) = self { text } else { "" } }
}
