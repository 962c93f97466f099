import Dispatch

/// Runs the completions of a pipeline or a context: those of one actor or queue in the order of submission.
///
/// `orders` is guarded by its mutex. Completions start without the lock.
final class Completions: Sendable {
    /// Starts a completion, and returns whether the next one may start at once; otherwise that waits for ``Completions/didRun(_:)``.
    private typealias Start = @Sendable () -> Bool

    /// A completion's place among those of its actor or queue.
    struct Place: Sendable {
        /// The actor or queue, which stays alive as long as a completion waits: its address is its key.
        fileprivate let destination: any AnyObject & Sendable
        fileprivate let ticket: CompletionOrder<@Sendable () -> Bool>.Ticket
    }

    /// The orders of the actors and queues for which completions wait.
    private let orders = Guarded<[ObjectIdentifier: CompletionOrder<Start>]>([:])

    /// Whether every completion has run.
    var isEmpty: Bool { orders.withLock { $0.isEmpty } }

    // MARK: Places

    /// Takes the next place among the completions of an actor, which must be finished whatever becomes of the operation.
    func submit(to actor: any Actor) -> Place { place(at: actor) }

    private func place(at destination: any AnyObject & Sendable) -> Place {
        let key = ObjectIdentifier(destination)
        let ticket = orders.withLock { $0[key, default: CompletionOrder()].submit() }
        return Place(destination: destination, ticket: ticket)
    }

    /// Calls a closure when all completions before it have run.
    ///
    /// - Parameter start: Starts the completion, which calls ``didRun(_:)`` at its end. It is called on whatever thread made it ready.
    func finish(_ place: Place, _ start: @escaping @Sendable () -> Void) {
        finish(
            place,
            starting: {
                start()
                return false
            })
    }

    private func finish(_ place: Place, starting start: @escaping Start) {
        advance(place) { $0.finish(place.ticket, start) }
    }

    /// A completion that was started has run, so the next one may.
    func didRun(_ place: Place) { advance(place) { $0.didRun() } }

    private func advance(_ place: Place, _ event: @Sendable (inout CompletionOrder<Start>) -> Start?) {
        var start = update(place, event)
        while let begin = start, begin() { start = update(place) { $0.didRun() } }
    }

    private func update(
        _ place: Place, _ event: @Sendable (inout CompletionOrder<Start>) -> Start?
    ) -> Start? {
        let key = ObjectIdentifier(place.destination)
        return orders.withLock { orders in
            let start = event(&orders[key, default: CompletionOrder()])
            if orders[key]?.isEmpty == true { orders[key] = nil }
            return start
        }
    }

    // MARK: Completions

    /// Takes a place for a completion, and returns what runs it there: in its isolation, with the priority and the values of the calling
    /// task.
    ///
    /// A completion without an isolation has no place: it runs as soon as its operation has ended.
    func ordered<Value: Sendable>(
        _ completion: @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) -> @Sendable (Result<Value, any Error>) -> Void {
        let isolation = completion.isolation
        let place = isolation.map { submit(to: $0) }
        let (results, sink) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        Task { await run(completion, with: results, place, isolation: isolation) }
        return { [self] result in
            let start: @Sendable () -> Void = {
                sink.yield(result)
                sink.finish()
            }
            if let place { finish(place, start) } else { start() }
        }
    }

    /// Waits for the result in the completion's isolation, so that the completion runs in the turn that comes with it.
    private func run<Value: Sendable>(
        _ completion: @Sendable @isolated(any) (Result<Value, any Error>) -> Void,
        with results: AsyncStream<Result<Value, any Error>>, _ place: Place?,
        isolation: isolated (any Actor)?
    ) async {
        for await result in results { await completion(result) }
        if let place { didRun(place) }
    }

    /// Takes a place for a completion, and returns what puts it into its queue when its turn has come.
    func ordered<Value: Sendable>(
        on queue: DispatchQueue, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable (Result<Value, any Error>) -> Void {
        let place = place(at: queue)
        return { [self] result in
            finish(
                place,
                starting: {
                    queue.async { completion(result) }
                    return true
                })
        }
    }
}
