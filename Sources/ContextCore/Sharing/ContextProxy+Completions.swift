// Fetches and saves with completions, for code without `async`.
extension ContextProxy {
    /// Submits a fetch request, and calls a completion with the objects.
    ///
    /// ```swift
    /// proxy.fetch(FetchRequest<Game>()) { games in print((try? games.get().map(\.title)) ?? []) }
    /// ```
    ///
    /// The request is queued in the shared context at the call, so fetches and saves of one proxy run in the order of submission. It
    /// behaves like ``fetch(_:isolation:)``, and keeps the proxy alive until the completion has been called.
    ///
    /// Completions of fetches, saves and blocks of one shared context that run on one actor run in the order of submission.
    ///
    /// - Parameters:
    ///   - request: The fetch request.
    ///   - isolation: The proxy's isolation.
    ///   - completion: Called in that isolation, with objects of the proxy's context.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<[Object], any Error>) -> Void
    ) {
        let delivery = FetchDelivery(self, request, completion)
        let ordered: @Sendable (Result<FetchResponse, any Error>) -> Void =
            shared.completions.ordered(on: isolation) { response in
                await delivery.deliver(response, isolation: isolation)
            }
        shared.submit({ try $0.fetchRows(request) }, completion: ordered)
    }

    /// Submits a save of the shared context's pending changes, and calls a completion with its result.
    ///
    /// The save is queued in the shared context at the call.
    ///
    /// - Parameters:
    ///   - isolation: The proxy's isolation.
    ///   - completion: Called in that isolation.
    public func save(
        isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        let delivery = SaveDelivery(completion)
        let ordered: @Sendable (Result<Void, any Error>) -> Void =
            shared.completions.ordered(on: isolation) { result in
                await delivery.deliver(result, isolation: isolation)
            }
        shared.submit({ try $0.perform { try $0.save() } }, completion: ordered)
    }
}

/// Passes the response to a fetch request to its proxy, and calls the completion.
///
/// It releases its references in the proxy's isolation too: they may be the last ones to the proxy or to captures of the completion.
// @unchecked: created and used only in the proxy's isolation.
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

    func deliver(_ response: Result<FetchResponse, any Error>, isolation: isolated any Actor) async {
        guard let proxy = proxy.take(), let completion = completion.take() else { return }
        do {
            completion(.success(try await proxy.adopt(response.get(), request, asOf: epochs)))
        } catch {
            completion(.failure(error))
        }
    }
}

/// Calls the completion of a proxy's save in the proxy's isolation, and releases it there.
// @unchecked: created and used only in the proxy's isolation.
private final class SaveDelivery: @unchecked Sendable {
    private var completion: ((Result<Void, any Error>) -> Void)?

    init(_ completion: @escaping (Result<Void, any Error>) -> Void) { self.completion = completion }

    func deliver(_ result: Result<Void, any Error>, isolation: isolated any Actor) {
        completion.take()?(result)
    }
}
