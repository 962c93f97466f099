import ContextCore
import Dispatch
import Foundation
import RandomSeeds

/// Lets the tasks and threads of a program run one at a time, in an order that a seed chooses.
///
/// Whoever runs goes on until it has ended or pauses; then somebody else of those who could is drawn. So a seed is one schedule, and the
/// same one each time. Its time goes on by itself a little with every turn.
///
/// A thread that pauses draws who comes next, and wakes it: to go by way of the scheduler's own thread would take twice as long. That
/// one runs the tasks' jobs, and is woken for them.
///
/// `state` is guarded by its mutex.
final class SeededScheduler: TaskExecutor, WorkThreads {
    private enum Turn {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
        case thread(SeededThread)
    }

    private struct State {
        var dice: SeededRandom
        var turns: [Turn] = []
        /// The threads that are about to be free, and the work that waits for one, as it does for a pipeline's own.
        var ending: Set<ObjectIdentifier> = []
        var held: [@Sendable () -> Void] = []
        /// How many turns there have been.
        var count = 0
        /// What a thread has drawn that it can't wake.
        var drawn: Turn?
        var now = ContinuousClock.now
        var pauses = Pauses()
    }

    /// How often a thread has waited before it did something again, and how often nothing was blocked meanwhile.
    struct Pauses: Sendable {
        var ofThreads = 0
        var later = 0
    }

    /// After how many turns a schedule is taken to go on for ever.
    private static let mostTurns = 200_000
    /// How often a thread is drawn that waits for a time, on average, until that has passed.
    private static let patience = 10

    private let state: Guarded<State>
    /// Wakes the scheduler's own thread.
    private let bell = DispatchSemaphore(value: 0)

    init(seed: UInt64) { state = Guarded(State(dice: SeededRandom(seed: seed))) }

    let count = 0

    // MARK: Who may run

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.turns.append(.job(job)) }
    }

    func willBeFree() {
        if ScheduledThread.current == nil { return }
        state.withLock { _ = $0.ending.insert(ObjectIdentifier(Thread.current)) }
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.ending.count > state.held.count {
                state.held.append(work)
            } else {
                state.turns.append(.work(work))
            }
        }
    }

    func close(whenEmpty: @escaping @Sendable () -> Void) { run(whenEmpty) }

    /// What a pipeline takes from outside.
    var surroundings: PipelineSurroundings {
        PipelineSurroundings { _, _ in
            self
        } now: {
            self.now
        } pause: { time, signal in
            self.state.withLock { $0.pauses.ofThreads += 1 }
            self.wait(time, for: signal)
        } later: { time, work in
            self.state.withLock { state in
                (state.now, state.pauses.later) = (state.now + time, state.pauses.later + 1)
                state.turns.append(.work(work))
            }
        } chance: {
            Double(self.roll(1000)) / 1000
        }
    }

    /// What a pool of connections takes from outside: others may run before each of its steps.
    var surroundingsOfPool: PipelineSurroundings {
        var surroundings = surroundings
        surroundings.now = {
            Self.pause()
            return self.now
        }
        surroundings.pause = { time, signal in self.wait(time, for: signal) }
        return surroundings
    }

    /// Lets a thread wait for a signal, or until a time has passed: the seed says which comes first.
    private func wait(_ time: Duration, for signal: ThreadSignal) {
        ScheduledThread.current?.pause { [self] in
            if signal.tryWait() { return true }
            if roll(Self.patience) > 0 { return false }
            advance(time)
            return true
        }
    }

    var pauses: Pauses { state.withLock { $0.pauses } }

    // MARK: Chance and time

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func advance(_ time: Duration) { state.withLock { $0.now += time } }

    /// A number from 0, below another.
    func roll(_ count: Int) -> Int { state.withLock { $0.dice.roll(count) } }

    /// Lets others run first, if that is up to the calling thread.
    static func pause() { ScheduledThread.current?.pause() }

    // MARK: Running

    /// Runs a program until nobody can go on; false where it had not come to its end by then.
    ///
    /// It blocks the thread.
    func run(_ program: @escaping @Sendable () async -> Void) -> Bool {
        let hasEnded = Guarded(false)
        Task(executorPreference: self) {
            await program()
            hasEnded.withLock { $0 = true }
        }
        var turn = next()
        while let drawn = turn {
            switch drawn {
            case .job(let job):
                job.runSynchronously(on: asUnownedTaskExecutor())
                turn = next()
            case .work(let work): turn = wait(for: SeededThread.begin(work, in: self))
            case .thread(let paused): turn = wait(for: paused)
            }
        }
        return hasEnded.withLock { $0 }
    }

    /// Lets a thread run, and those that come after it, until one has drawn what it can't wake.
    private func wait(for thread: SeededThread) -> Turn? {
        thread.wake()
        bell.wait()
        return state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn
        }
    }

    /// Draws who runs next, of those who may go on; nil where nobody can, or where it has gone on for too long.
    private func next() -> Turn? {
        while let turn = draw() {
            guard case .thread(let thread) = turn, !thread.mayGoOn else { return turn }
            state.withLock { $0.turns.append(turn) }
        }
        return nil
    }

    private func draw() -> Turn? {
        state.withLock { state -> Turn? in
            if state.turns.isEmpty || state.count == Self.mostTurns { return nil }
            state.count += 1
            state.now += .microseconds(1)
            let index = state.dice.roll(state.turns.count)
            state.turns.swapAt(index, state.turns.count - 1)
            return state.turns.removeLast()
        }
    }

    // MARK: Called by the threads

    /// A thread pauses, and comes back when it is its turn again.
    func pause(_ thread: SeededThread) {
        state.withLock { $0.turns.append(.thread(thread)) }
        let turn = next()
        if case .thread(let next) = turn, next === thread { return }
        pass(turn)
        thread.wait()
    }

    /// What a thread goes on with whose work has ended; nil where it has nothing to do.
    func workAfterEnd(of thread: SeededThread) -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.ending.remove(ObjectIdentifier(Thread.current))
            if !state.held.isEmpty { state.turns.append(.work(state.held.removeFirst())) }
        }
        let turn = next()
        if case .work(let work) = turn { return work }
        thread.rest()
        pass(turn)
        return nil
    }

    private func pass(_ turn: Turn?) {
        if case .thread(let thread) = turn { return thread.wake() }
        state.withLock { $0.drawn = turn }
        bell.signal()
    }
}
