import ContextCore
import Foundation
import RandomSeeds

/// A program whose order can be checked: many tasks, each of which executes writes and reads one after the other.
struct OrderProgram: Sendable {
    /// The intended outcome of an operation, if the store reports no error.
    enum Fate: Sendable {
        case succeeds
        /// Its block throws before or after its changes.
        case throwsEarly, throwsLate
        /// It is cancelled by its name or by its task.
        case cancelledByName, cancelledWithTask
    }

    struct InjectedError: Error {}

    let store: Store
    let history: OrderHistory
    /// A long-lived context that merges changes of the store.
    private let editor: ContextActor
    private let laneCount: Int
    /// The percentage of operations that are cancelled or fail.
    private let injected: Int
    /// How a block is submitted.
    private let submission: Submission
    /// The executor of the program's tasks.
    private let executor: (any TaskExecutor)?
    /// The number of operations of the long-lived context among twenty operations.
    private let contextShare: Int
    /// The number of retries of every other write.
    private let retries: Int
    /// The bug that the program has, if any.
    private let bug: PlantedBug?
    private let keeper = LedgerKeeper()

    init(
        store: Store, laneCount: Int, injected: Int = 5, submission: Submission = .completion,
        executor: (any TaskExecutor)? = nil, contextShare: Int = 2, retries: Int = 0, bug: PlantedBug? = nil
    ) {
        self.store = store
        self.laneCount = laneCount
        self.injected = injected
        self.submission = submission
        self.executor = executor
        self.contextShare = contextShare
        self.retries = retries
        self.bug = bug
        history = OrderHistory()
        editor = store.makeBackgroundContext(name: "0:editor", lane: Self.name(of: 0))
    }

    enum Submission: Sendable {
        /// With a completion, so that the position in the order is known.
        case completion
        /// With a callback on any thread; the call determines the position, since no other task runs meanwhile.
        case callback
        /// With `await`; the call determines the position, since no other task runs meanwhile.
        case awaiting
        /// With `await`, after other tasks may have submitted operations: a planted bug.
        case late
    }

    /// Creates the ledgers.
    func prepare(follows: Bool = true) async throws {
        for lane in 0..<laneCount {
            try await store.write("\(lane):prepare", lane: Self.name(of: lane)) { context in
                for side in ["left", "right"] { _ = OrderLedger(in: context, name: "\(side) \(lane)") }
            }
        }
        try await editor.perform { context in
            context.automaticallyMergesChanges = follows
            // Kept in memory, so that they show later writes only if the context merges them.
            keeper.ledgers = try context.fetch(OrderLedger.self)
        }
    }

    /// Returns the name of a lane; contexts save to the first one.
    private static func name(of lane: Int) -> String { "\(lane)" }

    /// Executes the operations of one task.
    func work(task: Int, operations: Int, seed: UInt64) async {
        var random = SeededRandom(seed: seed &+ UInt64(task) &* 0x9E37)
        for index in 0..<operations {
            let isOfContext = random.roll(20) < contextShare
            let kind: OrderRecord.Kind =
                random.roll(2) == 0 ? (isOfContext ? .edit : .write) : (isOfContext ? .look : .read)
            // The context saves to the first lane.
            let lane = kind == .edit || kind == .look ? 0 : random.roll(laneCount)
            let number = 1 + task + index * 1000
            let fates: [Fate] = [.throwsEarly, .throwsLate, .cancelledByName, .cancelledWithTask]
            let fate = random.roll(100) < injected ? fates[random.roll(4)] : .succeeds
            await run(OrderRecord(number: number, kind: kind, lane: lane), fate)
        }
    }

    /// Checks repeatedly, while other tasks run, which operations the store lists.
    func watch(looks: Int) async {
        for _ in 0..<looks {
            await Task.yield()
            let listed = store.operations.map(\.identifier)
            for record in history.records where record.accepted != nil {
                let count = listed.count { $0 == record.name }
                if count == 0, record.unlisted == nil { history.update(record.number) { $0.unlisted = $1 } }
                if count > (record.returned == nil ? 1 : 0) {
                    history.update(record.number) { record, _ in record.isOverlisted = true }
                }
            }
        }
    }

