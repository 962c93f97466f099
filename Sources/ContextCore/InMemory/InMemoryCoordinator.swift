public import Foundation

/// A store in this process's memory, for tests and caches: quick, complete, and gone with its last reference.
///
/// It is the executable specification of what a ``StoreCoordinator`` does. Opening a session costs the same whatever the size of
/// the store, and a commit costs in proportion to what it changes. Rows are found by key, by what they refer to, by unique
/// constraint and by declared index without looking at the others.
///
/// ```swift
/// let coordinator = InMemoryCoordinator(model: try ObjectModel([Game.self, Player.self]))
/// let session = try coordinator.openReadSession(SessionOptions(identifier: "report"))
/// defer { session.end() }
/// ```
///
/// State that threads share: the last committed snapshot, the next keys and whether the store is closed, all guarded by one
/// mutex that is held for a few instructions only; and the gate that keeps writers apart. A session's own snapshot is a value
/// that nobody else changes.
public final class InMemoryCoordinator: StoreCoordinator {
    public let model: ObjectModel
    let storeID: UUID
    private let schema: MemorySchema
    let now: @Sendable () -> Date
    private let gate = WriterGate()
    private let state: Guarded<State>

    private struct State {
        var snapshot: MemorySnapshot
        /// The next key of each inheritance tree; it never goes back.
        var nextKeys: [Int64]
        var isClosed = false
    }

    /// Makes an empty store.
    ///
    /// The identity and the clock can be given, so that tests get the same identifiers and dates every time.
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

    public var capabilities: StoreCapabilities { [.history, .readsBesideWrites] }

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
            gate.leave()
            throw error
        }
    }

    public func close() {
        // What the store held is let go of after the mutex.
        let held = state.withLock { state -> MemorySnapshot in
            state.isClosed = true
            defer { state.snapshot = MemorySnapshot(schema) }
            return state.snapshot
        }
        gate.close()
        withExtendedLifetime(held) {}
    }
}

// MARK: - What sessions ask for

extension InMemoryCoordinator {
    static var closedError: StoreError {
        StoreError(.closed, "The store in memory is closed.", remedy: "Open a store anew.")
    }

    /// The last committed state.
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
                throw StoreError(.database, "\(model.layouts[rootIndex].name) has no keys left to give out.")
            }
            state.nextKeys[rootIndex] = next
            return first..<next
        }
    }

    /// Sees to it that no key is given out that came with a row from elsewhere.
    func noteKeys(of changes: ChangeSet) {
        for group in changes.inserts {
            let rootIndex = model.layouts[group.entityIndex].rootIndex
            var greatest: Int64 = 0
            for index in 0..<group.rows.count { greatest = max(greatest, group.rows.key(at: index)) }
            let next = greatest == .max ? greatest : greatest + 1
            state.withLock { $0.nextKeys[rootIndex] = max($0.nextKeys[rootIndex], next) }
        }
    }

    /// Makes a writer's state the last committed one, and lets the next writer in.
    func commit(_ working: MemorySnapshot, after sequence: Int64) throws {
        defer { gate.leave() }
        var committed = working
        committed.history.date(after: sequence, now())
        // The state before is let go of after the mutex, since that may take long.
        let before = try state.withLock { state -> MemorySnapshot in
            if state.isClosed { throw Self.closedError }
            defer { state.snapshot = committed }
            return state.snapshot
        }
        withExtendedLifetime(before) {}
    }

    /// Lets the next writer in, without a change.
    func rollback() { gate.leave() }
}
