#if SQLite
import ContextCore
import Synchronization

/// Tells one transaction from all others, by what it writes into the store.
///
/// A save writes its mark into the history. A transaction without a save, which only took keys or noted something, leaves it among
/// the notes.
struct TransactionMark: Sendable {
    /// The number of the transaction's last save, or of the last save before it.
    let sequence: Int64
    let mark: Int64
    /// Whether the history has a line of it.
    let isInHistory: Bool

    private static let note = "last_unlisted_commit"
    /// The mark that was given out last.
    ///
    /// It began anywhere, so two processes hardly give out the same; to ask the system for a new number is a call that a save need not make.
    private static let last = Atomic(Int64.random(in: .min ... .max))

    /// A mark that no other transaction has.
    static func unused() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Notes a transaction that has no line in the history.
    func write(_ connection: SQLiteConnection) throws(StoreError) {
        if !isInHistory { try StoreCatalogue(connection: connection).note(Self.note, String(mark)) }
    }

    /// Looks for the transaction; nil if it can't be told any more.
    func isFound(_ connection: SQLiteConnection) throws(StoreError) -> Bool? {
        let catalogue = StoreCatalogue(connection: connection)
        guard isInHistory else { return try catalogue.note(Self.note) == String(mark) }
        let statement = try connection.statement(
            "SELECT \"mark\" FROM \"_store_history\" WHERE \"sequence\" = ?1")
        defer { statement.reset() }
        statement.bind(1, sequence)
        if try statement.step() { return statement.integer(0) == mark }
        let pruned = try catalogue.note("history_pruned").flatMap { Int64($0) } ?? 0
        return pruned >= sequence ? nil : false
    }
}
#endif
