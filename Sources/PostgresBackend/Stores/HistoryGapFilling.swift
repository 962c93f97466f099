#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The state machine that decides when to fill gaps in the numbers of a store's history, and when to record the end of its gapless part.
///
/// A number is missing while its transaction commits, and permanently if that transaction has failed. A number that stays missing is
/// filled with an empty history record. If its transaction is running after all, the server makes the insertion of the empty record
/// wait, or rejects the transaction's record, and the transaction then uses another number.
struct HistoryGapFilling {
    /// A task to perform outside of any transaction.
    enum Work: Equatable {
        /// Reads the end of the history, since the numbers of this program's saves show saves of other processes.
        case readEnd
        /// Inserts empty records for the missing numbers of a range.
        case fill(ClosedRange<Int64>)
        /// Records that the history has no gaps up to a number.
        case recordEnd(Int64)
    }

    private struct Gap {
        let first: Int64
        /// The last visible number when the gap was first seen.
        let last: Int64
        var nextAttempt: ContinuousClock.Instant
        var pause = HistoryGapFilling.fillDelay
    }

    /// The time that a number may be missing before it is filled.
    static let fillDelay = Duration.milliseconds(200)
    private static let maximumPause = Duration.seconds(60)
    /// The largest number of records that one task fills.
    static let maximumFilledRecords: Int64 = 10_000
    /// The number of records after which the end of the gapless history is recorded again.
    static let maximumUnrecordedNumbers: Int64 = 10_000

    private var gap: Gap?
    /// The last number that was recorded as gapless, as far as this process knows.
    private var recordedEnd: Int64 = 0
    private var end: Int64 = 0
    /// The last number of this process's saves.
    private var lastSaved: Int64 = 0
    /// The time to read the end of the history if no transaction begins before.
    private var nextReading: ContinuousClock.Instant?
    /// Whether the process may not write to the history.
    private var isStopped = false

    /// Updates the state with the end of the history that a transaction has read at its start.
    mutating func update(with historyEnd: HistoryEnd, at now: ContinuousClock.Instant) {
        nextReading = nil
        // After a failover the end can be lower than before.
        end = historyEnd.end
        if historyEnd.isFirst { recordedEnd = historyEnd.base }
        guard historyEnd.newest > historyEnd.end else {
            gap = nil
            return
        }
        let first = historyEnd.end + 1
        if gap?.first == first { return }
        gap = Gap(
            first: first, last: min(historyEnd.newest, historyEnd.end + Self.maximumFilledRecords),
            nextAttempt: now + Self.fillDelay)
    }

    /// Updates the state with the numbers of saves that were committed without reading the end of the history.
    mutating func update(withSaved numbers: [Int64], at now: ContinuousClock.Instant) {
        guard let first = numbers.first, let last = numbers.last else { return }
        if first > max(end, lastSaved) + 1, nextReading == nil { nextReading = now + Self.fillDelay }
        lastSaved = max(lastSaved, last)
    }

    /// Returns the task that is due, which the caller performs; a task that fails is due again later.
    mutating func next(at now: ContinuousClock.Instant) -> Work? {
        if isStopped { return nil }
        if let time = nextReading, time <= now {
            nextReading = nil
            return .readEnd
        }
        if var gap, gap.nextAttempt <= now {
            gap.pause = min(gap.pause * 2, Self.maximumPause)
            gap.nextAttempt = now + gap.pause
            self.gap = gap
            return .fill(gap.first...gap.last)
        }
        guard end - recordedEnd >= Self.maximumUnrecordedNumbers else { return nil }
        recordedEnd = end
        return .recordEnd(end)
    }

    /// Stops scheduling tasks, since the process can't write to the store.
    mutating func stop() { isStopped = true }
}

extension HistoryGapFilling.Work {
    /// Performs the task on a connection without an open transaction, and returns false if the role or the server is read-only.
    ///
    /// Then other processes, which write to the store, perform it. The task waits at most 100 ms for a lock.
    func perform(on connection: PostgresConnection, of store: PostgresStore) -> Bool {
        let metadata = store.configuration.stored(StoreNames.metadata)
        // After the store was restored, or the server lost the last saves in a failover, the task must change nothing.
        let isCurrentCondition = """
            EXISTS (SELECT FROM \(metadata) WHERE "name" = 'store_id' AND "value" = '\(store.storeID.uuidString)')
            """
        let last = "(SELECT max(\"sequence\") FROM \(store.history))"
        // Not the server's now(): Citus 13.2 breaks an INSERT … SELECT with a function to evaluate beforehand.
        let date = "pg_catalog.to_timestamp(\(Date.now.timeIntervalSince1970))"
        let statement =
            switch self {
            case .readEnd: ""
            case .fill(let numbers):
                """
                INSERT INTO \(store.history) ("sequence", "mark", "date", "changes") SELECT n, 0, \(date), ''::bytea \
                FROM pg_catalog.generate_series(\(numbers.lowerBound)::int8, \(numbers.upperBound)::int8) AS n \
                WHERE n < \(last) AND \(isCurrentCondition) AND NOT EXISTS (SELECT FROM \(store.history) WHERE "sequence" = n) \
                ON CONFLICT DO NOTHING
                """
            case .recordEnd(let end):
                """
                INSERT INTO \(metadata) AS noted ("name", "value") \
                SELECT '\(PostgresNames.gaplessHistoryEnd)', '\(end)' WHERE \(end) <= \(last) AND \(isCurrentCondition) \
                ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value" WHERE noted."value"::int8 < excluded."value"::int8
                """
            }
        do throws(StoreError) {
            if self == .readEnd {
                try store.readHistoryEnd(on: connection)
            } else {
                try connection.execute(
                    """
                    BEGIN ISOLATION LEVEL READ COMMITTED; \(store.nodeSettings)SET LOCAL lock_timeout = '100ms'; \
                    SET LOCAL idle_in_transaction_session_timeout = '10s'; \(statement); COMMIT
                    """)
            }
            return true
        } catch {
            connection.rollback()
            return error.code != .readOnly && error.code != .accessDenied
        }
    }
}
#endif
