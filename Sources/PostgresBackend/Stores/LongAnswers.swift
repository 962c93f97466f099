#if Postgres
import ContextCore

/// Which questions had so many rows for an answer, when they were asked last, that it is worth reading part by part.
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

    /// How many rows an answer had for each of those that were asked about.
    private let densities = Guarded<[Question: Double]>([:])

    /// About how many rows an answer will have, if they are many.
    ///
    /// - Parameter owners: How many are asked about.
    func count(of question: Question, asking owners: Int = 1) -> Int? {
        guard let density = densities.withLock({ $0[question] }) else { return nil }
        let count = Int(density * Double(owners))
        return count < Self.many ? nil : count
    }

    /// Remembers how many rows an answer had.
    func note(_ count: Int, of question: Question, asking owners: Int = 1) {
        guard owners > 0 else { return }
        densities.withLock { $0[question] = Double(count) / Double(owners) }
    }
}
#endif
