#if Postgres
import ContextCore
import Foundation
import SQLStore
import Synchronization

/// What all sessions of an open store share.
///
/// State: whether the store is closed, an atomic; the connections, guarded by their pools; keys and texts guard themselves, and so do
/// the replicas.
final class PostgresStore: Sendable {
    let model: ObjectModel
    /// The model's fingerprint, which each transaction compares with the store's.
    let fingerprint: String
    let mapping: StoreMapping
    let configuration: PostgresConfiguration
    let storeID: UUID
    let pool: ConnectionPool
    /// The servers that are only read from; nil where there are none.
    let replicas: ReplicaReading?
    let keys = KeyBlocks()
    let texts = StatementTexts()
    /// The requests that were compiled before.
    let templates: StatementTemplates
    /// Everything of a row of each entity, in the order of the model.
    let selections: [SelectedColumns]
    private let closed = Atomic(false)

    init(
        model: ObjectModel, mapping: StoreMapping, configuration: PostgresConfiguration, storeID: UUID,
        pool: ConnectionPool
    ) {
        self.model = model
        fingerprint = model.fingerprint
        self.mapping = mapping
        self.configuration = configuration
        self.storeID = storeID
        self.pool = pool
        templates = StatementTemplates(mapping, .postgres)
        replicas = configuration.replicas.isEmpty ? nil : ReplicaReading(configuration)
        selections = model.layouts.indices.map { SelectedColumns(mapping, entityIndex: $0) }
    }

    /// The number of the lock that whoever writes to the store holds until the end of the transaction.
    var lockNumber: Int64 { Self.lockNumber(of: storeID) }

    static func lockNumber(of storeID: UUID) -> Int64 {
        withUnsafeBytes(of: storeID.uuid) { $0.loadUnaligned(as: Int64.self) }
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Lets go of the idle connections; those in use are let go of by their sessions.
    func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pool.close()
        replicas?.close()
    }

    func checkOpen() throws(StoreError) {
        if isClosed { throw StoreError(.closed, "The store is closed.", remedy: "Open it again.") }
    }
}
#endif
