/// An inspector that can save what is readable of a damaged store into a new one.
package protocol StoreRecoverer: StoreInspector {
    /// Copies every row that can be read into a new store, and leaves the damaged one untouched.
    ///
    /// - Parameter path: A file that isn't there yet.
    /// - Returns: What became of each table, in the order in which they were made.
    func recover(to path: String) throws -> [RecoveredTable]
}

/// What a recovery has saved of one table.
package struct RecoveredTable: Sendable, Hashable {
    package let name: String
    /// How many rows are in the new store.
    package var rows = 0
    /// How many of them the table itself didn't give, and an index did.
    package var rowsFromIndexes = 0
    /// What is lost, a sentence each; empty where everything was read.
    package var losses: [String] = []

    package init(_ name: String) { self.name = name }
}
