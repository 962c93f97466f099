import ContextCore
import Dispatch
import Foundation

/// An in-memory store that a test can block: sessions open and commit only while a gate is open.
///
/// It counts open sessions.
///
/// It finds rows by key, and doesn't support predicates, constraints or links.
final class StepCoordinator: StoreCoordinator {
    struct State {
        var rows: [RowKey: StoredRow] = [:]
        var sequence: Int64 = 0
        var nextKey: Int64 = 1
        var openReads = 0
        var openWrites = 0
        var mostReads = 0
        var mostWrites = 0
        var commitCount = 0
        var isClosed = false
        var commitError: StoreError?
        /// The duration of a commit in seconds.
        var commitDelay = 0.0
        /// The names of the threads that have read rows.
        var readers: Set<String> = []
    }

    struct RowKey: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    struct StoredRow {
        let batch: RowBatch
        let index: Int
    }

    let model: ObjectModel
    let capabilities: StoreCapabilities
    let readGate = Gate()
    let writeGate = Gate()
    let commitGate = Gate()
    let state = Guarded(State())
    private let storeID = UUID()

    init(model: ObjectModel, capabilities: StoreCapabilities = []) {
        self.model = model
        self.capabilities = capabilities
    }

    func metadata() throws -> StoreMetadata { StoreMetadata(storeID: storeID, modelFingerprint: "") }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        readGate.pass()
        return try open(isWriter: false)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        writeGate.pass()
        return try open(isWriter: true)
    }

    func close() { state.withLock { $0.isClosed = true } }

    func token(_ sequence: Int64) -> StoreToken { StoreToken(storeID: storeID, sequence: sequence) }

    private func open(isWriter: Bool) throws -> StepSession {
        try state.withLock { state in
            if state.isClosed { throw StoreError(.closed, "The store is closed.") }
            if isWriter { state.openWrites += 1 } else { state.openReads += 1 }
            state.mostReads = max(state.mostReads, state.openReads)
            state.mostWrites = max(state.mostWrites, state.openWrites)
            return StepSession(self, rows: state.rows, sequence: state.sequence, isWriter: isWriter)
        }
    }
}

/// A gate that blocks threads while it is closed.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isShut = Guarded(false)

    func shut() { isShut.withLock { $0 = true } }

    func open() {
        condition.lock()
        isShut.withLock { $0 = false }
        condition.broadcast()
        condition.unlock()
    }

    func pass() {
        condition.lock()
        while isShut.withLock({ $0 }) { condition.wait() }
        condition.unlock()
    }
}

/// A session over a copy of the rows, made when it begins.
final class StepSession: WriteSession {
    private let coordinator: StepCoordinator
    private var rows: [StepCoordinator.RowKey: StepCoordinator.StoredRow]
    private let sequence: Int64
    /// The number of change sets that were applied.
    private var applied: Int64 = 0
    private var savepoint: (rows: [StepCoordinator.RowKey: StepCoordinator.StoredRow], applied: Int64)?
    private let isWriter: Bool
    private var isOpen = true

    init(
        _ coordinator: StepCoordinator, rows: [StepCoordinator.RowKey: StepCoordinator.StoredRow],
        sequence: Int64, isWriter: Bool
    ) {
        self.coordinator = coordinator
        self.rows = rows
        self.sequence = sequence
        self.isWriter = isWriter
    }

    var token: StoreToken { coordinator.token(sequence + applied) }
    let transactionsAfterGap: [StoreToken] = []
    var transactions: [StoreToken] { coordinator.token(sequence).successors(through: token) }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        let root = coordinator.model.layouts[plan.entityIndex].rootIndex
        return try rows(
            rows.keys.filter { $0.rootIndex == root }.map(\.key).sorted(), entityIndex: plan.entityIndex)
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        coordinator.state.withLock { _ = $0.readers.insert(Thread.current.name ?? "") }
        let root = coordinator.model.layouts[entityIndex].rootIndex
        var builder = RowBatchBuilder(model: coordinator.model)
        for key in keys {
            if let row = rows[StepCoordinator.RowKey(rootIndex: root, key: key)] {
                builder.append(row.index, of: row.batch)
            }
        }
        return try builder.finish()
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { RelatedRows(links: [], rows: nil) }
    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { [[.int(Int64(rows.count))]] }
    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { [] }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        coordinator.state.withLock { state in
            defer { state.nextKey += Int64(count) }
            return state.nextKey..<state.nextKey + Int64(count)
        }
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        for (entityIndex, batch) in changes.inserts.map({ ($0.entityIndex, $0.rows) })
            + changes.updates.map({ ($0.entityIndex, $0.rows) })
        {
            let root = coordinator.model.layouts[entityIndex].rootIndex
            for index in 0..<batch.count {
                let key = StepCoordinator.RowKey(rootIndex: root, key: batch.key(at: index))
                rows[key] = StepCoordinator.StoredRow(batch: batch, index: index)
            }
        }
        for delete in changes.deletes {
            let root = coordinator.model.layouts[delete.entityIndex].rootIndex
            for key in delete.keys { rows[StepCoordinator.RowKey(rootIndex: root, key: key)] = nil }
        }
        if !changes.isEmpty { applied += 1 }
        return SaveReceipt()
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt { BatchReceipt(changes: []) }
    func userInfo() throws -> [String: String] { [:] }
    func setUserInfo(_ userInfo: [String: String]) throws {}
    func pruneHistory(through token: StoreToken) throws {}

    func beginSavepoint(_ options: SessionOptions) throws { savepoint = (rows, applied) }

    func endSavepoint(keepingWork: Bool) throws {
        if !keepingWork, let savepoint { (rows, applied) = savepoint }
        savepoint = nil
    }

    func commit() throws -> StoreToken {
        defer { end() }
        coordinator.commitGate.pass()
        Thread.sleep(forTimeInterval: coordinator.state.withLock { $0.commitDelay })
        let sequence = try coordinator.state.withLock { state in
            if let error = state.commitError { throw error }
            state.rows = rows
            state.sequence += applied
            state.commitCount += 1
            return state.sequence
        }
        return coordinator.token(sequence)
    }

    func rollback() { end() }

    func end() {
        guard isOpen else { return }
        isOpen = false
        coordinator.state.withLock { state in
            if isWriter { state.openWrites -= 1 } else { state.openReads -= 1 }
        }
    }
}
