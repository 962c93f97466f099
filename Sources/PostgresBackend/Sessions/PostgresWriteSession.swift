#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The write session: one connection, in a transaction that holds the store's lock.
final class PostgresWriteSession: LateSession {
    let store: PostgresStore
    private let options: SessionOptions
    /// The transaction, once it has begun.
    private var begun: Begun?
    private var hasEnded = false

    struct Begun {
        let connection: PostgresConnection
        let transaction: WriteTransaction
    }

    /// Waits for its turn and begins the transaction, in one round trip; or waits with that until it is asked for something.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        self.options = options
        if !options.mayBeginLate || store.start.writingBlindly == nil {
            _ = try open(heedsCancellation: options.heedsCancellation)
        }
    }

    deinit { end() }

    var token: StoreToken {
        StoreToken(
            storeID: store.storeID, sequence: begun?.transaction.sequence ?? store.newestSequence)
    }

    // MARK: Beginning

    var hasBegun: Bool { begun != nil }

    func begin(heedsCancellation: Bool) throws { _ = try open(heedsCancellation: heedsCancellation) }

    /// The transaction, which begins now if it has not.
    func open() throws(StoreError) -> Begun {
        try open(heedsCancellation: options.heedsCancellation)
    }

    private func open(heedsCancellation: Bool) throws(StoreError) -> Begun {
        try checkUsable()
        if let begun { return begun }
        var options = options
        options.heedsCancellation = heedsCancellation
        let (connection, clock) = try store.begin(store.start.writing, options)
        store.note(seen: clock.sequence)
        let begun = Begun(
            connection: connection, transaction: WriteTransaction(store, connection, after: clock))
        self.begun = begun
        return begun
    }

    private func checkUsable() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
    }

    /// The connection of a session that has begun.
    var connection: PostgresConnection {
        guard let begun else { programmingError("A session that has not begun has no connection.") }
        return begun.connection
    }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        if plan.lock == nil { return try read { try $0.fetch(plan) } }
        let begun = try open()
        return try LockedFetch(reader: reader(begun.connection), plan: plan, transaction: begun.transaction)
            .rows()
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try read { try $0.aggregate(plan) } }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        let token = StoreToken(storeID: store.storeID, sequence: try open().transaction.sequence)
        return try read { try $0.history(request, at: token) }
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer {
        let connection = try open().connection
        return try connection.surviving { try body(reader(connection)) }
    }

    private func reader(_ connection: PostgresConnection) -> SessionReader {
        SessionReader(
            store: store, connection: connection, defersExternalValues: options.defersExternalValues)
    }

    // MARK: Writing

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try checkUsable()
        let root = store.mapping.entities[rootIndex]
        if let keys = store.keys.take(count, of: root.number) { return keys }
        let connection = try open().connection
        return try unheeded(connection) {
            try connection.surviving { () throws(StoreError) in
                try store.keys.reserve(count, of: root, in: store.dialect, connection)
            }
        }
    }

    /// Does what others may be concerned with, who are not cancelled with the task that asks.
    private func unheeded<Answer>(
        _ connection: PostgresConnection, _ work: () throws -> Answer
    ) rethrows -> Answer {
        let heeds = connection.heedsCancellation
        connection.heedsCancellation = false
        defer { connection.heedsCancellation = heeds }
        return try work()
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        let begun = try open()
        let receipt = try naming(begun) { () throws(StoreError) in try begun.transaction.apply(changes) }
        pass(changes)
        return receipt
    }

    /// Names who has locked rows that a change waited for in vain.
    private func naming<Answer>(
        _ begun: Begun, _ change: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try change()
        } catch {
            throw error.namingHolder(of: .rows, store.lockNumber, on: begun.connection)
        }
    }

    func saveTogether(_ changeSets: [ChangeSet], heedsCancellation: Bool) throws -> [StoreToken]? {
        try checkUsable()
        if hasBegun { return nil }
        let save = SaveInOneTrip(
            store: store, identifier: options.identifier, heedsCancellation: heedsCancellation)
        guard let sequences = try save.run(changeSets) else { return nil }
        if let last = sequences.last {
            store.note(seen: last)
            store.replicas?.note(last)
        }
        changeSets.forEach(pass)
        return tokens(sequences)
    }

    private func tokens(_ sequences: [Int64]) -> [StoreToken] {
        sequences.map { StoreToken(storeID: store.storeID, sequence: $0) }
    }

    func applyTogether(_ changeSets: [ChangeSet]) throws -> [StoreToken]? {
        let begun = try open()
        let applied = try unheeded(begun.connection) { try begun.transaction.applyTogether(changeSets) }
        guard let sequences = applied else { return nil }
        changeSets.forEach(pass)
        return tokens(sequences)
    }

    private func pass(_ changes: ChangeSet) {
        for insertion in changes.inserts { pass(insertion.rows, of: insertion.entityIndex) }
    }

    /// Keys may come from elsewhere, as with rows that are imported.
    private func pass(_ rows: RowBatch, of entityIndex: Int) {
        guard let key = BatchKeys(rows).max() else { return }
        store.keys.pass(key, of: store.mapping.entities[store.model.layouts[entityIndex].rootIndex].number)
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let begun = try open()
        let receipt = try naming(begun) { () throws(StoreError) in try begun.transaction.perform(batch) }
        if case .insert(let rows) = batch.operation { pass(rows, of: batch.entityIndex) }
        return receipt
    }

    func userInfo() throws -> [String: String] {
        let connection = try open().connection
        return try connection.surviving { () throws(StoreError) in
            try StoreCatalogue(connection: connection).userInfo()
        }
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        let begun = try open()
        try begun.transaction.change { () throws(StoreError) in
            try StoreCatalogue(connection: begun.connection).setUserInfo(userInfo)
        }
    }

    func pruneHistory(through token: StoreToken) throws {
        let transaction = try open().transaction
        try token.check(isOf: store.storeID)
        try transaction.change { () throws(StoreError) in
            try transaction.pruneHistory(through: token.sequence)
        }
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        let begun = try open()
        begun.transaction.beginSavepoint()
        begun.connection.heedsCancellation = options.heedsCancellation
    }

    func endSavepoint(keepingWork: Bool) throws {
        let begun = try open()
        begun.connection.heedsCancellation = false
        try begun.transaction.endSavepoint(keepingWork: keepingWork)
    }

    // MARK: Ending

    func commit() throws -> StoreToken {
        try checkUsable()
        hasEnded = true
        guard let begun else { return token }
        let connection = begun.connection
        connection.heedsCancellation = false
        defer { giveBack(connection) }
        // The server would answer this COMMIT by rolling back, and call it a success.
        if connection.hasFailedStatement {
            throw StoreError(
                .database, "A statement of the transaction has failed, so nothing of it was saved.",
                remedy: "Save again.")
        }
        do throws(StoreError) {
            try connection.commit()
        } catch {
            if error.isLockTimeout { throw StoreError.lateCommit(error) }
            guard error.code == .connectionLost, connection.isInDoubt else { throw error }
            try CommitOutcome(
                store: store, process: connection.process, trace: begun.transaction.trace
            ).resolve(error)
        }
        store.note(seen: begun.transaction.sequence)
        store.replicas?.note(begun.transaction.sequence)
        return token
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if let begun { giveBack(begun.connection) }
    }

    private func giveBack(_ connection: PostgresConnection) {
        connection.heedsCancellation = false
        connection.owed = []
        connection.mark = PostgresConnection.usualMark
        if connection.isAlive && connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.pool.giveBack(connection)
    }
}
#endif
