import Foundation

/// Runs something on a thread that is none of the cooperative pool's, as whatever waits for others should.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs each step of a task on a thread of its own, for a test whose thread waits for it: the cooperative pool's threads may all be busy
/// with other tests.
public final class ThreadExecutor: TaskExecutor {
    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}
