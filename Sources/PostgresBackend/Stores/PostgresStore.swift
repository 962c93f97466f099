#if Postgres
import ContextCore
import Foundation
import SQLStore
import Synchronization

/// The state that all sessions of an open store share.
///
/// Atomics store whether the store is closed and the last save that a session has seen. Pools guard the connections, and a lock guards
/// the subscription to commits of other processes. Keys, statement texts, result sizes and replicas have locks of their own.
final class PostgresStore: OpenStore, Sendable {
    /// A number that is unique among the stores that this process has opened.
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
    /// The read-only servers; nil if none are configured.
    let replicas: ReplicaReading?
    let keys = KeyBlocks()
    let texts = StatementTexts()
    let resultSizes = ResultSizes()
    /// The statements that begin transactions.
    let start: TransactionStart
    /// The statements that check deferred foreign keys before the commit; the first one checks them.
    let checkReferencesStatements: [String]
    /// The statements before a transaction's settings that make these apply on the node of a distributed schema.
    let nodeSettings: String
    let dialect: SQLDialect
    /// The qualified name of the history's table.
    let history: String
    /// The statements that insert history records.
    let historyStatements: HistoryStatements
    /// The statements that insert history records when they are sent together with the rest of a transaction.
    let pipelinedHistoryStatements: HistoryStatements
    /// The columns of each entity's rows, in the order of the model.
    let rowColumns: [RowColumns]
    let templates: StatementTemplates
    let selections: RowSelections
    /// The channel on which processes with the store open notify each other of commits.
    let channel: NotificationChannel
    /// The statement that notifies other processes; nil if notifications are turned off.
    let notifyStatement: String?
    /// The function that ends the subscription to commits of other processes; nil without one.
    private let endListening = Guarded<(@Sendable () -> Void)?>(nil)
    private let closed = Atomic(false)
    private let seenEnd = Atomic<Int64>(0)
    /// The state machine that decides when to fill gaps in the history.
    let gapFilling = Guarded(HistoryGapFilling())

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
        checkReferencesStatements =
            isDistributed
            ? [DistributedSchema.check(configuration)]
            : ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"]
        // Commits with notifications wait for each other, so limit the wait.
        notifyStatement =
            configuration.notifies
            ? "SELECT pg_catalog.set_config('lock_timeout', '100ms', true), \(channel.notifyCall)" : nil
        // Resolves the name at each call: a store that was restored has another sequence of the same name.
        let number = SQLText(
            "nextval((\(quoted: dialect.stored(PostgresNames.historySequence)))::text::regclass)", dialect)
        historyStatements = HistoryStatements(history, number: number.sql, isSentAhead: false)
        pipelinedHistoryStatements = HistoryStatements(history, number: number.sql, isSentAhead: true)
        rowColumns = mapping.entities.map { RowColumns($0, columns: Array($0.columns.indices)) }
    }

    deinit { close() }

    /// Returns the key of a store's advisory locks.
    static func lockKey(of storeID: UUID) -> Int64 {
        withUnsafeBytes(of: storeID.uuid) { $0.loadUnaligned(as: Int64.self) }
    }

    /// The key of this store's advisory locks.
    var lockKey: Int64 { Self.lockKey(of: storeID) }

    /// The highest number up to which a session has seen all saves.
    var newestSeenNumber: Int64 { seenEnd.load(ordering: .relaxed) }

    /// Records the end of the history that a session has read at its start.
    func recordHistoryEnd(_ historyEnd: HistoryEnd) {
        seenEnd.max(historyEnd.end, ordering: .relaxed)
        replicas?.requireNumber(historyEnd.newest)
    }

    /// Records the numbers of committed saves.
    func recordCommit(_ numbers: [Int64]) {
        guard let last = numbers.last else { return }
        replicas?.requireNumber(last)
        gapFilling.withLock { $0.update(withSaved: numbers, at: .now) }
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Closes the idle connections; sessions close the ones in use when they end.
    func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        endListening.withLock { $0.take() }?()
        pool.close()
        replicas?.close()
    }

    /// Calls a function after saves of other processes, unless notifications are turned off or connections go through a pooler.
    func notifyCommits(to listener: @escaping @Sendable () -> Void) {
        guard configuration.notifies, !configuration.isPooled else { return }
        let subscription = NotificationListener.Subscription(channel: channel, handler: listener)
        endListening.withLock { end in
            if isClosed || end != nil { return }
            end =
                configuration.sharesConnections
                ? SharedConnections.shared.subscribe(subscription, configuration)
                : NotificationListener(configuration).subscribeExclusively(subscription)
        }
    }

    func checkOpen() throws(StoreError) {
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open the store again.") }
    }
}
#endif
