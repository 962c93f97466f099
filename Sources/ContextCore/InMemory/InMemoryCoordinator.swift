public import Foundation

/// A store in memory, for tests and caches.
///
/// It is the reference implementation of ``StoreCoordinator``. Opening a session takes constant time, and a commit takes time in
/// proportion to its changes. Lookups by key, reference, unique constraint and declared index use an index.
///
/// ```swift
/// let coordinator = InMemoryCoordinator(model: try ObjectModel([Game.self, Player.self]))
/// let session = try coordinator.openReadSession(SessionOptions(identifier: "report"))
/// defer { session.end() }
/// ```
///
/// `state` is guarded by its mutex, which is never locked for long, and `gate` serializes writers. A session's snapshot is a value that
/// only the session changes.
public final class InMemoryCoordinator: StoreCoordinator {
    public let model: ObjectModel
    let storeID: UUID
    private let schema: MemorySchema
    let now: @Sendable () -> Date
    private let gate = WriterGate()
    private let state: Guarded<State>

    private struct State {
        var snapshot: MemorySnapshot
        /// The next key of each inheritance tree, by the index of its root entity; it only increases.
        var nextKeys: [Int64]
        var isClosed = false
    }

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - storeID: The store's identifier; tests pass a fixed one to get the same identifiers in every run.
    ///   - now: Returns the current date; tests pass a fixed one to get the same dates in every run.
    public init(
        model: ObjectModel, storeID: UUID = UUID(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.model = model
        self.storeID = storeID
        self.now = now
        schema = MemorySchema(model)
        state = Guarded(
            State(
                snapshot: MemorySnapshot(schema),
                nextKeys: Array(repeating: 1, count: model.layouts.count)))
    }

    public var capabilities: StoreCapabilities { [.history, .concurrentReads] }

    public func metadata() throws -> StoreMetadata {
        try metadata(snapshot())
    }

    public func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        MemoryReadSession(self, try snapshot())
    }

    public func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        guard gate.enter() else { throw Self.closedError }
        do {
            return MemoryWriteSession(self, try snapshot())
        } catch {
            gate.exit()
            throw error
        }
    }

    public func close() {
        // Retained until the mutex is unlocked, because freeing all rows takes long.
        let previous = state.withLock { state -> MemorySnapshot in
            state.isClosed = true
            defer { state.snapshot = MemorySnapshot(schema) }
            return state.snapshot
        }
        gate.close()
        withExtendedLifetime(previous) {}
    }
}

// MARK: - Functions for sessions

extension InMemoryCoordinator {
    static var closedError: StoreError {
        StoreError(.closed, "The in-memory store is closed.", remedy: "Open a new store.")
    }

    /// Returns the last committed snapshot.
    func snapshot() throws -> MemorySnapshot {
        try state.withLock { state in
            if state.isClosed { throw Self.closedError }
            return state.snapshot
        }
    }

    func checkIsOpen() throws {
        if state.withLock({ $0.isClosed }) { throw Self.closedError }
    }

    func metadata(_ snapshot: MemorySnapshot) -> StoreMetadata {
        StoreMetadata(storeID: storeID, modelFingerprint: model.fingerprint, userInfo: snapshot.userInfo)
    }

    func token(_ snapshot: MemorySnapshot) -> StoreToken {
        StoreToken(storeID: storeID, sequence: snapshot.history.sequence)
    }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try state.withLock { state in
            if state.isClosed { throw Self.closedError }
            let first = state.nextKeys[rootIndex]
            let (next, overflow) = first.addingReportingOverflow(Int64(count))
            if overflow {
                throw StoreError(
                    .database,
                    "\(model.layouts[rootIndex].name) has no keys left for new objects, because an existing row has the key \(Int64.max) or one near it.",
                    remedy: "Copy the objects into a new store, and give them smaller keys there.")
            }
            state.nextKeys[rootIndex] = next
            return first..<next
        }
    }

    /// Raises the next keys above those of inserted rows, which may have keys that the coordinator has not reserved.
    func raiseNextKeys(of changes: ChangeSet) {
        for group in changes.inserts {
            let rootIndex = model.layouts[group.entityIndex].rootIndex
            var greatest: Int64 = 0
            for index in 0..<group.rows.count { greatest = max(greatest, group.rows.key(at: index)) }
            let next = greatest == .max ? greatest : greatest + 1
            state.withLock { $0.nextKeys[rootIndex] = max($0.nextKeys[rootIndex], next) }
        }
    }

    /// Publishes a writer's snapshot as the last committed one, and admits the next writer.
    func commit(_ working: MemorySnapshot, after sequence: Int64) throws {
        defer { gate.exit() }
        var committed = working
        committed.history.setDate(now(), after: sequence)
        // Retained until the mutex is unlocked, because freeing the previous snapshot can take long.
        let previous = try state.withLock { state -> MemorySnapshot in
            if state.isClosed { throw Self.closedError }
            defer { state.snapshot = committed }
            return state.snapshot
        }
        withExtendedLifetime(previous) {}
    }

    /// Admits the next writer without publishing a snapshot.
    func rollback() { gate.exit() }
}
