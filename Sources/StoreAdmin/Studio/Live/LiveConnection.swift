import ContextCore
import Foundation

/// The connections of a live view to a store: one that reads the history, and one that looks at the activity.
///
/// One thread at a time uses it. No snapshot is held between two calls.
final class LiveConnection {
    /// The number of saves that a read returns at most.
    static let pageSize = 200
    /// The number of saves before the last one that a client still gets after it has lost its connection.
    static let resumedSaves: Int64 = 1000
    /// The number of saves before the last one that the counts at the start consider.
    static let countedSaves: Int64 = 10_000

    let store: AdministeredStore
    let model: ObjectModel
    /// The save up to which the client has all saves.
    private(set) var position: StoreToken
    /// The number of saves that the client doesn't get, because it was away for too long.
    let skippedCount: Int64
    private let coordinator: any StoreCoordinator
    private let inspector: any StoreInspector

    /// Opens the store; without a last save, or with one that isn't this store's, the client starts with the next save.
    ///
    /// - Parameters:
    ///   - last: The last save that the client has.
    ///   - number: The number of that save, if only that is known.
    init(_ store: AdministeredStore, after last: StoreToken?, orSave number: Int64? = nil) throws {
        self.store = store
        model = try store.model()
        let inspector = try store.backend.inspect(store.url)
        do {
            coordinator = try store.openForReading(model: model)
        } catch {
            inspector.close()
            throw error
        }
        self.inspector = inspector
        do {
            let end = try Self.read(coordinator) { $0.token }
            let last = last ?? number.map { StoreToken(storeID: end.storeID, sequence: $0) }
            (position, skippedCount) = Self.start(after: last, end: end)
        } catch {
            inspector.close()
            coordinator.close()
            throw error
        }
    }

    func close() {
        inspector.close()
        coordinator.close()
    }

    private static func start(after last: StoreToken?, end: StoreToken) -> (StoreToken, skipped: Int64) {
        // A client may send any number.
        guard let last, last.storeID == end.storeID, last.sequence >= 0, last.sequence <= end.sequence else {
            return (end, 0)
        }
        let first = max(last.sequence, end.sequence - resumedSaves)
        return (StoreToken(storeID: end.storeID, sequence: first), first - last.sequence)
    }

    private static func read<Value>(
        _ coordinator: any StoreCoordinator, _ body: (any ReadSession) throws -> Value
    ) throws -> Value {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "live"))
        defer { session.end() }
        return try body(session)
    }

    /// Reads the next saves, at most ``pageSize``; if the history was pruned beyond the position, the first that it still contains.
    func nextSaves() throws -> [HistoryTransaction] {
        do {
            return try readSaves(after: position)
        } catch let error as StoreError {
            guard let expired = error.expiredHistory else { throw error }
            position = expired.reason == .pruned ? expired.oldest : expired.newest
            return try readSaves(after: position)
        }
    }

    private func readSaves(after token: StoreToken) throws -> [HistoryTransaction] {
        let request = HistoryRequest(after: token, limit: Self.pageSize)
        let transactions = try Self.read(coordinator) { try $0.history(request) }
        if let last = transactions.last { position = last.token }
        return transactions
    }

    /// Passes the saves since a date, up to the position, to a closure; of very many only the newest.
    ///
    /// - Returns: Whether all saves since the date were read.
    func forEachSave(since date: Date, _ body: (HistoryTransaction) -> Void) throws -> Bool {
        let start = max(0, position.sequence - Self.countedSaves)
        var request = HistoryRequest(
            after: StoreToken(storeID: position.storeID, sequence: start), since: date, limit: Self.pageSize)
        var isComplete = start == 0
        while true {
            let transactions: [HistoryTransaction]
            do {
                transactions = try Self.read(coordinator) { try $0.history(request) }
            } catch StoreError.Code.historyExpired where request.after != nil {
                // All saves that exist are later.
                (request.after, isComplete) = (nil, true)
                continue
            }
            for transaction in transactions where transaction.token.sequence <= position.sequence {
                body(transaction)
            }
            guard let last = transactions.last, last.token.sequence < position.sequence,
                transactions.count == Self.pageSize
            else { return isComplete }
            request.after = last.token
        }
    }

    /// Returns the activity in the store's database with statements, but without their values; nil if the backend doesn't show any.
    func activity() throws -> StoreActivity? {
        try (inspector as? any StoreMonitor)?.activity(.withoutValues)
    }
}
