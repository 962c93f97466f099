package import ContextCore

/// The texts of statements about rows, spelt when they are first needed.
///
/// State: the texts, guarded by a mutex that is held for a look into a table only.
package final class StatementTexts: Sendable {
    /// What a statement does, as far as its text depends on it.
    package enum Purpose: Hashable {
        case row(entityIndex: Int)
        case rows(entityIndex: Int, columns: [String])
        case count(entityIndex: Int)
        case referring(entityIndex: Int, column: Int)
        case search(UniqueColumns, entityIndex: Int)
        case links(entityIndex: Int, slot: Int)
        case children(entityIndex: Int, slot: Int, defersExternalValues: Bool)
        case allChildren(entityIndex: Int, slot: Int, defersExternalValues: Bool)
        case ownerlessChildren(entityIndex: Int, slot: Int)
        /// As many rows as the backend inserts by one statement.
        case insertion(entityIndex: Int)
        case singleInsertion(entityIndex: Int)
        case update(entityIndex: Int, columns: [Int])
        /// A row whose statement fails where it isn't what it was changed from.
        case strictUpdate(entityIndex: Int, columns: [Int])
        case deletion(entityIndex: Int, DeletionCheck)
    }

    /// How the rows that are deleted are known to be those that were meant.
    package enum DeletionCheck: Hashable {
        case key, version, oneVersion
    }

    /// How many are kept; a program has as many as it has relationships, and places where it changes objects.
    private static let capacity = 512

    private let texts = Guarded<[Purpose: String]>([:])

    package init() {}

    /// The text of a statement.
    package func text(_ purpose: Purpose, otherwise spell: () -> SQLText) -> String {
        if let known = texts.withLock({ $0[purpose] }) { return known }
        let sql = spell().sql
        texts.withLock { texts in
            if texts.count >= Self.capacity { texts = [:] }
            texts[purpose] = sql
        }
        return sql
    }
}
