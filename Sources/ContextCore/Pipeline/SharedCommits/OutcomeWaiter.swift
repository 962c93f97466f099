/// A one-shot result that another thread delivers: the outcome of a shared commit, or the end of a retry delay.
///
/// `state` is guarded by its mutex.
final class OutcomeWaiter: Sendable {
    private enum State {
        case open
        case awaited(@Sendable (Result<Void, any Error>) -> Void)
        case completed(Result<Void, any Error>)
    }

    private let state = Guarded(State.open)
    /// An object that is released after the result was delivered, so that its deinitialization doesn't delay the delivering thread.
    // nonisolated(unsafe): it is never read, and released once: by the waiting task or thread, or on a thread passed to
    // ``whenCompleted(releasingOn:_:)``.
    nonisolated(unsafe) private var retained: AnyObject?

    init(retaining retained: AnyObject? = nil) { self.retained = retained }

    /// Delivers the result.
    func resume(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .completed(result) }
            return state
        }
        if case .awaited(let completion) = waiting { completion(result) }
    }

    /// Calls a completion with the result, on the thread that delivers it, or immediately if it was delivered before.
    func whenCompleted(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if case .completed(let result) = state { return result }
            state = .awaited(completion)
            return nil
        }
        if let result { completion(result) }
    }

    /// Calls a completion with the result, and then releases the retained object on another thread, so that the delivering thread continues
    /// at once.
    func whenCompleted(
        releasingOn threads: any BlockingThreadPool,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        whenCompleted { [self] result in
            completion(result)
            if retained != nil { threads.run { self.retained = nil } }
        }
    }

    /// Suspends the task until the result is delivered, and throws if it is a failure.
    func value() async throws {
        defer { retained = nil }
        try await withCheckedThrowingContinuation { continuation in
            whenCompleted { continuation.resume(with: $0) }
        }
    }

    /// Blocks the thread until the result is delivered, and throws if it is a failure.
    func wait() throws {
        defer { retained = nil }
        let signal = ThreadSignal()
        whenCompleted { _ in signal.signal() }
        signal.wait()
        if case .completed(let result) = state.withLock({ $0 }) { try result.get() }
    }
}
