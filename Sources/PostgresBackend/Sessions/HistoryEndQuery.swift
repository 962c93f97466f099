#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The end of the store's history, as a transaction reads it at its start.
///
/// Records are numbered while their transactions commit, and become visible in any order. So a record can be visible while one with a
/// lower number isn't visible yet, or never will be.
struct HistoryEnd {
    /// The number up to which the history has no gaps.
    var end: Int64
    /// The numbers of the visible records after the first gap.
    var unsettled: [Int64] = []
    /// The number after which the query reads records.
    let base: Int64
    /// Whether the connection reads the history for the first time, so that the query starts at the number in the store's metadata.
    var isFirst = false
    /// The server's transaction ID; nil for a read-only transaction.
    let transaction: Int64?

    /// The last visible number.
    var newest: Int64 { unsettled.last ?? end }
    /// The number of records that the query has read.
    var recordCount: Int64 { end - base + Int64(unsettled.count) }
}

/// One of the statements that begin a transaction.
struct StartStatement {
    let sql: String
    /// Whether the statement has the parameter ``ClockQuery/known``.
    let hasHistoryEndParameter: Bool

    init(_ sql: String) {
        self.sql = sql
        hasHistoryEndParameter = sql.contains(HistoryEndQuery.knownEnd)
    }
}

/// The SQL that reads the end of the store's history, and checks that the schema still has this store with this model.
///
/// Its parameter ``known`` is the number up to which the history has no gaps, as far as the connection knows.
struct HistoryEndQuery {
    /// The parameter with its type; the type distinguishes it from a `$1` in the name of a schema.
    static let knownEnd = "$1::int8"
    /// The result of the query if the schema has another store, or this store with another model.
    static let superseded: Int64 = -1
    /// The largest number of records that the query reads; if there are more, a query with a higher limit follows.
    static let maximumRecords: Int64 = 100
    /// The largest number of records that the following query reads.
    static let maximumRecordsOfLongQuery: Int64 = 10_000

    /// The subquery of the store's metadata, as one row.
    let notes: String
    /// The condition over ``notes`` that the schema has this store with this model.
    let isCurrentCondition: String
    private let history: String
    private let metadata: String
    private let isModelCurrentCondition: String
    private let storeID: UUID
    private let fingerprint: String

    init(_ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID) {
        history = configuration.stored(StoreNames.history)
        metadata = configuration.stored(StoreNames.metadata)
        self.storeID = storeID
        self.fingerprint = fingerprint
        let (shared, pruned, settled) = (
            CurrentModel.sharedModelKey, StoreCatalog.prunedHistory, PostgresNames.gaplessHistoryEnd
        )
        notes = """
            (SELECT max("value") FILTER (WHERE "name" = 'store_id') AS store, \
            max("value") FILTER (WHERE "name" = '\(shared)') AS shared, \
            greatest(CASE WHEN \(Self.knownEnd) <= (SELECT max("sequence") FROM \(history)) THEN \(Self.knownEnd) END, 0, max(CASE WHEN "name" IN ('\(pruned)', '\(settled)') THEN "value"::int8 END)) AS base \
            FROM \(metadata) \
            WHERE "name" IN ('store_id', '\(shared)', '\(pruned)', '\(settled)')) AS notes
            """
        isModelCurrentCondition = """
            (SELECT "fingerprint" FROM \(configuration.stored(StoreNames.models)) ORDER BY "number" DESC LIMIT 1) = '\(fingerprint)'
            """
        isCurrentCondition = """
            notes.store = '\(storeID.uuidString)' AND (\(isModelCurrentCondition) OR notes.shared = '\(fingerprint)')
            """
    }

    /// The columns of the query.
    ///
    /// They are the end of the history, or ``superseded`` if the schema doesn't have this store with this model; the visible numbers
    /// after the first gap; and the number after which the query reads records.
    var resultColumns: [String] {
        [
            "(CASE WHEN \(isCurrentCondition) THEN notes.base + lines.count ELSE \(Self.superseded) END)::text",
            "coalesce(lines.unsettled, '')", "notes.base::text",
        ]
    }

    /// Returns the FROM clause of the query.
    ///
    /// In records without a gap, the difference between a record's number and its row number is constant. Without a small limit the
    /// server would scan the whole table, since it expects many rows.
    func fromClause(limit: Int64) -> String {
        """
        \(notes), LATERAL (SELECT count(*) FILTER (WHERE distance = notes.base) AS count, \
        string_agg("sequence"::text, ' ') FILTER (WHERE distance <> notes.base) AS unsettled \
        FROM (SELECT "sequence", "sequence" - pg_catalog.row_number() OVER (ORDER BY "sequence") AS distance FROM \(history) \
        WHERE "sequence" > notes.base ORDER BY "sequence" LIMIT \(limit)) AS line) AS lines
        """
    }

    /// Returns the query, with more columns at the end.
    func text(_ moreColumns: String..., limit: Int64) -> String {
        "SELECT \((resultColumns + moreColumns).joined(separator: ", ")) FROM \(fromClause(limit: limit))"
    }

    /// Returns a faster query, for a connection that has read the history before.
    ///
    /// Its columns are ``known``, or ``superseded`` if the schema doesn't have this store with this model; and the visible numbers from
    /// ``known`` on. It only looks rows up by their keys. If ``known`` isn't the first of the numbers, its record was pruned or lost in
    /// a failover, and the complete query has to run.
    func quickQueryText(_ moreColumns: String...) -> String {
        func value(_ name: String) -> String {
            "(SELECT \"value\" FROM \(metadata) WHERE \"name\" = '\(name)')"
        }
        let columns = [
            """
            (CASE WHEN \(value("store_id")) = '\(storeID.uuidString)' \
            AND (\(isModelCurrentCondition) OR \(value(CurrentModel.sharedModelKey)) = '\(fingerprint)') \
            THEN \(Self.knownEnd) ELSE \(Self.superseded) END)::text
            """,
            """
            pg_catalog.array_to_string(ARRAY(SELECT "sequence" FROM \(history) WHERE "sequence" >= \(Self.knownEnd) \
            ORDER BY "sequence" LIMIT \(Self.maximumRecords + 1)), ' ')
            """,
        ]
        return "SELECT \((columns + moreColumns).joined(separator: ", "))"
    }
}
#endif
