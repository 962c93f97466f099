#if Postgres
import ContextCore

/// Which entities had so many rows, when all were fetched last, that they are worth reading part by part.
///
/// It is about what was, and only about speed: rows come and go.
final class LongTables: Sendable {
    /// How many rows are many: with fewer the server is done before the first are read.
    private static let many = 20_000

    private let counts = Guarded<[Int: Int]>([:])

    /// How many rows an entity had, if they were many.
    func count(of entityIndex: Int) -> Int? { counts.withLock { $0[entityIndex] } }

    /// Remembers how many rows an entity has.
    func note(_ count: Int, of entityIndex: Int) {
        counts.withLock { $0[entityIndex] = count < Self.many ? nil : count }
    }
}
#endif
