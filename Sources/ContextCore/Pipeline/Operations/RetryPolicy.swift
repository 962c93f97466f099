/// Retries an operation that failed with a transient error, after a delay and up to a limit.
///
/// The same policy serves blocking callers, tasks and completions.
///
/// The pipeline lists the operation from its submission to its end, even between attempts.
struct RetryPolicy: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    /// The maximum number of retries.
    private let limit: Int
    /// The error codes that are retried.
    private let codes: [StoreError.Code]

    /// - Parameter limit: The maximum number of retries; nil for 5 in a store with concurrent writers, and none in a store with one writer,
    ///   where no other transaction interferes.
    init(_ pipeline: Pipeline, _ label: OperationLabel, limit: Int?, after codes: [StoreError.Code]) {
        self.pipeline = pipeline
        let limit =
            limit ?? (pipeline.coordinator.capabilities.contains(.concurrentWrites) ? Self.defaultLimit : 0)
        var label = label
        if limit > 0 { label.operation = RetriedOperation() }
        self.label = label
        self.limit = limit
        self.codes = codes
    }

    private static let defaultLimit = 5

    /// The errors that may not occur again if a block is retried.
    static let transient: [StoreError.Code] = [.contention, .conflict, .connectionLost]

    /// Runs work on the calling thread, which blocks during the delays.
    ///
    /// - Parameter work: Receives the label of the attempt.
    func run<Value>(_ work: (OperationLabel) throws -> Value) throws -> Value {
        defer { recordEnd() }
        var attempt = 1
        while true {
            do {
                return try work(label(attempt))
            } catch {
                guard let time = retryDelay(before: attempt, after: error) else { throw error }
                try RetryDelay().wait(time, label, in: pipeline)
                attempt += 1
            }
        }
    }

    /// Runs work in a task, whose cancellation also ends a delay.
    func run<Value>(_ work: (OperationLabel) async throws -> Value) async throws -> Value {
        defer { recordEnd() }
        var attempt = 1
        while true {
            do {
                return try await work(label(attempt))
            } catch {
                guard let time = retryDelay(before: attempt, after: error) else { throw error }
                try await RetryDelay().value(time, label, in: pipeline)
                attempt += 1
            }
        }
    }

    /// Runs work that reports its result to a completion, and passes the result of the last attempt to another completion.
    func run<Value: Sendable>(
        attempt: Int = 1,
        _ work: @escaping @Sendable (OperationLabel, @escaping Completion<Value>) -> Void,
        completion: @escaping Completion<Value>
    ) {
        work(label(attempt)) { [self] result in
            guard case .failure(let error) = result, let time = retryDelay(before: attempt, after: error)
            else {
                recordEnd()
                return completion(result)
            }
            RetryDelay().start(time, label, in: pipeline) { [self] delayResult in
                switch delayResult {
                case .success: run(attempt: attempt + 1, work, completion: completion)
                case .failure(let error):
                    recordEnd()
                    completion(.failure(error))
                }
            }
        }
    }

    typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

    /// Records that the operation has ended.
    private func recordEnd() {
        if let operation = label.operation { pipeline.recordEnd(of: operation) }
    }

    private func label(_ attempt: Int) -> OperationLabel {
        var label = label
        label.isRetry = attempt > 1
        return label
    }

    /// Returns the delay before the next retry, with exponential growth and jitter; nil if the error isn't retried.
    private func retryDelay(before attempt: Int, after error: any Error) -> Duration? {
        guard attempt <= limit, let error = error as? StoreError, codes.contains(error.code) else {
            return nil
        }
        let longest = min(1 << min(attempt, 8), 200)
        return .milliseconds((1 + pipeline.environment.chance()) / 2 * Double(longest))
    }
}
