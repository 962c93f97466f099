#if Postgres
import ContextCore
import Foundation
import SQLStore

/// What the store's clock says where a transaction begins.
///
/// Transactions are numbered while they commit, and become visible in any order. So one may be visible while another with a lower number
/// isn't yet, or will never be.
struct ClockReading {
    /// Every save up to this number is visible, or will never be.
    var end: Int64
    /// The numbers after it that are visible.
    var unsettled: [Int64] = []
    /// The number after which the server had to look.
    let base: Int64
    /// Whether it is the first of its connection, which then knows only what is noted in the store.
    var isFirst = false
    /// The transaction's number on the server, for one that writes.
    let transaction: Int64?

    /// The last number that is visible.
    var newest: Int64 { unsettled.last ?? end }
    /// How many lines the server has looked at.
    var lineCount: Int64 { end - base + Int64(unsettled.count) }
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

/// The parts of a query of the store's clock, which also tells whether the store is still in its place.
///
/// In their texts ``known`` stands for the end of the history as far as the connection knows it.
struct ClockQuery {
    /// The parameter, with its type, as a schema may have `$1` in its name.
    static let known = "$1::int8"
    /// What the clock answers where the schema holds another store now, or one with another model.
    static let superseded: Int64 = -1
    /// How many lines the clock looks at; where there are more, it has to be asked again.
    static let mostLines: Int64 = 100
    /// How many it looks at then.
    static let mostLinesAtOnce: Int64 = 10_000

    /// Everything that is noted about the store, in one look.
    let notes: String
    /// Whether the schema holds this store, with this model; over the notes.
    let isInPlace: String
    private let history: String

    init(_ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID) {
        history = configuration.stored(StoreNames.history)
        let (shared, pruned, settled) = (
            ModelInForce.sharedNote, PostgresNames.prunedHistory, PostgresNames.settledHistory
        )
        notes = """
            (SELECT max("value") FILTER (WHERE "name" = 'store_id') AS store, \
            max("value") FILTER (WHERE "name" = '\(shared)') AS shared, \
            greatest(CASE WHEN \(Self.known) <= (SELECT max("sequence") FROM \(history)) THEN \(Self.known) END, 0, max(CASE WHEN "name" IN ('\(pruned)', '\(settled)') THEN "value"::int8 END)) AS base \
            FROM \(configuration.stored(StoreNames.metadata)) \
            WHERE "name" IN ('store_id', '\(shared)', '\(pruned)', '\(settled)')) AS notes
            """
        isInPlace = """
            notes.store = '\(storeID.uuidString)' AND ((SELECT "fingerprint" FROM \(configuration.stored(StoreNames.models)) \
            ORDER BY "number" DESC LIMIT 1) = '\(fingerprint)' OR notes.shared = '\(fingerprint)')
            """
    }

    /// What the clock answers: the end of the history, a number also where there is no such store any more; the numbers after it that are
    /// visible; and after which the server has looked.
    var answers: [String] {
        [
            "(CASE WHEN \(isInPlace) THEN notes.base + lines.count ELSE \(Self.superseded) END)::text",
            "coalesce(lines.unsettled, '')", "notes.base::text",
        ]
    }

    /// What it is worked out from.
    ///
    /// Of lines that follow each other without a gap, each is as far from its place as the first one. Without a small limit a server would
    /// rather read the whole table, as it takes many rows for likely.
    func source(limit: Int64) -> String {
        """
        \(notes), LATERAL (SELECT count(*) FILTER (WHERE distance = notes.base) AS count, \
        string_agg("sequence"::text, ' ') FILTER (WHERE distance <> notes.base) AS unsettled \
        FROM (SELECT "sequence", "sequence" - pg_catalog.row_number() OVER (ORDER BY "sequence") AS distance FROM \(history) \
        WHERE "sequence" > notes.base ORDER BY "sequence" LIMIT \(limit)) AS line) AS lines
        """
    }
}
#endif
