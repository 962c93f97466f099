// For code that is told when something is done, rather than waits for it.
extension ContextProxy {
    /// Submits a request, and tells what it was answered with.
    ///
    /// ```swift
    /// proxy.fetch(FetchRequest<Game>()) { games in print((try? games.get().map(\.title)) ?? []) }
    /// ```
    ///
    /// The place in the order of the shared context is taken when it is called, so requests and saves of one proxy are done in the order
    /// in which they were submitted. What it does is what ``fetch(_:isolation:)`` says; whether or not anybody still wants the objects,
    /// it is done.
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
        let (completions, place) = (shared.completions, shared.completions.submit(to: isolation))
        let delivery = FetchDelivery(self, request, completion)
        shared.submit {
            try $0.answer(request)
        } tell: { answer in
            completions.finish(place) {
                Task {
                    await delivery.deliver(answer, isolation: isolation)
                    completions.didRun(place)
                }
            }
        }
    }

    /// Submits a save of what is pending in the shared context, and tells what became of it.
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
        let (completions, place) = (shared.completions, shared.completions.submit(to: isolation))
        let delivery = SaveDelivery(completion)
        shared.submit {
            try $0.perform { try $0.save() }
        } tell: { result in
            completions.finish(place) {
                Task {
                    await delivery.deliver(result, isolation: isolation)
                    completions.didRun(place)
                }
            }
        }
    }
}

/// Brings a proxy what its request was answered with.
// @unchecked: made in the proxy's isolation, and from then on used there alone.
private final class FetchDelivery<Object: ManagedObject>: @unchecked Sendable {
    private let proxy: ContextProxy
    private let request: FetchRequest<Object>
    private let completion: (Result<[Object], any Error>) -> Void
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
        do {
            completion(.success(try await proxy.adopt(answer.get(), request, asOf: epochs)))
        } catch {
            completion(.failure(error))
        }
    }
}

/// Brings a proxy the news of its save.
// @unchecked: made in the proxy's isolation, and from then on used there alone.
private final class SaveDelivery: @unchecked Sendable {
    private let completion: (Result<Void, any Error>) -> Void

    init(_ completion: @escaping (Result<Void, any Error>) -> Void) { self.completion = completion }

    func deliver(_ result: Result<Void, any Error>, isolation: isolated any Actor) { completion(result) }
}
