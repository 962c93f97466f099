#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Begins a transaction, inserts what several saves have, and commits, all in one round trip.
///
/// Whoever begins by asking waits for the server three times. Here the server itself refuses everything where the store was migrated to
/// another model: a transaction that has failed is not committed.
struct SaveInOneTrip {
    let store: PostgresStore
    let identifier: String
    let heedsCancellation: Bool

    /// Saves, and answers the number of each save; nil, with nothing saved, where anything stands in the way.
    ///
    /// - Throws: what becomes of the wait for others, of a cancellation, or of a commit whose answer was lost.
    func run(_ changeSets: [ChangeSet]) throws(StoreError) -> [Int64]? {
        guard let gathered = try? GatheredInsertions(changeSets, store.mapping), needsNoLook(gathered)
        else { return nil }
        let connection = try store.pool.take(for: identifier, heedsCancellation: heedsCancellation)
        store.keepUp(on: connection)
        connection.cancelsOnlyWaits = true
        // What anybody sees later may be behind its lines.
        let trace = TransactionTrace(
            mark: .random(in: .min ... .max), sequence: store.newestEnd + 1, number: nil)
        var isLost = false
        do throws(StoreError) {
            defer {
                // Once it was given back it may be somebody else's.
                isLost = !connection.isAlive
                giveBack(connection)
            }
            return try naming(connection) { () throws(StoreError) in
                guard try post(gathered, trace.mark, connection) else { return nil }
                return try commit(gathered, connection)
            }
        } catch {
            if error.isOfTheWait { throw error }
            return isLost ? try numbers(ofLost: trace, connection.process, error, changeSets.count) : nil
        }
    }

    /// Names who has the lock that was waited for in vain.
    private func naming<Answer>(
        _ connection: PostgresConnection, _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try work()
        } catch {
            guard error.isLockTimeout else { throw error }
            if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error.namingHolder(of: .migration, on: connection)
        }
    }

    /// Whether all that could stand in the way is told by errors; to see whether a reference leads to a row of the right entity takes a
    /// question.
    private func needsNoLook(_ gathered: GatheredInsertions) -> Bool {
        !gathered.changes.inserts.isEmpty
            && gathered.changes.inserts.allSatisfy {
                store.mapping.entities[$0.entityIndex].narrowReferences.isEmpty
            }
    }

    /// Posts all but the commit; false where that can't be.
    private func post(
        _ gathered: GatheredInsertions, _ mark: Int64, _ connection: PostgresConnection
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            // A server that is gone by now has been told nothing.
            try connection.settleDown()
            guard try connection.enterPipeline() else { return false }
            for statement in store.start.writingBlindly { try connection.post(statement) }
            let writer = ChangeSetWriter(store: store, connection: connection)
            try writer.postInsertions(gathered.changes)
            try writer.checkReferencesEarly(gathered.changes)
            try connection.post(store.start.checkingPlace)
            try HistoryLines(gathered.lines, mark: mark).post(to: store, connection, by: store.historyAhead)
            return true
        } catch {
            // The server has not been told to commit.
            _ = try? connection.settle()
            if error.isOfTheWait { throw error }
            return false
        }
    }

    private func commit(
        _ gathered: GatheredInsertions, _ connection: PostgresConnection
    ) throws(StoreError) -> [Int64] {
        connection.postedRows = nil
        defer { connection.postedRows = nil }
        let rows: PostgresResult?
        do throws(StoreError) {
            rows = try connection.commitPosted(ringing: store.bell)
        } catch {
            throw error.isOfLateCommit ? .lateCommit(error) : error
        }
        guard let rows, rows.count == gathered.lines.count else { throw connection.lost() }
        return rows.numbers
    }

    /// The numbers of saves whose transaction was committed though the server's answer was lost; nil where it was not.
    private func numbers(
        ofLost trace: TransactionTrace, _ process: ServerProcess, _ error: StoreError, _ count: Int
    ) throws(StoreError) -> [Int64]? {
        let numbers: [Int64]
        do throws(StoreError) {
            numbers = try CommitOutcome(store: store, process: process, trace: trace).resolve(error)
        } catch {
            if error.code == .commitOutcomeUnknown { throw error }
            return nil
        }
        // Lines are pruned from the first on. Nobody goes on after a number that was pruned, so the next one does for it.
        guard let first = numbers.first else { throw CommitOutcome.unknown(error) }
        return Array(repeating: first, count: max(0, count - numbers.count)) + numbers
    }

    private func giveBack(_ connection: PostgresConnection) {
        (connection.heedsCancellation, connection.cancelsOnlyWaits) = (false, false)
        if connection.isAlive && connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.pool.giveBack(connection)
    }
}

extension StoreError {
    /// Whether it says that others were waited for too long, or that nobody wants it any more: to try in another way would only take
    /// longer.
    var isOfTheWait: Bool { isLockTimeout || code == .busy || code == .cancelled }

    /// Whether the server has waited too long while it committed.
    var isOfLateCommit: Bool { isLockTimeout && detail?.hasSuffix("; statement: COMMIT") == true }
}
#endif