    private func run(_ record: OrderRecord, _ fate: Fate) async {
        switch record.kind {
        case .write: await submit(record, fate) { try write(record, fate, $0) }
        case .read: await submit(record, fate) { try read(record, fate, $0) }
        case .edit, .look:
            history.call(record)
            let result = await Task(executorPreference: executor) {
                try await editor.perform { context in
                    try record.kind == .edit ? edit(record, fate, context) : readLedgers(record, context)
                }
            }.result
            recordResult(record, result)
        }
    }

    private func recordResult(_ record: OrderRecord, _ result: Result<Void, any Error>) {
        let isDone = if case .success = result { true } else { false }
        history.update(record.number) { ($0.returned, $0.isDone) = ($1, isDone) }
    }

    // MARK: Submitting

    private func submit(
        _ record: OrderRecord, _ fate: Fate, _ body: @escaping @Sendable (ObjectContext) throws -> Void
    ) async {
        if fate == .cancelledWithTask {
            history.call(record)
            let task = Task(executorPreference: executor) { try await call(record, body) }
            // Cancel it while it runs, or after it has committed.
            for _ in 0..<record.number % 4 * 10 { await Task.yield() }
            task.cancel()
            let result = await task.result
            return recordResult(record, bug == .answersAsCancelled ? .failure(CancellationError()) : result)
        }
        if submission == .callback { return await awaitCallback(record, fate, body) }
        if submission != .completion { return await submitAwaiting(record, fate, body) }
        await withCheckedContinuation { continuation in
            history.submit(record) { call(record, body) { continuation.resume() } }
            if fate == .cancelledByName { store.cancelOperations(named: record.name) }
        }
    }

    private func awaitCallback(
        _ record: OrderRecord, _ fate: Fate, _ body: @escaping @Sendable (ObjectContext) throws -> Void
    ) async {
        history.call(record)
        history.update(record.number) { record, _ in record.accepted = record.called }
        let task = fate == .cancelledByName ? canceller(record) : nil
        for _ in 0..<(bug == .repeatsWrite && record.kind == .write ? 2 : 1) {
            await withCheckedContinuation { continuation in
                submitWithCallback(record, body) { result in
                    recordResult(record, result)
                    continuation.resume()
                }
            }
        }
        await task?.value
    }

    private func submitAwaiting(
        _ record: OrderRecord, _ fate: Fate, _ body: @escaping @Sendable (ObjectContext) throws -> Void
    ) async {
        history.call(record)
        history.update(record.number) { record, _ in record.accepted = record.called }
        if submission == .late { await Task.yield() }
        let task = fate == .cancelledByName ? canceller(record) : nil
        let result: Result<Void, any Error>
        do { result = .success(try await call(record, body)) } catch { result = .failure(error) }
        recordResult(record, result)
        await task?.value
    }

    private func canceller(_ record: OrderRecord) -> Task<Void, Never> {
        Task(executorPreference: executor) { _ = store.cancelOperations(named: record.name) }
    }

    private func retries(_ record: OrderRecord) -> Int { record.number.isMultiple(of: 2) ? retries : 0 }

    private func call(_ record: OrderRecord, _ body: @escaping @Sendable (ObjectContext) throws -> Void)
        async throws
    {
        switch record.kind {
        case .write:
            for _ in 0..<(bug == .repeatsWrite ? 2 : 1) {
                try await store.write(
                    record.name, lane: Self.name(of: record.lane), retries: retries(record), body)
            }
        default: try await store.read(record.name, body)
        }
    }

    private func submitWithCallback(
        _ record: OrderRecord, _ body: @escaping @Sendable (ObjectContext) throws -> Void,
        completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        switch record.kind {
        case .write:
            store.submitWrite(
                record.name, lane: Self.name(of: record.lane), retries: retries(record), body,
                onCompletion: completion)
        default: store.submitRead(record.name, body, onCompletion: completion)
        }
    }

