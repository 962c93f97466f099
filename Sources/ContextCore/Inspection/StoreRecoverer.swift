/// An inspector that can copy the readable data of a damaged store to a new one.
package protocol StoreRecoverer: StoreInspector {
    /// Copies every readable row to a new store, without changing the damaged one.
    ///
    /// - Parameter path: The path of the new file, which must not exist.
    /// - Returns: The result for each table, in order of creation.
    func recover(to path: String) throws -> [RecoveredTable]
}

/// The result of the recovery of one table.
package struct RecoveredTable: Sendable, Hashable {
    package let name: String
    /// The number of rows in the new store.
    package var rows = 0
    /// The number of recovered rows that only an index contained.
    package var rowsFromIndexes = 0
    /// A sentence for each loss; empty if everything was read.
    package var losses: [String] = []

    package init(_ name: String) { self.name = name }
}
