import ContextCore
import Foundation

enum JobState: String, CaseIterable, AttributeValue {
    /// The job waits until it is due, or a worker has it.
    case open
    case done
    /// Every attempt has failed. ``JobQueue/revive()`` opens the job again.
    case dead
}

@Entity(indexes: [.index(.ascending(\.state), .ascending(\.due))])
final class Job: ManagedObject {
    var kind: String
    var payload: String
    var state: JobState = .open
    /// When a worker may take the job: the time of the next attempt or, while a worker has the job, the end of its lease.
    var due: Date
    /// The number of times that a worker has taken the job.
    var attempts: Int = 0
    /// The worker that has the job or has done it.
    var worker: String?
    /// Why the last attempt failed.
    var failure: String?
}

/// A job that a worker has taken, as a value.
struct TakenJob: Sendable {
    let id: ObjectID
    let kind: String
    let payload: String
    let worker: String
    let attempt: Int
}

/// A queue of jobs in a store, for workers in any number of processes.
///
/// Every job is done at least once: again if its worker was killed, or kept it longer than the lease.
struct JobQueue: Sendable {
    let store: Store
    /// A job is dead after this number of failed attempts.
    var attemptLimit = 4
    /// The time that a worker has for a job, in seconds.
    var lease: TimeInterval = 60
    /// The delay after the first failure, in seconds; it doubles with each further one.
    var retryDelay: TimeInterval = 1

    /// Adds jobs, all or none of them.
    ///
    /// A program that inserts jobs in the write that saves its other changes gets the jobs only if the changes are saved.
    func enqueue(_ kind: String, _ payloads: [String]) async throws {
        try await store.write("enqueue") { context in
            for payload in payloads { _ = Job(in: context, kind: kind, payload: payload, due: Date()) }
        }
    }

    /// Takes the job that has been due for the longest time, and that no other worker is taking; nil if there is none.
    func take(by worker: String) async throws -> TakenJob? {
        try await store.write("take a job") { [attemptLimit, lease] context in
            let now = Date()
            let due = try context.fetch(
                Job.self, where: \.state == .open && \.due <= now, order: .ascending(\.due), limit: 1,
                lock: .update, wait: .skipLocked)
            guard let job = due.first else { return nil }
            guard job.attempts < attemptLimit else {
                // No attempt has reported its end, so the job may be what kills its workers.
                (job.state, job.failure) = (.dead, "The lease of the last attempt has expired.")
                return nil
            }
            job.attempts += 1
            (job.worker, job.due) = (worker, now + lease)
            return TakenJob(
                id: job.objectID, kind: job.kind, payload: job.payload, worker: worker,
                attempt: job.attempts)
        }
    }

    /// Records the end of an attempt: the job is done, dead, or due again after a delay.
    ///
    /// It changes nothing if another worker has taken the job since.
    func finish(_ taken: TakenJob, failure: String? = nil) async throws {
        // Up to half of the delay is random, so that jobs that failed together aren't all due together.
        let delay = retryDelay * pow(2, Double(taken.attempt - 1)) * .random(in: 1...1.5)
        try await store.write("finish a job") { [attemptLimit] context in
            let job = try context.object(with: taken.id, as: Job.self)
            let hasLease = job.worker == taken.worker && job.attempts == taken.attempt
            guard hasLease, job.state == .open else { return }
            job.failure = failure
            if failure == nil || job.attempts == attemptLimit {
                job.state = failure == nil ? .done : .dead
            } else {
                (job.worker, job.due) = (nil, Date() + delay)
            }
        }
    }

    func revive() async throws -> Int {
        try await store.write("revive") { context in
            let jobs = try context.fetch(Job.self, where: \.state == .dead)
            for job in jobs { (job.state, job.attempts, job.due) = (.open, 0, Date()) }
            return jobs.count
        }
    }

    func count(_ state: JobState) async throws -> Int {
        try await store.read("count") { try $0.count(Job.self, where: \.state == state) }
    }

    func deadJobs() async throws -> [String] {
        try await store.read("list") { context in
            let jobs = try context.fetch(Job.self, where: \.state == .dead, order: .ascending(\.due))
            return jobs.map { "\($0.kind) \($0.payload): \($0.failure ?? "")" }
        }
    }
}
