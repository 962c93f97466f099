import ContextCore
import Foundation

/// Reads and writes what a store notes of its models and of its migrations, inside a transaction that is open.
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
            .corrupt, "The store doesn't say who it is.", remedy: "Restore a backup.",
            detail: "The note store_id is missing.")
    }

    func models() throws(StoreError) -> [StoredModel] {
        let rows = try rows(
            "SELECT \(name: "number"), \(name: "fingerprint"), \(name: "model") FROM \(name: StoreNames.models) ORDER BY 1",
            [.key, .text, .text])
        return rows.map { StoredModel(number: $0[0].number, fingerprint: $0[1].words, fileText: $0[2].words) }
    }

    /// The numbers that stand for entities, those of entities that are gone included.
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

    /// The numbers of the models that programs put in force by opening the store.
    func automatic() throws(StoreError) -> Set<Int> {
        Set(try note(Self.automatic)?.split(separator: " ").compactMap { Int($0) } ?? [])
    }

    /// The tables of the model in force; while a migration is on its way, also of the model before it and of the newer one.
    func ownTables() throws -> [TableSchema] {
        try OwnMappings(
            models: models(), record: record(), numbers: numbers(), longestName: dialect.longestName
        ).tables()
    }

    /// The fingerprints of the versions that the store went through, by their names.
    func versions() throws(StoreError) -> [String: String] { try value(Self.versions) ?? [:] }

    /// The migration that was begun and not finished.
    func record() throws(StoreError) -> RunRecord? { try value(Self.run) }

    /// Whether programs of both versions can use the store, on its way from the model of a fingerprint.
    func isShared(from fingerprint: String) throws(StoreError) -> Bool {
        try note(Self.sharedModel) == fingerprint
    }

    /// What is left of a reviewed plan, between two of its stretches.
    func seal() throws(StoreError) -> MigrationSeal? { try value(Self.seal) }

    private func value<Value: Decodable>(_ name: String) throws(StoreError) -> Value? {
        try note(name).map { text throws(StoreError) in try Self.decoded(text) }
    }

    static func decoded<Value: Decodable>(_ text: String) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError(
                .corrupt, "What the store notes of an unfinished migration can't be read.",
                remedy: "Use the version of the program that began it, or restore a backup.", cause: error)
        }
    }

    /// How many steps of it are done.
    func doneSteps() throws(StoreError) -> Int { try note(Self.done).flatMap { Int($0) } ?? 0 }

    /// The key of the last row that a fill has gone through.
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

    /// Notes what has changed of a migration that was begun.
    func update(_ record: RunRecord) throws(StoreError) { try note(Self.run, value: record) }

    private func note(_ name: String, value: some Encodable) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw StoreError(.database, "The steps of the migration can't be written down.")
        }
        try note(name, String(decoding: data, as: UTF8.self))
    }

    func setDone(_ count: Int) throws(StoreError) {
        try note(Self.done, String(count))
        try forget(Self.cursor)
    }

    func setCursor(_ key: Int64) throws(StoreError) { try note(Self.cursor, String(key)) }

    /// Notes that the migration is made.
    func finish(_ record: RunRecord, detail: String) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor] { try forget(name) }
        if record.seal.isReviewed, !record.seal.rest.isEmpty { try note(Self.seal, value: record.seal) }
        if record.isAutomatic { try noteTurn() }
        if let names = record.names { try noteVersions([names.from: record.from, names.to: record.to]) }
        try enter(record.transition, detail)
    }

    /// Notes that the model in force was put there by a program that opened the store.
    ///
    /// Programs may take turns for ever. So of what they did since somebody decided on a model, one turn of each is kept.
    private func noteTurn() throws(StoreError) {
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

    /// Notes what people call versions that the store is or was of.
    func noteVersions(_ fingerprints: [String: String]) throws(StoreError) {
        try note(Self.versions, value: try versions().merging(fingerprints) { $1 })
    }

    /// Notes that the tables are of a version.
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

    /// Forgets what is left of a reviewed plan.
    func forgetSeal() throws(StoreError) { try forget(Self.seal) }

    /// Forgets a migration that was taken back; the model from before is in force again.
    func abandon(_ record: RunRecord) throws(StoreError) {
        for name in [Self.run, Self.done, Self.cursor, Self.seal, Self.sharedModel] { try forget(name) }
        try run(
            """
            DELETE FROM \(name: StoreNames.models) WHERE \(name: "number") = \
            (SELECT max(\(name: "number")) FROM \(name: StoreNames.models)) \
            AND \(name: "fingerprint") IN (\(text(record.to)), \(text(RunRecord.unfinished + record.to)))
            """)
    }

    /// Puts the models in force that a step says.
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
