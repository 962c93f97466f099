#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Decides what has to be done so that a store's history can be followed: numbers that no transaction will have any more are to be taken,
/// and now and then it has to be noted how far the history is without gaps.
///
/// A number is missing for a moment while the transaction that has it commits, and for good where that transaction has failed. A number
/// that stays missing is given to an empty line. Where its transaction is at work after all, the server makes the empty line wait, or
/// refuses the transaction's own, which then takes another number.
struct HistoryUpkeep {
    /// Something to do, beside any transaction.
    enum Work: Equatable {
        /// Looks at the history, as saves of this program show that others have taken numbers.
        case look
        /// Gives empty lines to the numbers of these that no line has.
        case fill(ClosedRange<Int64>)
        /// Notes that there are no gaps up to a number.
        case note(Int64)
    }

    private struct Gap {
        let first: Int64
        /// The last number that was visible when the gap was first seen.
        let last: Int64
        var tryAt: ContinuousClock.Instant
        var pause = HistoryUpkeep.patience
    }

    /// How long a number may be missing before it is taken.
    static let patience = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(60)
    /// How many numbers are taken at once.
    static let mostFilled: Int64 = 10_000
    /// How many lines there may be after the number that was noted last.
    static let mostUnnoted: Int64 = 10_000

    private var gap: Gap?
    /// The number that was noted last, as far as it is known.
    private var noted: Int64 = 0
    private var end: Int64 = 0
    /// The last number that this program has saved under.
    private var lastSaved: Int64 = 0
    /// When the history is to be looked at, though nothing else begins.
    private var lookAt: ContinuousClock.Instant?
    /// Whether the program may do nothing of it.
    private var isStopped = false

    /// Notes what a transaction has found when it began.
    mutating func see(_ clock: ClockReading, at now: ContinuousClock.Instant) {
        lookAt = nil
        // After a failover it may be less than before.
        end = clock.end
        if clock.isFirst { noted = clock.base }
        guard clock.newest > clock.end else {
            gap = nil
            return
        }
        let first = clock.end + 1
        if gap?.first == first { return }
        gap = Gap(
            first: first, last: min(clock.newest, clock.end + Self.mostFilled), tryAt: now + Self.patience)
    }

    /// Notes the numbers of saves that asked for nothing before they were committed.
    mutating func see(saved numbers: [Int64], at now: ContinuousClock.Instant) {
        guard let first = numbers.first, let last = numbers.last else { return }
        if first > max(end, lastSaved) + 1, lookAt == nil { lookAt = now + Self.patience }
        lastSaved = max(lastSaved, last)
    }

    /// What is to be done now, by whoever asks; what fails is wanted again later.
    mutating func next(at now: ContinuousClock.Instant) -> Work? {
        if isStopped { return nil }
        if let time = lookAt, time <= now {
            lookAt = nil
            return .look
        }
        if var gap, gap.tryAt <= now {
            gap.pause = min(gap.pause * 2, Self.longestPause)
            gap.tryAt = now + gap.pause
            self.gap = gap
            return .fill(gap.first...gap.last)
        }
        guard end - noted >= Self.mostUnnoted else { return nil }
        noted = end
        return .note(end)
    }

    /// Does no more, as the program may only read.
    mutating func stop() { isStopped = true }
}

extension HistoryUpkeep.Work {
    /// Does it on a connection that is in no transaction; false where the program may not.
    ///
    /// What a role can't that may only read, or a standby, another program does that writes to the store. It never waits for long.
    func perform(on connection: PostgresConnection, of store: PostgresStore) -> Bool {
        let metadata = store.configuration.stored(StoreNames.metadata)
        // Of a store that was restored, or a server that has lost the last saves, nothing must be said that holds no more.
        let isInPlace = """
            EXISTS (SELECT FROM \(metadata) WHERE "name" = 'store_id' AND "value" = '\(store.storeID.uuidString)')
            """
        let last = "(SELECT max(\"sequence\") FROM \(store.history))"
        // Not the server's now(): Citus 13.2 spoils an INSERT of what is selected that has to be evaluated before.
        let date = "pg_catalog.to_timestamp(\(Date.now.timeIntervalSince1970))"
        let statement =
            switch self {
            case .look: ""
            case .fill(let numbers):
                """
                INSERT INTO \(store.history) ("sequence", "mark", "date", "changes") SELECT n, 0, \(date), ''::bytea \
                FROM pg_catalog.generate_series(\(numbers.lowerBound)::int8, \(numbers.upperBound)::int8) AS n \
                WHERE n < \(last) AND \(isInPlace) AND NOT EXISTS (SELECT FROM \(store.history) WHERE "sequence" = n) \
                ON CONFLICT DO NOTHING
                """
            case .note(let end):
                """
                INSERT INTO \(metadata) AS noted ("name", "value") \
                SELECT '\(PostgresNames.settledHistory)', '\(end)' WHERE \(end) <= \(last) AND \(isInPlace) \
                ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value" WHERE noted."value"::int8 < excluded."value"::int8
                """
            }
        do throws(StoreError) {
            if self == .look {
                try store.look(on: connection)
            } else {
                try connection.execute(
                    """
                    BEGIN ISOLATION LEVEL READ COMMITTED; \(store.nodeSettings)SET LOCAL lock_timeout = '100ms'; \
                    SET LOCAL idle_in_transaction_session_timeout = '10s'; \(statement); COMMIT
                    """)
            }
            return true
        } catch {
            if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
            return error.code != .readOnly && error.code != .accessDenied
        }
    }
}
#endif
