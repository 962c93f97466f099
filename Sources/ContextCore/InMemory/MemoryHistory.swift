import Foundation

/// The history of an in-memory store.
struct MemoryHistory: Sendable {
    private var transactions = SortedMap<Int64, HistoryTransaction>()
    /// The number of the last transaction.
    private(set) var sequence: Int64 = 0
    /// The number of the last pruned transaction.
    private(set) var prunedThrough: Int64 = 0

    /// Appends a transaction, which a closure creates given its number.
    mutating func append(_ transaction: (Int64) -> HistoryTransaction) {
        sequence += 1
        transactions[sequence] = transaction(sequence)
    }

    /// Sets the date of the transactions after a number.
    mutating func setDate(_ date: Date, after sequence: Int64) {
        for number in sequence..<self.sequence {
            guard var transaction = transactions[number + 1] else { continue }
            transaction.date = date
            transactions[number + 1] = transaction
        }
    }

    /// Removes all transactions up to and including a number.
    mutating func prune(through sequence: Int64) {
        let last = min(sequence, self.sequence)
        while let first = transactions.first(from: .min)?.key, first <= last {
            transactions.removeValue(forKey: first)
        }
        prunedThrough = max(prunedThrough, last)
    }

    /// Returns the transactions that match a request, the oldest first.
    func transactions(_ request: HistoryRequest) -> [HistoryTransaction] {
        var found: [HistoryTransaction] = []
        let limit = request.limit ?? .max
        if limit <= 0 { return [] }
        transactions.forEach(from: request.after.map { $0.sequence + 1 }) { _, transaction in
            if let wanted = request.selection(from: transaction) { found.append(wanted) }
            return found.count < limit
        }
        return found
    }
}

extension HistoryRequest {
    /// Returns the part of a transaction that the request selects; nil if it selects nothing.
    func selection(from transaction: HistoryTransaction) -> HistoryTransaction? {
        if let since, transaction.date <= since { return nil }
        if let author, transaction.author != author { return nil }
        var selection = transaction
        if omitsChanges { (selection.changes, selection.process) = ([], nil) }
        guard let entityIndices else { return selection }
        selection.changes.removeAll { !entityIndices.contains($0.entityIndex) }
        return selection.changes.isEmpty ? nil : selection
    }
}
