/// Does an operation again that something got in the way of, after a pause, and no more than so many times.
///
/// Whoever does it may block a thread, be a task, or be told of the end: it is decided in one place how often and when.
///
/// From its submission to its end the operation is among the pipeline's, also between an attempt, a pause and the next attempt.
struct Repetition: Sendable {
    private let pipeline: Pipeline
    private let label: OperationLabel
    /// How often the work may be done again.
    private let limit: Int
    /// The errors after which it may.
    private let codes: [StoreError.Code]

    /// - Parameter limit: How often the work may be done again; nil for a few times where several may write, and never where one may, whom
    ///   nothing gets in the way of.
    init(_ pipeline: Pipeline, _ label: OperationLabel, limit: Int?, after codes: [StoreError.Code]) {
        self.pipeline = pipeline
        let limit =
            limit ?? (pipeline.coordinator.capabilities.contains(.concurrentWrites) ? Self.usualLimit : 0)
        var label = label
        if limit > 0 { label.operation = RepeatedOperation() }
        self.label = label
        self.limit = limit
        self.codes = codes
    }

    private static let usualLimit = 5

    /// What may be gone when a block is run again.
    static let transient: [StoreError.Code] = [.contention, .conflict, .connectionLost]

    /// Does work on the calling thread, which is blocked in the pauses.
    ///
    /// - Parameter work: Gets the label of the attempt.
    func run<Value>(_ work: (OperationLabel) throws -> Value) throws -> Value {
        defer { end() }
        var attempt = 1
        while true {
            do {
                return try work(label(attempt))
            } catch {
                guard let time = pause(before: attempt, after: error) else { throw error }
                try PipelinePause().wait(time, label, in: pipeline)
                attempt += 1
            }
        }
    }

    /// Does a task's work, which is cancelled in a pause too.
    func run<Value>(_ work: (OperationLabel) async throws -> Value) async throws -> Value {
        defer { end() }
        var attempt = 1
        while true {
            do {
                return try await work(label(attempt))
            } catch {
                guard let time = pause(before: attempt, after: error) else { throw error }
                try await PipelinePause().value(time, label, in: pipeline)
                attempt += 1
            }
        }
    }

    /// Lets work be done whose end is told, and tells of the last one.
    func run<Value: Sendable>(
        attempt: Int = 1,
        _ work: @escaping @Sendable (OperationLabel, @escaping Completion<Value>) -> Void,
        completion: @escaping Completion<Value>
    ) {
        work(label(attempt)) { [self] result in
            guard case .failure(let error) = result, let time = pause(before: attempt, after: error) else {
                end()
                return completion(result)
            }
            PipelinePause().tell(time, label, in: pipeline) { [self] mayGoOn in
                switch mayGoOn {
                case .success: run(attempt: attempt + 1, work, completion: completion)
                case .failure(let error):
                    end()
                    completion(.failure(error))
                }
            }
        }
    }

    typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

    /// The operation isn't done again.
    private func end() {
        if let operation = label.operation { pipeline.end(operation) }
    }

    private func label(_ attempt: Int) -> OperationLabel {
        var label = label
        label.isRepeated = attempt > 1
        return label
    }

    /// How long to wait before the work is done again: longer each time, and not all as long; nil where it isn't.
    private func pause(before attempt: Int, after error: any Error) -> Duration? {
        guard attempt <= limit, let error = error as? StoreError, codes.contains(error.code) else {
            return nil
        }
        let longest = min(1 << min(attempt, 8), 200)
        return .milliseconds((1 + pipeline.surroundings.chance()) / 2 * Double(longest))
    }
}
