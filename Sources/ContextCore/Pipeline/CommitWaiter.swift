/// Waits for a commit that somebody else makes.
///
/// `state` is guarded by its mutex.
final class CommitWaiter: Sendable {
    private enum State {
        case open
        case task(CheckedContinuation<Void, any Error>)
        case thread(ThreadSignal)
        case settled(Result<Void, any Error>)
    }

    private let state = Guarded(State.open)

    /// Says what has become of the commit.
    func resume(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .settled(result) }
            return state
        }
        switch waiting {
        case .task(let continuation): continuation.resume(with: result)
        case .thread(let signal): signal.signal()
        case .open, .settled: break
        }
    }

    /// Waits without blocking a thread.
    func value() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Void, any Error>? in
                if case .settled(let result) = state { return result }
                state = .task(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Blocks the thread.
    func wait() throws {
        let signal = ThreadSignal()
        let isOpen = state.withLock { state in
            guard case .open = state else { return false }
            state = .thread(signal)
            return true
        }
        if isOpen { signal.wait() }
        if case .settled(let result) = state.withLock({ $0 }) { try result.get() }
    }
}
