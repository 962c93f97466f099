import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// A job queue in a store: any number of processes add jobs, and workers in any number of processes do them.
///
///     swift build --package-path Examples
///     jobs=Examples/.build/debug/Jobs
///     $jobs enqueue sqlite:jobs.sqlite 100      # adds 100 jobs; every tenth fails at first, and the last one always
///     $jobs work sqlite:jobs.sqlite 4           # 4 workers, until Ctrl-C: then each finishes its job
///     $jobs drain sqlite:jobs.sqlite 4          # the same, but ends when no job is open
///     $jobs status sqlite:jobs.sqlite           # the numbers of open, done and dead jobs, and why jobs are dead
///     $jobs revive sqlite:jobs.sqlite           # opens the dead jobs again
///
/// Run `work` in several terminals, also on several machines with `postgres://app@localhost/jobs`. There, workers skip jobs that others have
/// locked (`lock: .update, wait: .skipLocked`); in a file, one write runs at a time. A job that fails is due again after a delay that
/// doubles, and is dead after 4 attempts. The job of a killed worker is taken again when its lease of 60 seconds expires.
@main
struct Jobs {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let lengths = ["enqueue": 3, "work": 3, "drain": 3, "status": 2, "revive": 2]
        let number = words.count == 3 ? Int(words[2]) ?? 0 : 1
        guard let command = words.first, lengths[command] == words.count, number > 0 else {
            print(
                "Usage: Jobs enqueue URL COUNT | work URL WORKERS | drain URL WORKERS | status URL | revive URL"
            )
            exit(64)
        }
        do {
            try await run(command, words[1], number)
        } catch {
            print("Jobs: \(error)")
            exit(1)
        }
    }

    static func run(_ command: String, _ url: String, _ number: Int) async throws {
        let options = StoreOptions(
            writes: .concurrent(limit: min(number, 8)), log: .standardError(slowerThan: .seconds(1)))
        let store = try await Store.open(
            url, backends: [.sqlite, .postgres], model: [Job.self], options: options)
        let queue = JobQueue(store: store)
        switch command {
        case "enqueue":
            let payloads = (1..<number).map { $0 % 10 == 0 ? "flaky \($0)" : "\($0)" }
            try await queue.enqueue("mail", payloads + ["broken \(number)"])
        case "work", "drain": await work(queue, workers: number, drains: command == "drain")
        case "revive": print("revived", try await queue.revive())
        default: break
        }
        for state in JobState.allCases { print(state, try await queue.count(state)) }
        for job in try await queue.deadJobs() { print("dead:", job) }
        await store.close()
    }

    /// Runs workers until a signal stops them or, with `drains`, no job is open.
    static func work(_ queue: JobQueue, workers: Int, drains: Bool) async {
        let process = "\(ProcessInfo.processInfo.hostName):\(ProcessInfo.processInfo.processIdentifier)"
        let crew = Task {
            await withTaskGroup { group in
                for number in 1...workers {
                    let worker = Worker(name: "\(process)/\(number)", queue: queue, work: send)
                    group.addTask { await worker.run(drains: drains) }
                }
            }
        }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in
                if crew.isCancelled { exit(128 + number) }
                print("finishing the running jobs; interrupt again to stop at once")
                crew.cancel()
            }
            source.resume()
            return source
        }
        await crew.value
        for source in sources { source.cancel() }
    }

    /// Does a job: stands for work outside the store that takes time and may fail.
    static let send: @Sendable (TakenJob) async throws -> Void = { job in
        try await Task.sleep(for: .milliseconds(20))
        if job.payload.hasPrefix("broken") { throw MailError(description: "no such address") }
        if job.payload.hasPrefix("flaky"), job.attempt == 1 { throw MailError(description: "try later") }
        print(job.worker, "sent", job.kind, job.payload)
    }
}

struct MailError: Error, CustomStringConvertible { let description: String }
