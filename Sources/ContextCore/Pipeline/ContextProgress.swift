/// What other threads can tell of the progress of a context's work: it is the same twice if nothing has happened in between.
struct ContextProgress: Equatable {
    /// How many pieces of work have begun.
    let turn: UInt64
    /// How many requests to the store have ended.
    let requests: UInt64
    /// The processor time that the thread has used which runs the work.
    let processorTime: Duration?
}

/// Decides when a thread waits for a context that makes no progress.
///
/// It counts observations instead of looking at a clock, as a process may be suspended for any time. Each is the progress of the context
/// and of those that it waits for in turn, or nil while one of them uses the store.
struct StallDetector {
    /// How many observations in a row must be the same; more where the limit is longer than the system could wait for in so many.
    let observations: Int
    /// How long to wait before each observation, where no stall is known.
    private let usualInterval: Duration
    /// What was observed when an earlier wait was given up.
    private let known: [ContextProgress]?
    private var last: [ContextProgress]?
    private var repetitions = 0

    /// - Parameters:
    ///   - limit: How long a context may make no progress.
    ///   - known: What was observed when an earlier wait was given up; nil where none was.
    ///   - first: What is observed before the wait.
    init(_ limit: Duration, known: [ContextProgress]?, first: [ContextProgress]?) {
        observations = max(10, Int((limit / .seconds(360)).rounded(.up)))
        usualInterval = limit / observations
        self.known = known
        last = first
    }

    /// Whether the context is stalled as it was when an earlier wait was given up, so that one more observation is enough.
    var isKnown: Bool { last != nil && last == known }

    /// How long to wait before the next observation.
    var interval: Duration { isKnown ? usualInterval / 10 : usualInterval }

    /// Adds an observation, and returns whether the context is stalled.
    mutating func isStalled(_ progress: [ContextProgress]?) -> Bool {
        let wasKnown = isKnown
        guard let progress, progress == last else {
            last = progress
            repetitions = 0
            return false
        }
        repetitions += 1
        return wasKnown || repetitions >= observations
    }
}
