import ContextCore

/// An in-memory store with one bug, which the conformance suite must find.
///
/// A mutex guards the number of open writers, which threads share.
final class FaultyCoordinator: StoreCoordinator {
    private let store: InMemoryCoordinator
    /// The store of all writers but the first, for the bug that lets several writers in.
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
