/// Decides when a live view of a store opens it, reads its saves and looks at its activity.
///
/// It is a value without a clock, so that tests run it alone.
struct LiveSchedule {
    /// The intervals of a live view.
    struct Intervals: Sendable {
        /// The time between two looks at the history, so that a save is shown soon after its commit.
        var saves = Duration.milliseconds(250)
        var activity = Duration.seconds(2)
        /// The delays before an open is tried again: the first, and the longest.
        var firstRetry = Duration.milliseconds(500)
        var longestRetry = Duration.seconds(10)
        /// The time after which an open store counts as working.
        var trial = Duration.seconds(5)
    }

    enum Step: Equatable {
        case open
        case readSaves
        case readActivity
        case wait(until: ContinuousClock.Instant)
    }

    let intervals: Intervals
    private var openedAt: ContinuousClock.Instant?
    private var nextOpening: ContinuousClock.Instant
    private var nextSaves: ContinuousClock.Instant
    private var nextActivity: ContinuousClock.Instant
    /// Whether the saves were read since the activity was.
    private var hasReadSaves = false
    /// The delay before the next open that fails is tried again.
    private var retry: Duration

    init(_ intervals: Intervals, at now: ContinuousClock.Instant) {
        self.intervals = intervals
        (nextOpening, nextSaves, nextActivity) = (now, now, now)
        retry = intervals.firstRetry
    }

    func step(at now: ContinuousClock.Instant) -> Step {
        if openedAt == nil { return now >= nextOpening ? .open : .wait(until: nextOpening) }
        // In a store with more and more saves, each look at the activity that is due still comes after one at the saves.
        if now >= nextActivity, hasReadSaves { return .readActivity }
        if now >= nextSaves { return .readSaves }
        return .wait(until: min(nextSaves, nextActivity))
    }

    mutating func recordOpening(at now: ContinuousClock.Instant) {
        (openedAt, nextSaves, nextActivity) = (now, now, now)
        hasReadSaves = false
    }

    /// - Parameter hasMore: Whether there are more saves than one look reads, so that the next look follows at once.
    mutating func recordSaves(hasMore: Bool, at now: ContinuousClock.Instant) {
        nextSaves = hasMore ? now : now + intervals.saves
        hasReadSaves = true
    }

    mutating func recordActivity(at now: ContinuousClock.Instant) {
        nextActivity = now + intervals.activity
        hasReadSaves = false
    }

    /// Records that opening the store or reading from it failed.
    ///
    /// - Returns: The delay before the store is opened again; nil if it is opened at once and the failure needs no mention, because the
    ///   store has worked for a while: it may have been migrated or replaced, or the server restarted.
    mutating func recordFailure(at now: ContinuousClock.Instant) -> Duration? {
        defer { openedAt = nil }
        if let openedAt, now - openedAt >= intervals.trial {
            (retry, nextOpening) = (intervals.firstRetry, now)
            return nil
        }
        let delay = retry
        nextOpening = now + delay
        retry = min(retry * 2, intervals.longestRetry)
        return delay
    }
}
