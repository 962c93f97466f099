import ContextCore
import SQLiteBackend

/// The stores that have to answer as memory does.
enum StoreUnderTest: String, CaseIterable, Sendable {
    case sqliteMemory

    func open(_ model: ObjectModel) throws -> any StoreCoordinator {
        switch self {
        case .sqliteMemory: try SQLiteCoordinator(model: model, SQLiteConfiguration(path: nil))
        }
    }
}
