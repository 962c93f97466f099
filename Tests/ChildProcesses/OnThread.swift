import Foundation

/// Runs a blocking function on a new thread, outside of the cooperative pool.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// An executor that runs each job of a task on a new thread, for tests whose thread waits for the task: other tests may occupy all threads
/// of the cooperative pool.
public final class ThreadExecutor: TaskExecutor {
    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}
