extension Store {
    /// Returns the statement and the query plan of a fetch request, without running it.
    ///
    /// ```swift
    /// print(try await store.explain(FetchRequest<Player>(where: \.score > 10)))
    /// ```
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` for a store without a database, such as one in memory.
    public func explain<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) async throws -> StatementExplanation {
        let label = OperationLabel(kind: .read, identifier: "explain")
        return try await pipeline.read(label) { [pipeline] in
            let coordinator = pipeline.coordinator
            let session = try coordinator.openReadSession(.forContext(named: label.identifier))
            defer { session.end() }
            guard let explaining = session as? any ExplainingSession else {
                throw StoreError(
                    .unsupportedRequest,
                    "A store in memory runs no statements, so a fetch request can't be explained.",
                    remedy: "Use a store on SQLite or PostgreSQL.")
            }
            let parent = SessionParent(reading: session, pipeline.identifiers, model: coordinator.model)
            let context = ObjectContext(model: coordinator.model, parent: parent, isReadOnly: true)
            return try explaining.explain(context.plan(request).plan)
        }
    }
}
