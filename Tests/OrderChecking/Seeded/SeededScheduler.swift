import ContextCore
import Dispatch
import Foundation
import RandomSeeds

/// A scheduler that runs the tasks and threads of a program one at a time, in an order that a seed determines.
///
/// A job or thread runs until it ends or pauses; then the scheduler draws the next one at random. So a seed always produces the same
/// schedule. The scheduler's clock advances a little with each turn.
///
/// A thread that pauses draws the next turn and wakes its thread, which takes half the time of switching to the scheduler's own thread.
/// The scheduler's own thread runs the jobs of tasks, and is woken for them.
///
/// A mutex guards `state`.
final class SeededScheduler: TaskExecutor, BlockingThreadPool {
    private enum Turn {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
        case thread(SeededThread)
    }

    private struct State {
        var dice: SeededRandom
        var turns: [Turn] = []
        /// The threads that are about to be free, and the work that waits for one of them, as in a pipeline's own threads.
        var ending: Set<ObjectIdentifier> = []
        var held: [@Sendable () -> Void] = []
        /// The number of turns so far.
        var count = 0
        /// The turn that a thread has drawn and that the scheduler's thread must execute.
        var drawn: Turn?
        var now = ContinuousClock.now
        var pauses = Pauses()
    }

    /// The numbers of pauses before retries: those that block a thread, and those that don't.
    struct Pauses: Sendable {
        var ofThreads = 0
        var later = 0
    }

    /// The number of turns after which a schedule is considered endless.
    private static let maxTurns = 200_000
    /// The average number of turns until the timeout of a waiting thread has passed.
    private static let timeoutTurns = 10

    private let state: Guarded<State>
    /// Wakes the scheduler's own thread.
    private let wakeup = DispatchSemaphore(value: 0)

    init(seed: UInt64) { state = Guarded(State(dice: SeededRandom(seed: seed))) }

    let count = 0

    // MARK: Queueing

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

    /// The environment of a pipeline.
    var environment: PipelineEnvironment {
        PipelineEnvironment { _, _ in
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

    /// The environment of a pool of connections, which lets other threads run before each of its steps.
    var poolEnvironment: PipelineEnvironment {
        var environment = environment
        environment.now = {
            Self.pause()
            return self.now
        }
        environment.pause = { time, signal in self.wait(time, for: signal) }
        return environment
    }

    /// Makes the thread wait for a signal or a timeout; the seed determines which comes first.
    private func wait(_ time: Duration, for signal: ThreadSignal) {
        ScheduledThread.current?.pause { [self] in
            if signal.tryWait() { return true }
            if roll(Self.timeoutTurns) > 0 { return false }
            advance(time)
            return true
        }
    }

    var pauses: Pauses { state.withLock { $0.pauses } }

    // MARK: Randomness and time

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func advance(_ time: Duration) { state.withLock { $0.now += time } }

    /// Returns a random number from 0 up to, but not including, a count.
    func roll(_ count: Int) -> Int { state.withLock { $0.dice.roll(count) } }

    /// Lets other threads run first, if a scheduler runs the calling thread.
    static func pause() { ScheduledThread.current?.pause() }

    // MARK: Running

    /// Runs a program until no job or thread can run; false if the program has not ended then.
    ///
    /// It blocks the calling thread.
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

    /// Runs a thread and the threads after it, until one has drawn a turn that the scheduler's thread must execute.
    private func wait(for thread: SeededThread) -> Turn? {
        thread.wake()
        wakeup.wait()
        return state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn
        }
    }

    /// Draws the next turn that can run; nil if there is none, or after too many turns.
    private func next() -> Turn? {
        while let turn = draw() {
            guard case .thread(let thread) = turn, !thread.canRun else { return turn }
            state.withLock { $0.turns.append(turn) }
        }
        return nil
    }

    private func draw() -> Turn? {
        state.withLock { state -> Turn? in
            if state.turns.isEmpty || state.count == Self.maxTurns { return nil }
            state.count += 1
            state.now += .microseconds(1)
            let index = state.dice.roll(state.turns.count)
            state.turns.swapAt(index, state.turns.count - 1)
            return state.turns.removeLast()
        }
    }

    // MARK: Calls of the threads

    /// Pauses a thread until its next turn.
    func pause(_ thread: SeededThread) {
        state.withLock { $0.turns.append(.thread(thread)) }
        let turn = next()
        if case .thread(let next) = turn, next === thread { return }
        pass(turn)
        thread.wait()
    }

    /// Returns the next work of a thread whose work has ended; nil if there is none.
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
        wakeup.signal()
    }
}
