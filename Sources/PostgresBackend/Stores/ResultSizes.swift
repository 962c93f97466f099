#if Postgres
import ContextCore

/// The sizes of the last results of frequent queries, which predict whether a result is large enough to decode while it arrives.
///
/// A wrong prediction costs only time.
final class ResultSizes: Sendable {
    /// A kind of query whose result sizes are recorded.
    enum QueryKind: Hashable {
        /// All rows of an entity.
        case all(entityIndex: Int)
        /// The related rows of the given owners of a relationship.
        case children(entityIndex: Int, slot: Int)
    }

    /// The smallest number of rows of a large result; a smaller one is complete before its first rows are decoded.
    private static let largeRowCount = 20_000

    /// The number of rows and of owners of each query's last result.
    private let known = Guarded<[QueryKind: (rows: Int, owners: Int)]>([:])

    /// Returns whether the result of a query will probably be large.
    ///
    /// - Parameter owners: The number of owners in the query.
    func expectsLargeResult(of queryKind: QueryKind, ownerCount owners: Int = 1) -> Bool {
        guard let last = known.withLock({ $0[queryKind] }) else { return false }
        // Don't extrapolate from a small number of owners to a large one.
        let share = min(1, Double(owners) / Double(last.owners))
        return Double(last.rows) * share >= Double(Self.largeRowCount)
    }

    /// Records the number of rows of a result.
    func record(_ count: Int, of queryKind: QueryKind, ownerCount owners: Int = 1) {
        guard owners > 0 else { return }
        known.withLock { $0[queryKind] = (count, owners) }
    }
}
#endif
