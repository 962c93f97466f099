import Foundation

/// Runs work that Ctrl-C cancels.
///
/// Sessions check whether their task is cancelled, so the work runs in a task, on a separate thread, while the calling thread waits for
/// the work or for Ctrl-C.
enum InterruptibleWork {
    /// The error for work that Ctrl-C has cancelled.
    struct Interruption: Error {}

    /// How often Ctrl-C must be pressed to end the program, if the work doesn't stop.
    private static let pressesToEnd = 3
    private static let threads = WorkThreads()

    static func run<Value: Sendable>(
        _ interrupts: ShellInterrupts, _ work: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        // A press before the work is not meant for it.
        _ = interrupts.consume()
        let outcome = ThreadResult<Result<Value, any Error>>()
        let task = Task(executorPreference: threads) { outcome.set(Result { try work() }) }
        var presses = 0
        while true {
            if let result = outcome.wait(.milliseconds(50)) {
                return try result.mapError { presses > 0 ? Interruption() : $0 }.get()
            }
            guard interrupts.consume() else { continue }
            presses += 1
            task.cancel()
            if presses == pressesToEnd { interrupts.endProgram() }
        }
    }

    /// A task executor that runs each job on a new thread, because queries block.
    private final class WorkThreads: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let thread = Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
            // As much as the main thread has, which runs commands otherwise.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
