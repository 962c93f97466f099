#if Postgres
import ContextCore
import Foundation
import SQLStore

/// What a transaction reads of the store's history when it begins.
///
/// Transactions are numbered while they commit and become visible in any order. So a record may be visible while one with a lower number
/// isn't yet, or never will be.
struct ClockReading {
    /// The number up to which no record is missing: each is visible, or will never exist.
    var end: Int64
    /// The numbers of the visible records behind the first missing one.
    var unsettled: [Int64] = []
    /// The number after which the server looked.
    let base: Int64
    /// Whether the connection had not read the history before, and so knows only what the store's metadata says.
    var isFirst = false
    /// The server's identifier of the transaction; nil for one that only reads.
    let transaction: Int64?

    /// The last number that is visible.
    var newest: Int64 { unsettled.last ?? end }
    /// How many records the server has looked at.
    var recordCount: Int64 { end - base + Int64(unsettled.count) }
}

/// A statement that begins a transaction.
struct OpeningStatement {
    let sql: String
    /// Whether ``ClockQuery/known`` is in it.
    let takesHistoryEnd: Bool

    init(_ sql: String) {
        self.sql = sql
        takesHistoryEnd = sql.contains(ClockQuery.known)
    }
}

/// The SQL that reads the end of the store's history and checks that the schema still holds this store with this model.
///
/// In its texts ``known`` stands for the number up to which the connection knows the history to be complete.
struct ClockQuery {
    /// The parameter, with its type, as a schema may have `$1` in its name.
    static let known = "$1::int8"
    /// What the query returns where the schema holds another store, or this one with another model.
    static let superseded: Int64 = -1
    /// How many records the query looks at; where there are more, a longer one follows.
    static let mostRecords: Int64 = 100
    /// How many records the longer query looks at.
    static let mostRecordsAtOnce: Int64 = 10_000

    /// Everything that the metadata says about the store, in one row.
    let notes: String
    /// Whether the schema holds this store, with this model; a condition over ``notes``.
    let isInPlace: String
    private let history: String
    private let metadata: String
    private let isModelInForce: String
    private let storeID: UUID
    private let fingerprint: String

    init(_ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID) {
        history = configuration.stored(StoreNames.history)
        metadata = configuration.stored(StoreNames.metadata)
        self.storeID = storeID
        self.fingerprint = fingerprint
        let (shared, pruned, settled) = (
            ModelInForce.sharedNote, PostgresNames.prunedHistory, PostgresNames.settledHistory
        )
        notes = """
            (SELECT max("value") FILTER (WHERE "name" = 'store_id') AS store, \
            max("value") FILTER (WHERE "name" = '\(shared)') AS shared, \
            greatest(CASE WHEN \(Self.known) <= (SELECT max("sequence") FROM \(history)) THEN \(Self.known) END, 0, max(CASE WHEN "name" IN ('\(pruned)', '\(settled)') THEN "value"::int8 END)) AS base \
            FROM \(metadata) \
            WHERE "name" IN ('store_id', '\(shared)', '\(pruned)', '\(settled)')) AS notes
            """
        isModelInForce = """
            (SELECT "fingerprint" FROM \(configuration.stored(StoreNames.models)) ORDER BY "number" DESC LIMIT 1) = '\(fingerprint)'
            """
        isInPlace = """
            notes.store = '\(storeID.uuidString)' AND (\(isModelInForce) OR notes.shared = '\(fingerprint)')
            """
    }

    /// The columns of the query: the end of the history, ``superseded`` where the schema holds no such store; the visible numbers behind
    /// it; and the number after which the server looked.
    var answers: [String] {
        [
            "(CASE WHEN \(isInPlace) THEN notes.base + lines.count ELSE \(Self.superseded) END)::text",
            "coalesce(lines.unsettled, '')", "notes.base::text",
        ]
    }

    /// What the columns are computed from.
    ///
    /// Of records that follow each other without a gap, each is as far from its place as the first one. Without a small limit a server
    /// would rather read the whole table, since it expects many rows.
    func source(limit: Int64) -> String {
        """
        \(notes), LATERAL (SELECT count(*) FILTER (WHERE distance = notes.base) AS count, \
        string_agg("sequence"::text, ' ') FILTER (WHERE distance <> notes.base) AS unsettled \
        FROM (SELECT "sequence", "sequence" - pg_catalog.row_number() OVER (ORDER BY "sequence") AS distance FROM \(history) \
        WHERE "sequence" > notes.base ORDER BY "sequence" LIMIT \(limit)) AS line) AS lines
        """
    }

    /// The query, with more columns at its end.
    func text(_ moreColumns: String..., limit: Int64) -> String {
        "SELECT \((answers + moreColumns).joined(separator: ", ")) FROM \(source(limit: limit))"
    }

    /// A shorter query, for a connection that has read the history before; its columns are ``known``, or ``superseded`` where the schema
    /// holds no such store, and the visible numbers from ``known`` on.
    ///
    /// It looks rows up by their keys alone, which takes the server much less. ``known`` is the first of the numbers unless its record
    /// was pruned or lost in a failover; the longer query has to be run then.
    func quickText(_ moreColumns: String...) -> String {
        func value(_ name: String) -> String {
            "(SELECT \"value\" FROM \(metadata) WHERE \"name\" = '\(name)')"
        }
        let columns = [
            """
            (CASE WHEN \(value("store_id")) = '\(storeID.uuidString)' \
            AND (\(isModelInForce) OR \(value(ModelInForce.sharedNote)) = '\(fingerprint)') \
            THEN \(Self.known) ELSE \(Self.superseded) END)::text
            """,
            """
            pg_catalog.array_to_string(ARRAY(SELECT "sequence" FROM \(history) WHERE "sequence" >= \(Self.known) \
            ORDER BY "sequence" LIMIT \(Self.mostRecords + 1)), ' ')
            """,
        ]
        return "SELECT \((columns + moreColumns).joined(separator: ", "))"
    }
}
#endif
