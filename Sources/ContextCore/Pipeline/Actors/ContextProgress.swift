/// An observation of a context's work by another thread; two equal observations mean that the work made no progress in between.
struct ContextProgress: Equatable {
    /// The number of pieces of work started so far.
    let turn: UInt64
    /// The number of store requests that have ended.
    let requests: UInt64
    /// The processor time used by the thread that runs the work.
    let processorTime: Duration?
}

/// Decides when a context that a thread waits for counts as stalled.
///
/// It counts observations instead of reading a clock, because the process may be suspended for any time. Each observation covers the
/// context and the contexts that it waits for in turn; it is nil while one of them uses the store.
struct StallDetector {
    /// The number of consecutive equal observations that mean a stall: 10, or more if the limit is above an hour.
    ///
    /// A single wait between observations lasts at most 6 minutes.
    let observations: Int
    /// The delay before each observation, if no earlier wait found a stall.
    private let usualInterval: Duration
    /// The observation at which an earlier wait found a stall; nil if none did.
    private let earlierStall: [ContextProgress]?
    private var last: [ContextProgress]?
    private var repetitions = 0

    /// - Parameters:
    ///   - limit: How long the context may make no progress before it counts as stalled.
    ///   - known: The observation at which an earlier wait found a stall; nil if none did.
    ///   - first: The observation before the wait.
    init(_ limit: Duration, earlierStall: [ContextProgress]?, first: [ContextProgress]?) {
        observations = max(10, Int((limit / .seconds(360)).rounded(.up)))
        usualInterval = limit / observations
        self.earlierStall = earlierStall
        last = first
    }

    /// Whether an earlier wait found the context stalled in its present state, so that one more observation is enough.
    var isAtEarlierStall: Bool { last != nil && last == earlierStall }

    /// The delay before the next observation.
    var interval: Duration { isAtEarlierStall ? usualInterval / 10 : usualInterval }

    /// Adds an observation, and returns whether the context is stalled.
    mutating func isStalled(_ progress: [ContextProgress]?) -> Bool {
        let wasAtEarlierStall = isAtEarlierStall
        guard let progress, progress == last else {
            last = progress
            repetitions = 0
            return false
        }
        repetitions += 1
        return wasAtEarlierStall || repetitions >= observations
    }
}
