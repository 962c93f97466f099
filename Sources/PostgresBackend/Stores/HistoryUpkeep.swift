#if Postgres
import ContextCore
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

    /// Notes what a transaction has found when it began.
    mutating func see(_ clock: ClockReading, at now: ContinuousClock.Instant) {
        end = max(end, clock.end)
        if clock.isFirst { noted = max(noted, clock.base) }
        guard clock.newest > clock.end else {
            gap = nil
            return
        }
        let first = clock.end + 1
        if gap?.first == first { return }
        gap = Gap(
            first: first, last: min(clock.newest, clock.end + Self.mostFilled), tryAt: now + Self.patience)
    }

    /// What is to be done now, by whoever asks; what fails is wanted again later.
    mutating func take(at now: ContinuousClock.Instant) -> Work? {
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
}

extension HistoryUpkeep.Work {
    /// Does it on a connection that is in no transaction.
    ///
    /// A role that may only read can't, nor can a standby; then another program does it that writes to the store. It never waits for long.
    func perform(on connection: PostgresConnection, of store: PostgresStore) {
        let metadata = store.configuration.stored(StoreNames.metadata)
        let isInPlace = """
            EXISTS (SELECT FROM \(metadata) WHERE "name" = 'store_id' AND "value" = '\(store.storeID.uuidString)')
            """
        let statement =
            switch self {
            case .fill(let numbers):
                """
                INSERT INTO \(store.history) ("sequence", "mark", "date") SELECT n, 0, pg_catalog.now() \
                FROM pg_catalog.generate_series(\(numbers.lowerBound)::int8, \(numbers.upperBound)::int8) AS n \
                WHERE \(isInPlace) AND NOT EXISTS (SELECT FROM \(store.history) WHERE "sequence" = n) ON CONFLICT DO NOTHING
                """
            case .note(let end):
                """
                INSERT INTO \(metadata) AS noted ("name", "value") SELECT '\(PostgresNames.settledHistory)', '\(end)' WHERE \(isInPlace) \
                ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value" WHERE noted."value"::int8 < excluded."value"::int8
                """
            }
        do throws(StoreError) {
            try connection.execute(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '100ms'; \
                SET LOCAL idle_in_transaction_session_timeout = '10s'; \(statement); COMMIT
                """)
        } catch {
            if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
        }
    }
}
#endif
