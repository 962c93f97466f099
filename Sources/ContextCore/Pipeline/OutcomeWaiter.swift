/// Waits for what somebody else knows first: what has become of a commit, or that a pause is over.
///
/// `state` is guarded by its mutex.
final class OutcomeWaiter: Sendable {
    private enum State {
        case open
        case awaited(@Sendable (Result<Void, any Error>) -> Void)
        case settled(Result<Void, any Error>)
    }

    private let state = Guarded(State.open)
    /// What the waiter releases, rather than the thread that tells it, behind which others wait.
    // nonisolated(unsafe): nobody looks at it. It is released once, after the waiter has been told: by the task or
    // thread that waits, or on a thread of those that ``tell(releasingOn:_:)`` is given.
    nonisolated(unsafe) private var kept: AnyObject?

    init(keeping kept: AnyObject? = nil) { self.kept = kept }

    /// Says what has become of it.
    func resume(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .settled(result) }
            return state
        }
        if case .awaited(let completion) = waiting { completion(result) }
    }

    /// Tells what has become of it, as soon as that is known, on whatever thread it is.
    func tell(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if case .settled(let result) = state { return result }
            state = .awaited(completion)
            return nil
        }
        if let result { completion(result) }
    }

    /// Tells what has become of it, and then releases what was kept on a thread of some: the thread that tells goes on
    /// at once.
    func tell(
        releasingOn threads: any WorkThreads,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        tell { [self] result in
            completion(result)
            if kept != nil { threads.run { self.kept = nil } }
        }
    }

    /// Waits without blocking a thread.
    func value() async throws {
        defer { kept = nil }
        try await withCheckedThrowingContinuation { continuation in
            tell { continuation.resume(with: $0) }
        }
    }

    /// Blocks the thread.
    func wait() throws {
        defer { kept = nil }
        let signal = ThreadSignal()
        tell { _ in signal.signal() }
        signal.wait()
        if case .settled(let result) = state.withLock({ $0 }) { try result.get() }
    }
}
