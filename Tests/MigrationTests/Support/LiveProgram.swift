import ContextCore
import Foundation
import Synchronization

/// A program that reads and writes a store continuously, until it is stopped or finds that the store has another model.
///
/// State: the results of its requests, guarded by a mutex.
final class LiveProgram: Sendable {
    /// The results of requests.
    struct Outcome: Sendable {
        var reads: [Duration] = []
        var writes: [Duration] = []
        /// The number of retries, which are normal with several writers.
        var retries = 0
        /// The unexpected errors.
        var failures: [String] = []
        /// Whether it was refused because the store has another model.
        var isRefused = false
    }

    /// The number of consecutive retries after which a request counts as a failure.
    static let maxRetries = 20

    private let store: Store
    private let rows: Int
    private let isStopped = Atomic(false)
    private let state = Mutex(Outcome())
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Starts two readers and a writer.
    ///
    /// - Parameter rows: The number of players, whose names are p1, p2 and so on.
    init(_ store: Store, rows: Int) {
        self.store = store
        self.rows = rows
        tasks.withLock { tasks in
            for _ in 0..<2 {
                tasks.append(
                    Task {
                        await self.repeatRequest {
                            try await self.read()
                        } keeping: {
                            $0.reads.append($1)
                        }
                    })
            }
            tasks.append(
                Task {
                    await self.repeatRequest {
                        try await self.write()
                    } keeping: {
                        $0.writes.append($1)
                    }
                })
        }
    }

    /// The number of completed requests.
    var count: Int { state.withLock { $0.reads.count + $0.writes.count } }

    var isRefused: Bool { state.withLock { $0.isRefused } }

    private var hasFailed: Bool { state.withLock { !$0.failures.isEmpty } }

    /// Waits until the given number of further requests has completed, or the program was refused, or a request has failed.
    func waitForRequests(_ requests: Int) async {
        let end = count + requests
        while count < end, !isRefused, !hasFailed { try? await Task.sleep(for: .milliseconds(2)) }
    }

    /// Stops the program, and returns the results of its requests.
    func stop() async -> Outcome {
        isStopped.store(true, ordering: .relaxed)
        for task in tasks.withLock({ $0 }) { await task.value }
        await store.close()
        return state.withLock { $0 }
    }

    private func repeatRequest(
        _ request: @Sendable () async throws -> Void, keeping: @Sendable (inout Outcome, Duration) -> Void
    ) async {
        var attempts = 0
        while !isStopped.load(ordering: .relaxed), !isRefused {
            let start = ContinuousClock.now
            do {
                try await request()
                attempts = 0
                let time = start.duration(to: .now)
                state.withLock { keeping(&$0, time) }
            } catch let error as StoreError {
                attempts += 1
                state.withLock { [attempts] state in
                    switch error.code {
                    case .modelMismatch: state.isRefused = true
                    case .contention, .busy, .conflict, .objectNotFound:
                        state.retries += 1
                        if attempts == Self.maxRetries {
                            state.failures.append("Tried again \(attempts) times: \(error)")
                        }
                    default: state.failures.append("\(error)")
                    }
                }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
        }
    }

    private func name() -> String { "p\(Int.random(in: 1...rows))" }

    private static func request(_ name: String) throws -> FetchRequest<ManagedObject> {
        FetchRequest<ManagedObject>(entityName: "Player", where: try FetchPredicate("name == '\(name)'"))
    }

    private func read() async throws {
        let names = (0..<5).map { _ in name() }
        let scores = try await store.read("read") { context in
            try names.flatMap { try context.fetch(Self.request($0)).map { try $0["score"] } }
        }
        // A score is never missing, whatever happens to the tables.
        if scores.contains(.null) { state.withLock { $0.failures.append("A score is missing.") } }
    }

    private func write() async throws {
        let (changed, gone, kind) = (name(), name(), Int.random(in: 0..<10))
        try await store.write("write") { context in
            if kind == 0 {
                for player in try context.fetch(Self.request(gone)) { context.delete(player) }
            } else if kind < 4 {
                try context.make(
                    "Player",
                    [
                        "name": .string("n\(UUID().uuidString)"), "score": .int(1), "first": .string("new"),
                    ])
            } else {
                for player in try context.fetch(Self.request(changed)) {
                    let score = try player["score"]
                    try player.set("score", toStored: .int(Int64(score.wholeNumber + 1)))
                    try player.set("first", toStored: .string("changed \(score.wholeNumber)"))
                }
            }
        }
    }
}

extension StoredValue {
    fileprivate var wholeNumber: Int { if case .int(let value) = self { Int(value) } else { 0 } }
}

extension [Duration] {
    /// Returns the duration in milliseconds that a fraction of the requests didn't exceed.
    func percentile(_ part: Double) -> String {
        guard !isEmpty else { return "none" }
        let sorted = sorted()
        let time = sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))]
        return "\(Int((time / .milliseconds(1)).rounded())) ms"
    }
}

/// A flag that is set once, and that others can read or wait for.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .relaxed) }

    func raise() { state.store(true, ordering: .relaxed) }
}
