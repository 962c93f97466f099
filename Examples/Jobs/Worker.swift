import ContextCore

/// Takes one job after another and does it.
struct Worker: Sendable {
    let name: String
    let queue: JobQueue
    /// How long the worker sleeps if no job is due.
    var pollInterval = Duration.milliseconds(200)
    let work: @Sendable (TakenJob) async throws -> Void

    /// Works until the task is cancelled, and then finishes its job; with `drains`, it also ends when no job is open.
    func run(drains: Bool = false) async {
        while !Task.isCancelled {
            do {
                if let job = try await queue.take(by: name) {
                    // A separate task, so that the cancellation doesn't reach the job.
                    try await Task { try await perform(job) }.value
                } else if drains, try await queue.count(.open) == 0 {
                    return
                } else {
                    try await Task.sleep(for: pollInterval)
                }
            } catch  where Task.isCancelled {
                return
            } catch {
                // Such as a server that restarts. A job that can't be recorded as done is taken again when its lease expires.
                print("\(name): \(error)")
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func perform(_ job: TakenJob) async throws {
        do {
            try await work(job)
        } catch {
            return try await queue.finish(job, failure: "\(error)")
        }
        try await queue.finish(job)
    }
}
