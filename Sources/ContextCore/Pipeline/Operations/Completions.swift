import Dispatch

/// Runs the completions of a pipeline or a context: those of one actor or queue in the order of submission.
///
/// `ordersByDestination` is guarded by its mutex. Completions start without the lock.
final class Completions: Sendable {
    /// Starts a completion, and returns whether the next one may start at once; if not, ``Completions/didRun(_:)`` starts it.
    private typealias Start = @Sendable () -> Bool

    /// The position of a completion among those of its actor or queue.
    private struct Position: Sendable {
        /// The actor or queue; it is retained while a completion waits, because its address is the key in `ordersByDestination`.
        let destination: any AnyObject & Sendable
        let ticket: CompletionOrder<@Sendable () -> Bool>.Ticket
    }

    /// The orders of the actors and queues for which completions wait.
    private let ordersByDestination = Guarded<[ObjectIdentifier: CompletionOrder<Start>]>([:])

    /// Whether every completion has run.
    var isEmpty: Bool { ordersByDestination.withLock { $0.isEmpty } }

    // MARK: Positions

    /// Reserves the next position among the completions of an actor or queue; it must be finished even if the operation fails.
    private func position(at destination: any AnyObject & Sendable) -> Position {
        let key = ObjectIdentifier(destination)
        let ticket = ordersByDestination.withLock { $0[key, default: CompletionOrder()].submit() }
        return Position(destination: destination, ticket: ticket)
    }

    /// Starts a completion once all completions before it have run, on the thread that made it ready.
    private func finish(_ position: Position, _ start: @escaping Start) {
        advance(position) { $0.finish(position.ticket, start) }
    }

    /// Records that the started completion has run, and starts the next one.
    private func didRun(_ position: Position) { advance(position) { $0.didRun() } }

    private func advance(_ position: Position, _ event: @Sendable (inout CompletionOrder<Start>) -> Start?) {
        var start = update(position, event)
        while let run = start, run() { start = update(position) { $0.didRun() } }
    }

    private func update(
        _ position: Position, _ event: @Sendable (inout CompletionOrder<Start>) -> Start?
    ) -> Start? {
        let key = ObjectIdentifier(position.destination)
        return ordersByDestination.withLock { orders in
            let start = event(&orders[key, default: CompletionOrder()])
            if orders[key]?.isEmpty == true { orders[key] = nil }
            return start
        }
    }

    // MARK: Completions

    /// Returns a function that runs a completion in its isolation, after the completions submitted earlier for that isolation.
    ///
    /// The completion runs with the priority and task-local values of the calling task. A completion without an isolation isn't ordered: it
    /// runs as soon as its operation has ended.
    func ordered<Value: Sendable>(
        _ completion: @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) -> @Sendable (Result<Value, any Error>) -> Void {
        ordered(on: completion.isolation) { await completion($0) }
    }

    /// Returns a function that runs a completion on an actor, after the completions submitted earlier for that actor.
    ///
    /// - Parameters:
    ///   - isolation: The actor; nil for a completion that isn't ordered.
    ///   - completion: Called in the actor's isolation.
    func ordered<Value: Sendable>(
        on isolation: (any Actor)?,
        _ completion: nonisolated(nonsending) @escaping @Sendable (Result<Value, any Error>) async -> Void
    ) -> @Sendable (Result<Value, any Error>) -> Void {
        let position = isolation.map { self.position(at: $0) }
        let (results, sink) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        Task { await run(completion, with: results, position, isolation: isolation) }
        return { [self] result in
            let start: Start = {
                sink.yield(result)
                sink.finish()
                return false
            }
            if let position { finish(position, start) } else { _ = start() }
        }
    }

    /// Waits for the result in the completion's isolation, so that the completion runs without another switch of executors.
    private func run<Value: Sendable>(
        _ completion: nonisolated(nonsending) @Sendable (Result<Value, any Error>) async -> Void,
        with results: AsyncStream<Result<Value, any Error>>, _ position: Position?,
        isolation: isolated (any Actor)?
    ) async {
        for await result in results { await completion(result) }
        if let position { didRun(position) }
    }

    /// Returns a function that submits a completion to a queue, after the completions submitted earlier for that queue.
    func ordered<Value: Sendable>(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable (Result<Value, any Error>) -> Void {
        let position = position(at: queue)
        return { [self] result in
            finish(position) {
                queue.async { completion(result) }
                return true
            }
        }
    }
}
