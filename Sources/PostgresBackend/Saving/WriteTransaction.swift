#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The transaction of a write session: what it applied is in the store when it has been committed, and not before.
final class WriteTransaction {
    /// The number of the last save that the transaction sees, its own included.
    private(set) var sequence: Int64
    /// What tells the rows of this transaction in the history from those of any other.
    let mark = Int64.random(in: .min ... .max)
    /// Whether a line was written into the history.
    private(set) var hasHistory = false
    /// What the two were when the savepoint began.
    private var atSavepoint: (sequence: Int64, hasHistory: Bool) = (0, false)
    private let store: PostgresStore
    private let connection: PostgresConnection

    init(_ store: PostgresStore, _ connection: PostgresConnection, after sequence: Int64) {
        self.store = store
        self.connection = connection
        self.sequence = sequence
    }

    /// Applies changes inside a savepoint: all of them, or none.
    func apply(_ changes: ChangeSet) throws(StoreError) -> SaveReceipt {
        if changes.isEmpty { return SaveReceipt() }
        try connection.execute("SAVEPOINT work")
        do throws(StoreError) {
            if let history = try quickly(changes) {
                try note(history, changes)
                try connection.execute("RELEASE SAVEPOINT work")
                return SaveReceipt()
            }
            try connection.execute("ROLLBACK TO SAVEPOINT work")
            let (conflicts, history) = try CarefulWriter(store: store, connection: connection).write(changes)
            if conflicts.isEmpty {
                try note(history, changes)
            } else {
                try connection.execute("ROLLBACK TO SAVEPOINT work")
            }
            try connection.execute("RELEASE SAVEPOINT work")
            return SaveReceipt(conflicts: conflicts)
        } catch {
            if connection.isInTransaction {
                try? connection.execute("ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work")
            }
            throw error
        }
    }

    /// Writes everything; nil where something stands in the way.
    private func quickly(_ changes: ChangeSet) throws(StoreError) -> HistoryEncoder? {
        do throws(StoreError) {
            return try ChangeSetWriter(store: store, connection: connection).write(changes)
        } catch {
            if error.code == .duplicate || error.code == .missingReference { return nil }
            throw error
        }
    }

    // MARK: Savepoints

    func beginSavepoint() throws(StoreError) {
        try connection.execute("SAVEPOINT part")
        atSavepoint = (sequence, hasHistory)
    }

    func endSavepoint(keepingWork: Bool) throws(StoreError) {
        if keepingWork { return try connection.execute("RELEASE SAVEPOINT part") }
        try connection.execute("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")
        (sequence, hasHistory) = atSavepoint
    }

    /// Writes the line of a save into the history.
    private func note(_ history: HistoryEncoder, _ changes: ChangeSet) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(sequence + 1)
        parameters.append(mark)
        parameters.append(moment: Date.now.microseconds)
        parameters.append(changes.author)
        parameters.append(changes.contextName)
        parameters.append(store.configuration.keepsHistory ? history.bytes : nil)
        try connection.run(
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date", "author", "context", "changes") \
            VALUES ($1, $2, $3, $4, $5, $6)
            """, parameters)
        sequence += 1
        hasHistory = true
    }

    /// Forgets the history up to a save; the last line stays, because it is the store's clock.
    func pruneHistory(through sequence: Int64) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(sequence)
        parameters.append(self.sequence)
        try connection.run(
            "DELETE FROM \"_store_history\" WHERE \"sequence\" <= $1 AND \"sequence\" < $2", parameters)
        let catalogue = StoreCatalogue(connection: connection)
        if sequence > (try catalogue.prunedSequence()) {
            try catalogue.note("history_pruned", String(min(sequence, self.sequence)))
        }
    }
}
#endif
