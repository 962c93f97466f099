#if SQLite
import ContextCore
import SQLStore

/// The texts of statements that are spelt when they are first needed.
///
/// State: the texts, guarded by a mutex that is held for a look into a table only.
final class StatementTexts: Sendable {
    private struct UpdateShape: Hashable {
        let entityIndex: Int
        let columns: [Int]
    }

    /// How many are kept; a program has as many shapes of updates as it has places where it changes objects.
    private static let capacity = 512

    private let updates = Guarded<[UpdateShape: String]>([:])

    /// The statement that changes columns of one row.
    func update(of entity: EntityMapping, columns: [Int]) -> String {
        let shape = UpdateShape(entityIndex: entity.layout.index, columns: columns)
        if let known = updates.withLock({ $0[shape] }) { return known }
        let sql = RowStatements(.sqlite).update(of: entity, columns: columns).sql
        updates.withLock { updates in
            if updates.count >= Self.capacity { updates = [:] }
            updates[shape] = sql
        }
        return sql
    }
}
#endif
