// Requests and saves with completions, for code without `async`.
extension ContextProxy {
    /// Submits a request, and calls a completion with the objects.
    ///
    /// ```swift
    /// proxy.fetch(FetchRequest<Game>()) { games in print((try? games.get().map(\.title)) ?? []) }
    /// ```
    ///
    /// The place in the order of the shared context is taken when it is called, so requests and saves of one proxy are done in the order
    /// in which they were submitted. It does what ``fetch(_:isolation:)`` does, whether or not the proxy is still held elsewhere.
    ///
    /// Completions of requests, saves and blocks of one shared context that run on one actor run in the order of submission.
    ///
    /// - Parameters:
    ///   - request: Which objects.
    ///   - isolation: The proxy's own.
    ///   - completion: Runs in that isolation, with objects of the proxy's context.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<[Object], any Error>) -> Void
    ) {
        let delivery = FetchDelivery(self, request, completion)
        let ordered: @Sendable (Result<FetchAnswer, any Error>) -> Void =
            shared.completions.ordered(on: isolation) { answer in
                await delivery.deliver(answer, isolation: isolation)
            }
        shared.submit({ try $0.answer(request) }, tell: ordered)
    }

    /// Submits a save of what is pending in the shared context, and calls a completion with its result.
    ///
    /// The place in the order of the shared context is taken when it is called.
    ///
    /// - Parameters:
    ///   - isolation: The proxy's own.
    ///   - completion: Runs in that isolation.
    public func save(
        isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        let delivery = SaveDelivery(completion)
        let ordered: @Sendable (Result<Void, any Error>) -> Void =
            shared.completions.ordered(on: isolation) { result in
                await delivery.deliver(result, isolation: isolation)
            }
        shared.submit({ try $0.perform { try $0.save() } }, tell: ordered)
    }
}

/// Takes the answer to a request to its proxy, and calls the completion.
///
/// What it holds is let go of in the proxy's isolation, too: it may be the last one who holds the proxy, or what the completion captured.
// @unchecked: made in the proxy's isolation, and from then on used there alone.
private final class FetchDelivery<Object: ManagedObject>: @unchecked Sendable {
    private var proxy: ContextProxy?
    private let request: FetchRequest<Object>
    private var completion: ((Result<[Object], any Error>) -> Void)?
    private let epochs: [Int]

    init(
        _ proxy: ContextProxy, _ request: FetchRequest<Object>,
        _ completion: @escaping (Result<[Object], any Error>) -> Void
    ) {
        self.proxy = proxy
        self.request = request
        self.completion = completion
        epochs = proxy.context.graph.epochs
    }

    func deliver(_ answer: Result<FetchAnswer, any Error>, isolation: isolated any Actor) async {
        guard let proxy = proxy.take(), let completion = completion.take() else { return }
        do {
            completion(.success(try await proxy.adopt(answer.get(), request, asOf: epochs)))
        } catch {
            completion(.failure(error))
        }
    }
}

/// Calls the completion of a proxy's save, and lets go of it there.
// @unchecked: made in the proxy's isolation, and from then on used there alone.
private final class SaveDelivery: @unchecked Sendable {
    private var completion: ((Result<Void, any Error>) -> Void)?

    init(_ completion: @escaping (Result<Void, any Error>) -> Void) { self.completion = completion }

    func deliver(_ result: Result<Void, any Error>, isolation: isolated any Actor) {
        completion.take()?(result)
    }
}
