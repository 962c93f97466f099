#if Postgres
import Synchronization

/// The texts of the statements that write rows, each spelt when it is needed for the first time.
///
/// State: the texts, guarded by a mutex.
final class StatementTexts: Sendable {
    /// What a statement does to rows of an entity.
    enum Kind: Hashable {
        case insertion, deletion, deletionAtVersion, deletionByKey
        case update(columns: [Int])
    }

    private struct Shape: Hashable {
        let entityIndex: Int
        let kind: Kind
    }

    private let texts = Mutex<[Shape: String]>([:])

    func text(_ kind: Kind, of entityIndex: Int, _ entity: ArrayStatements) -> String {
        let shape = Shape(entityIndex: entityIndex, kind: kind)
        if let known = texts.withLock({ $0[shape] }) { return known }
        let text =
            switch kind {
            case .insertion: entity.insertion()
            case .deletion: entity.deletion()
            case .deletionAtVersion: entity.deletionAtVersion()
            case .deletionByKey: entity.deletionByKey()
            case .update(let columns): entity.update(columns: columns)
            }
        texts.withLock { $0[shape] = text }
        return text
    }
}
#endif
