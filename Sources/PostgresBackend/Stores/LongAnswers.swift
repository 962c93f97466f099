#if Postgres
import ContextCore

/// How many rows questions had for an answer when they were asked last: one of many is worth to be read while it comes.
///
/// It is about what was, and only about speed: rows come and go.
final class LongAnswers: Sendable {
    /// What is asked again and again.
    enum Question: Hashable {
        /// For all rows of an entity.
        case all(entityIndex: Int)
        /// For the rows that a relationship of some owners leads to.
        case children(entityIndex: Int, slot: Int)
    }

    /// How many rows are many: with fewer the server is done before the first are read.
    private static let many = 20_000

    /// How many rows the last answer had, and how many were asked about.
    private let known = Guarded<[Question: (rows: Int, owners: Int)]>([:])

    /// Whether an answer will probably have many rows.
    ///
    /// - Parameter owners: How many are asked about.
    func isExpected(of question: Question, asking owners: Int = 1) -> Bool {
        guard let last = known.withLock({ $0[question] }) else { return false }
        // A few owners say little of many: more rows than there were are not counted on.
        let share = min(1, Double(owners) / Double(last.owners))
        return Double(last.rows) * share >= Double(Self.many)
    }

    /// Remembers how many rows an answer had.
    func note(_ count: Int, of question: Question, asking owners: Int = 1) {
        guard owners > 0 else { return }
        known.withLock { $0[question] = (count, owners) }
    }
}
#endif
