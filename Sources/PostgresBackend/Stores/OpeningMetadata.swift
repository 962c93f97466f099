#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The metadata that opening a store reads with one statement.
struct OpeningMetadata {
    /// The metadata key of the version of the store's internal tables.
    static let formatKey = "format"

    let format: String?
    let storeID: UUID
    /// The fingerprint of the store's current model.
    let fingerprint: String
    /// The fingerprint of the other model that programs can use between two phases of a migration.
    let sharedFingerprint: String?
    /// The numbers of the entities by name.
    let entityNumbers: [String: Int]
    let functionsVersion: Int
    /// The last number in the history; 0 if it has no records.
    let lastNumber: Int64
    /// Whether the metadata records how far the history has no gaps.
    let recordsGaplessEnd: Bool

    /// Reads the description.
    ///
    /// - Throws: An error of a missing table if the schema contains no store.
    init(_ connection: PostgresConnection) throws(StoreError) {
        let result = try connection.run(Self.query(connection.configuration), usesPreparedStatement: false)
        func text(_ column: Int) -> String? { result.isNull(0, column) ? nil : result.text(0, column) }
        format = text(0)
        guard let id = text(1).flatMap({ UUID(uuidString: $0) }) else {
            throw StoreCatalog.missingIdentifier
        }
        storeID = id
        sharedFingerprint = text(2)
        functionsVersion = text(3).flatMap { Int($0) } ?? 0
        fingerprint = text(4) ?? ""
        var numbers: [String: Int] = [:]
        for line in (text(5) ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2, let number = Int(parts[0]) { numbers[String(parts[1])] = number }
        }
        entityNumbers = numbers
        lastNumber = result.integer(0, 6)
        recordsGaplessEnd = result.integer(0, 7) != 0
    }

    private static func query(_ configuration: PostgresConfiguration) -> String {
        func metadata(_ name: String) -> String { "max(\"value\") FILTER (WHERE \"name\" = '\(name)')" }
        return """
            SELECT \(metadata(formatKey)), \(metadata("store_id")), \(metadata(CurrentModel.sharedModelKey)), \(metadata(FunctionCreation.versionKey)), \
            (SELECT "fingerprint" FROM \(configuration.stored(StoreNames.models)) ORDER BY "number" DESC LIMIT 1), \
            (SELECT string_agg("number" || ' ' || "name", E'\\n') FROM \(configuration.stored(StoreNames.entities))), \
            (SELECT coalesce(max("sequence"), 0) FROM \(configuration.stored(StoreNames.history))), \
            bool_or("name" = '\(PostgresNames.gaplessHistoryEnd)') \
            FROM \(configuration.stored(StoreNames.metadata))
            """
    }
}
#endif
