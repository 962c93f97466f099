#if SQLite
import ContextCore
import SQLStore
import Synchronization

/// Identifies a transaction by a unique marker that it writes into the store.
///
/// A save writes its marker into the history. A transaction without a save, which only reserved keys or changed metadata, writes it into
/// the metadata.
struct TransactionMarker: Sendable {
    /// The position of the transaction's last save, or of the last save before the transaction.
    let sequence: Int64
    let marker: Int64
    /// Whether the history has a record of the transaction.
    let isInHistory: Bool

    private static let metadataName = "last_unlisted_commit"
    /// The last marker of this process.
    ///
    /// It starts at a random value, so that two processes almost never generate the same marker; incrementing is cheaper than a random number.
    private static let last = Atomic(Int64.random(in: .min ... .max))

    /// Returns a marker that no other transaction has.
    static func makeMarker() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Writes the marker of a transaction without a history record.
    func write(_ connection: SQLiteConnection) throws(StoreError) {
        if !isInHistory {
            try StoreCatalog(connection: connection).setValue(Self.metadataName, String(marker))
        }
    }

    /// Returns whether the transaction was committed, or nil if its history record may have been pruned.
    func isFound(_ connection: SQLiteConnection) throws(StoreError) -> Bool? {
        let catalog = StoreCatalog(connection: connection)
        guard isInHistory else { return try catalog.value(of: Self.metadataName) == String(marker) }
        let statement = try connection.statement(
            "SELECT \"mark\" FROM \"_store_history\" WHERE \"sequence\" = ?1")
        defer { statement.reset() }
        statement.bind(1, sequence)
        if try statement.step() { return statement.integer(0) == marker }
        return try catalog.prunedSequence() >= sequence ? nil : false
    }
}
#endif
