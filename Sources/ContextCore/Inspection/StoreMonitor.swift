/// An inspector that also reports the current activity in a database: sessions, waits for locks, and transactions that delay others.
///
/// If a backend's inspector doesn't conform, `storectl` reports that its stores have no visible activity.
public protocol StoreMonitor: StoreInspector {
    /// Returns the activity in the database that this process is allowed to see, without waiting for a lock and without changing data.
    ///
    /// - Parameter statements: How much of the statements of other programs to return.
    func activity(_ statements: StatementDetail) throws -> StoreActivity
}

/// How much of other programs' statements a report contains.
public enum StatementDetail: Sendable, Hashable {
    /// No statements.
    case none
    /// Statements with a `?` in place of each literal value.
    case withoutValues
    /// Statements as the programs have sent them; values that they have bound are not part of them.
    case withValues
}
