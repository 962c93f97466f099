import ContextCore

/// A store in memory that breaks one promise, to see whether the suite finds out.
///
/// State that threads share: how many writers are open, guarded by a mutex.
final class FaultyCoordinator: StoreCoordinator {
    private let store: InMemoryCoordinator
    /// Where writers go for whom the store has no room.
    private let annexe: InMemoryCoordinator
    private let writers = Guarded(0)
    let defect: Defect

    init(_ defect: Defect, model: ObjectModel) {
        self.defect = defect
        store = InMemoryCoordinator(model: model)
        annexe = InMemoryCoordinator(model: model)
    }

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities }
    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        FaultyReadSession(try store.openReadSession(options), defect) { [store] in
            try store.openReadSession(options)
        }
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        let isAlone = writers.withLock { count in
            count += 1
            return count == 1
        }
        let place = defect == .letsAllWritersIn && !isAlone ? annexe : store
        return FaultyWriteSession(try place.openWriteSession(options), defect, model) { [writers] in
            writers.withLock { $0 -= 1 }
        }
    }

    func close() {
        store.close()
        annexe.close()
    }
}
