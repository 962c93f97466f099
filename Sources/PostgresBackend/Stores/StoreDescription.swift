#if Postgres
import ContextCore
import Foundation
import SQLStore

/// What a store says about itself when it is opened, read by one statement.
struct StoreDescription {
    /// The key of the metadata that holds the version of the store's own tables.
    static let formatKey = "format"

    let format: String?
    let storeID: UUID
    /// The fingerprint of the last model.
    let fingerprint: String
    /// The fingerprint of the other model that programs may work with, between two phases of a migration.
    let sharedFingerprint: String?
    /// The numbers that stand for entities.
    let entityNumbers: [String: Int]
    let functionsVersion: Int
    /// The last number in the history; 0 where it has no lines.
    let lastNumber: Int64
    /// Whether it is noted how far the history is without gaps.
    let isSettled: Bool

    /// - Throws: An error of a missing table where the schema holds no store.
    init(_ connection: PostgresConnection) throws(StoreError) {
        let answer = try connection.run(Self.query(connection.configuration), keepsPlan: false)
        func text(_ column: Int) -> String? { answer.isNull(0, column) ? nil : answer.text(0, column) }
        format = text(0)
        guard let id = text(1).flatMap({ UUID(uuidString: $0) }) else {
            throw StoreError(
                .corrupt, "The store doesn't say who it is.", remedy: "Restore a backup.",
                detail: "The note store_id is missing.")
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
        lastNumber = answer.integer(0, 6)
        isSettled = answer.integer(0, 7) != 0
    }

    private static func query(_ configuration: PostgresConfiguration) -> String {
        func metadata(_ name: String) -> String { "max(\"value\") FILTER (WHERE \"name\" = '\(name)')" }
        return """
            SELECT \(metadata(formatKey)), \(metadata("store_id")), \(metadata(ModelInForce.sharedNote)), \(metadata(FunctionCreation.note)), \
            (SELECT "fingerprint" FROM \(configuration.stored(StoreNames.models)) ORDER BY "number" DESC LIMIT 1), \
            (SELECT string_agg("number" || ' ' || "name", E'\\n') FROM \(configuration.stored(StoreNames.entities))), \
            (SELECT coalesce(max("sequence"), 0) FROM \(configuration.stored(StoreNames.history))), \
            bool_or("name" = '\(PostgresNames.settledHistory)') \
            FROM \(configuration.stored(StoreNames.metadata))
            """
    }
}
#endif
