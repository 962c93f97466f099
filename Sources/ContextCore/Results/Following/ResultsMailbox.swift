/// The newest list that a consumer has not looked at yet, and the last one that he has.
///
/// However long he stays away, two lists are kept, and they share what has not changed.
///
/// `state` is guarded by its mutex.
final class ResultsMailbox: Sendable {
    private typealias Waiter = CheckedContinuation<Pair?, Never>

    /// What the consumer has, and what he gets.
    private struct Pair {
        let seen: ResultsSnapshot
        let latest: ResultsSnapshot
    }

    private struct State {
        var seen: ResultsSnapshot
        /// Nil when he has seen it.
        var latest: ResultsSnapshot?
        var waiters: [(number: Int, continuation: Waiter)] = []
        var lastNumber = 0
        var isClosed = false

        mutating func take() -> Pair? {
            guard let latest else { return nil }
            defer { (seen, self.latest) = (latest, nil) }
            return Pair(seen: seen, latest: latest)
        }
    }

    private let state: Guarded<State>

    init(seen: ResultsSnapshot, latest: ResultsSnapshot) {
        state = Guarded(State(seen: seen, latest: latest))
    }

    /// Puts the newest list in the place of the one before.
    func post(_ snapshot: ResultsSnapshot) {
        let answer = state.withLock { state -> (Waiter, Pair?)? in
            if state.isClosed { return nil }
            state.latest = snapshot
            if state.waiters.isEmpty { return nil }
            return (state.waiters.removeFirst().continuation, state.take())
        }
        answer?.0.resume(returning: answer?.1)
    }

    /// Says that nothing will come any more; what is in the box may still be taken.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// What makes the newest list of the last one that was taken, once there is something; nil once the box is closed and empty, or
    /// the task is cancelled.
    func next() async -> ResultsDifference? {
        while let pair = await nextPair() {
            let difference = pair.latest.difference(from: pair.seen)
            if !difference.isEmpty { return difference }
        }
        return nil
    }

    private func nextPair() async -> Pair? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0) }
        } onCancel: {
            giveUp(number)
        }
    }

    private func wait(_ number: Int, _ continuation: Waiter) {
        let answer = state.withLock { state -> Pair?? in
            if let pair = state.take() { return pair }
            if state.isClosed || Task.isCancelled { return .some(nil) }
            state.waiters.append((number, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: nil)
    }
}
