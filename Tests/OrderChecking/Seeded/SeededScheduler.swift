import ContextCore
import Foundation
import RandomSeeds

/// Lets the tasks and threads of a program run one at a time, in an order that a seed chooses.
///
/// Whoever runs goes on until it has ended or pauses; then somebody else of those who could is drawn. So a seed is one schedule, and the
/// same one each time. Its time goes on by itself a little with every turn.
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
        var now = ContinuousClock.now
        var idle: [SeededThread] = []
        var pauses = Pauses()
    }

    /// How often a thread has waited before it did something again, and how often nothing was blocked meanwhile.
    struct Pauses: Sendable {
        var ofThreads = 0
        var later = 0
    }

    /// After how many turns a schedule is taken to go on for ever.
    private static let mostTurns = 200_000

    private let state: Guarded<State>

    init(seed: UInt64) { state = Guarded(State(dice: SeededRandom(seed: seed))) }

    let count = 0

    // MARK: Who may run

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.turns.append(.job(job)) }
    }

    func run(takesOver: Bool, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.turns.append(.work(work)) }
    }

    func close(whenEmpty: @escaping @Sendable () -> Void) { run(takesOver: false, whenEmpty) }

    /// What a pipeline takes from outside.
    var surroundings: PipelineSurroundings {
        PipelineSurroundings { _, _ in
            self
        } now: {
            self.now
        } pause: { time, _ in
            self.state.withLock { ($0.now, $0.pauses.ofThreads) = ($0.now + time, $0.pauses.ofThreads + 1) }
            Self.pause()
        } later: { time, work in
            self.state.withLock { ($0.now, $0.pauses.later) = ($0.now + time, $0.pauses.later + 1) }
            self.run(takesOver: false, work)
        } chance: {
            Double(self.roll(1000)) / 1000
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
        var turns = 0
        while let turn = draw(), turns < Self.mostTurns {
            turns += 1
            give(turn)
        }
        for thread in state.withLock({ $0.idle }) { thread.end() }
        return hasEnded.withLock { $0 }
    }

    private func draw() -> Turn? {
        state.withLock { state -> Turn? in
            if state.turns.isEmpty { return nil }
            state.now += .microseconds(1)
            let index = state.dice.roll(state.turns.count)
            state.turns.swapAt(index, state.turns.count - 1)
            return state.turns.removeLast()
        }
    }

    private func give(_ turn: Turn) {
        let thread: SeededThread
        switch turn {
        case .job(let job): return job.runSynchronously(on: asUnownedTaskExecutor())
        case .work(let work):
            thread = state.withLock { $0.idle.popLast() } ?? SeededThread()
            thread.begin(work)
        case .thread(let paused): thread = paused
        }
        let hasEnded = thread.goOn()
        state.withLock { state in
            if hasEnded { state.idle.append(thread) } else { state.turns.append(.thread(thread)) }
        }
    }
}

/// A thread that runs only while its scheduler waits for it.
///
/// `state` is guarded by its mutex; the two signals hand the turn to and fro.
private final class SeededThread: Sendable {
    private struct State {
        var work: (@Sendable () -> Void)?
        var hasEnded = true
    }

    private let state = Guarded(State())
    private let turn = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)

    init() {
        Thread { [self] in
            let scheduled = ScheduledThread { [self] in
                isDone.signal()
                turn.wait()
            }
            turn.wait()
            while let work = state.withLock({ $0.work }) {
                scheduled.run(work)
                state.withLock { ($0.work, $0.hasEnded) = (nil, true) }
                isDone.signal()
                turn.wait()
            }
        }.start()
    }

    /// Gives the thread something to do.
    func begin(_ work: @escaping @Sendable () -> Void) {
        state.withLock { ($0.work, $0.hasEnded) = (work, false) }
    }

    /// Lets the thread run until it pauses or has ended, and says whether it has.
    func goOn() -> Bool {
        turn.signal()
        isDone.wait()
        return state.withLock { $0.hasEnded }
    }

    /// Lets the thread go for good.
    func end() { turn.signal() }
}
