import ContextCore
import Foundation

@Entity final class Remark: ManagedObject {
    var text: String
    var number: Int = 0
}

/// A store over a ``StepCoordinator``.
struct StepStore {
    let coordinator: StepCoordinator
    let store: Store

    init(readLimit: Int = 4) throws { try self.init(options: StoreOptions(readLimit: readLimit)) }

    init(
        options: StoreOptions = StoreOptions(), capabilities: StoreCapabilities = [],
        environment: PipelineEnvironment = .system
    ) throws {
        coordinator = StepCoordinator(model: try ObjectModel([Remark.self]), capabilities: capabilities)
        store = try Store(coordinator: coordinator, options: options, environment: environment)
    }

    var state: StepCoordinator.State { coordinator.state.withLock { $0 } }
}

/// Records entries from any thread, in the order in which they are added.
final class Journal<Entry: Sendable>: Sendable {
    private let notes = Guarded<[Entry]>([])

    var entries: [Entry] { notes.withLock { $0 } }

    func append(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}
