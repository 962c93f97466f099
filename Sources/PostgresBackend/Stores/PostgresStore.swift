#if Postgres
import ContextCore
import Foundation
import SQLStore
import Synchronization

/// What all sessions of an open store share.
///
/// State: whether the store is closed, and the last save that was seen, atomics; the connections, guarded by their pools; the subscription to others' commits, guarded by a lock; keys,
/// texts and the notes on long answers guard themselves, and so do the replicas.
final class PostgresStore: Sendable {
    /// Tells one opening of a store from all others of the process.
    typealias Number = Int
    private static let lastNumber = Atomic<Number>(0)

    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let model: ObjectModel
    /// The model's fingerprint, which each transaction compares with the store's.
    let fingerprint: String
    let mapping: StoreMapping
    let configuration: PostgresConfiguration
    let storeID: UUID
    let pool: PostgresPool
    /// The servers that are only read from; nil where there are none.
    let replicas: ReplicaReading?
    let keys = KeyBlocks()
    let texts = StatementTexts()
    let longAnswers = LongAnswers()
    /// The statements that begin transactions.
    let start: TransactionStart
    /// The statements by which the server checks references now that it would check at the commit: the first checks them.
    let checkingReferences: [String]
    /// What precedes settings of a transaction that hold on another node too.
    let nodeSettings: String
    /// How the store's statements are spelt.
    let dialect: SQLDialect
    /// The table of the history, as statements call it.
    let history: String
    /// The statements that write lines of the history.
    let historyTexts: HistoryTexts
    /// The same, sent together with all else that a transaction does.
    let historyAhead: HistoryTexts
    /// All columns of each entity's rows, in the order of the model.
    let rowColumns: [RowColumns]
    /// The requests that were compiled before.
    let templates: StatementTemplates
    /// Everything of a row of each entity, in the order of the model.
    let selections: RowSelections
    /// By which those who have the store open tell each other of their commits.
    let channel: NotificationChannel
    /// The statement that rings for other processes; nil where they are not told.
    let bell: String?
    /// What ends the subscription to others' commits; nil where there is none.
    private let endListening = Guarded<(@Sendable () -> Void)?>(nil)
    private let closed = Atomic(false)
    private let seenEnd = Atomic<Int64>(0)
    /// What the history needs.
    let upkeep = Guarded(HistoryUpkeep())

    init(
        model: ObjectModel, mapping: StoreMapping, configuration: PostgresConfiguration, storeID: UUID,
        pool: PostgresPool, isDistributed: Bool
    ) {
        self.model = model
        fingerprint = model.fingerprint
        self.mapping = mapping
        self.configuration = configuration
        self.storeID = storeID
        self.pool = pool
        dialect = configuration.dialect
        history = dialect.stored(StoreNames.history)
        templates = StatementTemplates(mapping, dialect)
        channel = NotificationChannel(storeID: storeID)
        replicas = configuration.replicas.isEmpty ? nil : ReplicaReading(configuration)
        selections = RowSelections(mapping)
        start = TransactionStart(
            configuration, fingerprint: fingerprint, storeID: storeID, isDistributed: isDistributed)
        nodeSettings = isDistributed ? DistributedSchema.settings.map { $0 + "; " }.joined() : ""
        checkingReferences =
            isDistributed
            ? [DistributedSchema.check(configuration)]
            : ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"]
        // It must neither wait for others' rings nor keep them waiting.
        bell =
            configuration.notifies
            ? "SELECT pg_catalog.set_config('lock_timeout', '100ms', true), \(channel.notifyingCall)" : nil
        // Found anew each time: a store that was restored has another sequence of the same name.
        let number = SQLText(
            "nextval((\(quoted: dialect.stored(PostgresNames.historyNumbers)))::text::regclass)", dialect)
        historyTexts = HistoryTexts(history, number: number.sql, isSentAhead: false)
        historyAhead = HistoryTexts(history, number: number.sql, isSentAhead: true)
        rowColumns = mapping.entities.map { RowColumns($0, columns: Array($0.columns.indices)) }
    }

    deinit { close() }

    /// The number by which a store's locks are called.
    static func lockNumber(of storeID: UUID) -> Int64 {
        withUnsafeBytes(of: storeID.uuid) { $0.loadUnaligned(as: Int64.self) }
    }

    /// The number by which this store's locks are called.
    var lockNumber: Int64 { Self.lockNumber(of: storeID) }

    /// The number up to which any session has seen all saves.
    var newestEnd: Int64 { seenEnd.load(ordering: .relaxed) }

    /// Notes what a session has found where it began.
    func note(_ clock: ClockReading) {
        seenEnd.max(clock.end, ordering: .relaxed)
        replicas?.note(clock.newest)
    }

    /// Notes the numbers of saves that were committed.
    func note(committed numbers: [Int64]) {
        guard let last = numbers.last else { return }
        replicas?.note(last)
        upkeep.withLock { $0.see(saved: numbers, at: .now) }
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Lets go of the idle connections; those in use are let go of by their sessions.
    func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        endListening.withLock { $0.take() }?()
        pool.close()
        replicas?.close()
    }

    /// Calls a function when others have saved, where the server can say so: a pooler passes nothing on.
    func announce(to listener: @escaping @Sendable () -> Void) {
        guard configuration.notifies, !configuration.isPooled else { return }
        let subscription = NotificationListener.Subscription(channel: channel, handler: listener)
        endListening.withLock { end in
            if isClosed || end != nil { return }
            end =
                configuration.sharesConnections
                ? SharedConnections.ofProcess.subscribe(subscription, configuration)
                : NotificationListener(configuration).subscribeAlone(subscription)
        }
    }

    func checkOpen() throws(StoreError) {
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open it again.") }
    }
}
#endif
