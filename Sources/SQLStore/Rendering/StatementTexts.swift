package import ContextCore

/// A cache of the SQL of row statements, rendered on first use.
///
/// A mutex guards the cache and is held only for a lookup.
package final class StatementTexts: Sendable {
    /// The purpose of a statement, with everything that its SQL depends on.
    package enum Purpose: Hashable {
        case row(entityIndex: Int)
        case rows(entityIndex: Int, columns: [String])
        case count(entityIndex: Int)
        case referring(entityIndex: Int, column: Int)
        case search(UniqueColumns, entityIndex: Int)
        case links(entityIndex: Int, slot: Int)
        case lastPositions(entityIndex: Int, slot: Int)
        case children(entityIndex: Int, slot: Int, defersExternalValues: Bool)
        case allChildren(entityIndex: Int, slot: Int, defersExternalValues: Bool)
        case ownerlessChildren(entityIndex: Int, slot: Int)
        /// The multi-row insert with the backend's number of rows.
        case insertion(entityIndex: Int)
        case singleInsertion(entityIndex: Int)
        /// An insert of one row or of the backend's number of rows, which updates or keeps colliding rows.
        case upsert(entityIndex: Int, columns: [Int], UniqueColumns?, isSingle: Bool)
        case update(entityIndex: Int, columns: [Int])
        /// An update that fails if the row has a different version.
        case strictUpdate(entityIndex: Int, columns: [Int])
        case deletion(entityIndex: Int, DeletionCheck)
    }

    /// How a deletion checks the versions of its rows.
    package enum DeletionCheck: Hashable {
        case key, version, oneVersion
    }

    /// The maximum number of entries; a program needs as many as it has relationships and kinds of changes.
    private static let capacity = 512

    private let texts = Guarded<[Purpose: String]>([:])

    package init() {}

    /// Returns the SQL of a statement, rendered on first use.
    package func text(_ purpose: Purpose, otherwise render: () -> SQLText) -> String {
        if let known = texts.withLock({ $0[purpose] }) { return known }
        let sql = render().sql
        texts.withLock { texts in
            if texts.count >= Self.capacity { texts = [:] }
            texts[purpose] = sql
        }
        return sql
    }
}
