package import ContextCore
import Foundation

/// Collects the transactions of a history request from rows of the history.
package struct HistoryCollector {
    private let request: HistoryRequest
    private let storeID: UUID
    private var decoder: HistoryDecoder
    /// The transactions so far, in the order of their rows.
    package private(set) var transactions: [HistoryTransaction] = []

    package init(_ request: HistoryRequest, _ store: some OpenStore) {
        self.request = request
        storeID = store.storeID
        decoder = HistoryDecoder(store.mapping)
    }

    /// Whether there are as many transactions as requested.
    package var isFull: Bool { transactions.count >= request.limit ?? .max }

    /// Decodes a row, and appends its transaction unless it changed nothing of the requested entities.
    ///
    /// - Parameter bytes: The encoded changes, which are not decoded if the request omits changes.
    package mutating func append(
        sequence: Int64, microseconds: Int64, author: String?, context: String?,
        changes bytes: UnsafeRawBufferPointer
    ) throws(StoreError) {
        var changes = request.omitsChanges ? [] : try decoder.changes(Array(bytes))
        if let entities = request.entityIndices {
            changes.removeAll { !entities.contains($0.entityIndex) }
            if changes.isEmpty { return }
        }
        transactions.append(
            HistoryTransaction(
                token: StoreToken(storeID: storeID, sequence: sequence),
                date: Date(microseconds: microseconds), author: author, contextName: context,
                process: decoder.process, changes: changes))
    }
}
