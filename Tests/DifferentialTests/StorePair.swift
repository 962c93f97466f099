import ContextCore

/// Two stores of one model that get the same changes.
struct StorePair {
    let model: ObjectModel
    let memory: any StoreCoordinator
    let store: any StoreCoordinator
    private let remove: () throws -> Void

    init(_ model: ObjectModel, _ kind: StoreUnderTest) throws {
        self.model = model
        memory = InMemoryCoordinator(model: model)
        (store, remove) = try kind.open(model)
    }

    func close() throws {
        memory.close()
        store.close()
        try remove()
    }

    /// Returns the results of both stores for a request.
    func answers(_ request: RandomRequest) -> (expected: Answer, actual: Answer) {
        (answer(request, memory), answer(request, store))
    }

    private func answer(_ request: RandomRequest, _ coordinator: any StoreCoordinator) -> Answer {
        do {
            switch request.kind {
            case .rows(let columns):
                return try read(coordinator) {
                    Answer(rows: try $0.fetch(try request.fetchPlan(model, columns: columns)), model)
                }
            case .values(let columns, let isDistinct):
                let plan = try request.valuesPlan(model, columns, isDistinct: isDistinct)
                return try read(coordinator) { .lines(try $0.aggregate(plan)) }
            case .groups(let groups, let columns, let having, let isDistinct):
                let plan = try request.groupsPlan(
                    model, by: groups, columns, having: having, isDistinct: isDistinct)
                return try read(coordinator) { .lines(try $0.aggregate(plan)) }
            case .update(let values): return try perform(request, .update(values), coordinator)
            case .upsert(let upsert):
                return try perform(request, upsert.operation(model, request.layout), coordinator)
            case .delete: return try perform(request, .delete, coordinator)
            }
        } catch let error as StoreError {
            return .failure(error.code)
        } catch {
            return .failure(.database)
        }
    }

    /// Executes a batch, and rolls it back.
    private func perform(
        _ request: RandomRequest, _ operation: BatchPlan.Operation, _ coordinator: any StoreCoordinator
    ) throws -> Answer {
        let plan = try request.batchPlan(model, operation)
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "batch"))
        defer { session.rollback() }
        let receipt = try session.perform(plan)
        guard receipt.conflicts.isEmpty, case .lines(let lines) = try content(session) else {
            return Answer(changes: receipt.changes, conflicts: receipt.conflicts)
        }
        return .changes(receipt.changes, ["unchanged: \(receipt.unchangedRows)"] + lines.map { "\($0)" })
    }

    /// Returns the rows of all entities.
    func storedRows() throws -> [StoredRow] {
        let session = try memory.openReadSession(SessionOptions(identifier: "rows"))
        defer { session.end() }
        return try model.layouts.filter { $0.index == $0.rootIndex }.flatMap { layout in
            let rows = try session.fetch(FetchPlan(entityIndex: layout.index))
            return (0..<rows.count).map { StoredRow(rows, $0) }
        }
    }

    private func read(
        _ coordinator: any StoreCoordinator, _ body: (any ReadSession) throws -> Answer
    ) throws -> Answer {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "request"))
        defer { session.end() }
        return try body(session)
    }

    // MARK: Saving

    /// Saves changes in both stores, and returns the results and the contents afterwards.
    func save(_ changes: ChangeSet) throws -> (expected: Answer, actual: Answer) {
        (try save(changes, memory), try save(changes, store))
    }

    private func save(_ changes: ChangeSet, _ coordinator: any StoreCoordinator) throws -> Answer {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "save"))
        defer { session.end() }
        let before = session.token
        let receipt = try session.apply(changes)
        if receipt.conflicts.isEmpty { _ = try session.commit() }
        let reader = try coordinator.openReadSession(SessionOptions(identifier: "saved"))
        defer { reader.end() }
        let history = try reader.history(HistoryRequest(after: before)).flatMap(\.changes)
        return Answer(changes: history, conflicts: receipt.conflicts)
    }

    /// Returns the contents of both stores.
    func contents() throws -> (expected: Answer, actual: Answer) {
        (try read(memory, content), try read(store, content))
    }

    private func content(_ session: any ReadSession) throws -> Answer {
        var lines: [[StoredValue]] = []
        for layout in model.layouts where layout.index == layout.rootIndex {
            let rows = try session.fetch(FetchPlan(entityIndex: layout.index))
            if case .lines(let found) = Answer(rows: rows, model) { lines += found }
        }
        for layout in model.layouts {
            for property in layout.properties where property.relationship?.description.isToMany == true {
                let owners = try session.fetch(FetchPlan(entityIndex: layout.index, columns: []))
                let plan = RelatedPlan(
                    entityIndex: layout.index, slot: property.slot,
                    owners: (0..<owners.count).map { owners.key(at: $0) }.reversed(), includesRows: false)
                for link in try session.related(plan).links {
                    lines.append([
                        .string("\(layout.name).\(property.name)"), .int(link.owner), .int(link.target),
                        .int(link.position),
                    ])
                }
            }
        }
        return .lines(lines)
    }
}