    private func call(
        _ record: OrderRecord, _ body: @escaping @Sendable (ObjectContext) throws -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        let complete: @Sendable (Result<Void, any Error>) -> Void = { result in
            recordResult(record, result)
            completion()
        }
        switch record.kind {
        case .write:
            store.write(
                record.name, lane: Self.name(of: record.lane), retries: retries(record), body,
                completion: complete)
        default: store.read(record.name, body, completion: complete)
        }
    }

    // MARK: Blocks

    private func write(_ record: OrderRecord, _ fate: Fate, _ context: ObjectContext) throws {
        recordStart(record)
        defer { recordEnd(record) }
        let left = try context.ledger("left \(record.lane)")
        recordSight(record, left.sight)
        if fate == .throwsEarly { throw InjectedError() }
        let sight = OrderSight(count: left.count + 1, tag: record.number)
        (left.count, left.tag) = (sight.count, sight.tag)
        // The session has the first half of the changes before the second half is made.
        try context.save()
        let right = try context.ledger("right \(record.lane)")
        (right.count, right.tag) = (sight.count, sight.tag)
        _ = OrderEntry(in: context, place: OrderEntry.place(record.lane, sight.count), tag: record.number)
        if fate == .throwsLate {
            try context.save()
            throw InjectedError()
        }
    }

    private func read(_ record: OrderRecord, _ fate: Fate, _ context: ObjectContext) throws {
        recordStart(record)
        defer { recordEnd(record) }
        let first = try context.ledger("left \(record.lane)").sight
        let entry = try context.entryTag(record.lane, first.count)
        if fate == .throwsEarly || fate == .throwsLate { throw InjectedError() }
        var last = try context.ledger("right \(record.lane)").sight
        if try context.entryTag(record.lane, first.count + 1) != nil { last.count += 1 }
        history.update(record.number) { [last] record, _ in
            (record.first, record.last, record.entry) = (first, last, .some(entry))
        }
    }

    private func edit(_ record: OrderRecord, _ fate: Fate, _ context: ObjectContext) throws {
        do {
            let (left, right) = try context.ledgers(record.lane)
            recordSight(record, left.sight)
            for ledger in [left, right] { (ledger.count, ledger.tag) = (ledger.count + 1, record.number) }
            _ = OrderEntry(in: context, place: OrderEntry.place(record.lane, left.count), tag: record.number)
            if fate != .succeeds { throw InjectedError() }
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }

    private func readLedgers(_ record: OrderRecord, _ context: ObjectContext) throws {
        let (left, right) = try context.ledgers(record.lane)
        let (first, last) = (left.sight, right.sight)
        history.update(record.number) { record, _ in (record.first, record.last) = (first, last) }
    }

    private func recordStart(_ record: OrderRecord) {
        history.update(record.number) { $0.attempts.append(OrderRecord.Attempt(began: $1)) }
    }
    private func recordEnd(_ record: OrderRecord) {
        history.update(record.number) { $0.attempts[$0.attempts.count - 1].ended = $1 }
    }

    private func recordSight(_ record: OrderRecord, _ sight: OrderSight) {
        history.update(record.number) { record, _ in record.first = sight }
    }

    // MARK: Final contents

    /// Reads the contents of the store by lane.
    func contents() async throws -> [Int: OrderContents] {
        var contents: [Int: OrderContents] = [:]
        for lane in 0..<laneCount {
            contents[lane] = try await store.read("\(lane):contents") { context in
                let from = OrderEntry.place(lane, 0)
                let to = OrderEntry.place(lane + 1, 0)
                let entries = try context.fetch(OrderEntry.self, where: \.place > from && \.place < to)
                return OrderContents(
                    left: try context.ledger("left \(lane)").sight,
                    right: try context.ledger("right \(lane)").sight,
                    entries: Dictionary(entries.map { ($0.place - from, $0.tag) }, uniquingKeysWith: { $1 }))
            }
        }
        return contents
    }
}

/// The owner of references to a context's ledgers.
// @unchecked: only the context's blocks use it.
private final class LedgerKeeper: @unchecked Sendable {
    var ledgers: [OrderLedger] = []
}

extension SeededRandom {
    /// Returns a random number from 0 up to, but not including, a count.
    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
