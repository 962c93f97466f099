// Batches change many rows in the store without loading objects.
extension ObjectContext {
    /// Sets properties of all objects that match a predicate, directly in the store.
    ///
    /// ```swift
    /// let result = try context.batchUpdate(Player.self, where: \.score < 0, .set(\.score, to: 0))
    /// print(result.updated.count)
    /// ```
    ///
    /// The store checks the rules of the model, increases versions, derives attributes and writes the history, but it
    /// doesn't run the hooks of objects. Registered objects of this context are updated immediately; other contexts
    /// merge the batch like a save. In a write block, the batch is part of the block's transaction; otherwise it is a
    /// transaction of its own.
    ///
    /// - Throws: ``StoreError/Code/validation``, ``StoreError/Code/conflict``, ``StoreError/Code/duplicate`` or
    ///   ``StoreError/Code/missingReference``, and then the batch has changed nothing.
    ///   ``StoreError/Code/unsupportedRequest`` in a child context, and if the context has unsaved changes, which the
    ///   batch would ignore.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil,
        _ assignments: TypedAssignment<Object>...
    ) throws -> BatchResult {
        try Batch(self, graph.layout(of: type)).update(predicate?.predicate, assignments.map(\.assignment))
    }

    /// Sets properties of all objects of the named entity that match a predicate, directly in the store.
    ///
    /// - Throws: The errors of ``batchUpdate(_:where:_:)-(Object.Type,_,_)``.
    @discardableResult
    public func batchUpdate(
        _ entityName: String, where predicate: FetchPredicate? = nil, _ assignments: PropertyAssignment...
    ) throws -> BatchResult {
        try Batch(self, graph.layout(named: entityName)).update(predicate, assignments)
    }

    /// Deletes all objects that match a predicate, directly in the store, and applies their delete rules.
    ///
    /// - Throws: ``StoreError/Code/validation`` if a delete rule denies the deletion of one of them, and then none is deleted; and the
    ///   errors of ``batchUpdate(_:where:_:)-(Object.Type,_,_)``.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil
    ) throws -> BatchResult {
        try Batch(self, graph.layout(of: type)).delete(predicate?.predicate)
    }

    /// Deletes all objects of the named entity that match a predicate, directly in the store.
    @discardableResult
    public func batchDelete(_ entityName: String, where predicate: FetchPredicate? = nil) throws
        -> BatchResult
    {
        try Batch(self, graph.layout(named: entityName)).delete(predicate)
    }

    /// Inserts an object for each element of a sequence, directly in the store.
    ///
    /// ```swift
    /// try context.batchInsert(Player.self, from: names) { [.set(\.name, to: $0)] }
    /// ```
    ///
    /// Properties without an assignment get their default values.
    ///
    /// - Throws: The errors of ``batchUpdate(_:where:_:)-(Object.Type,_,_)``. A validation error lists every value that breaks a rule.
    @discardableResult
    public func batchInsert<Object: ManagedObject, Element>(
        _ type: Object.Type, from elements: some Sequence<Element>,
        _ assignments: (Element) throws -> [TypedAssignment<Object>]
    ) throws -> BatchResult {
        let rows = try elements.map { try assignments($0).map(\.assignment) }
        return try Batch(self, graph.layout(of: type)).insert(rows)
    }

    /// Inserts an object of the named entity for each list of assignments, directly in the store.
    @discardableResult
    public func batchInsert(_ entityName: String, _ rows: [[PropertyAssignment]]) throws -> BatchResult {
        try Batch(self, graph.layout(named: entityName)).insert(rows)
    }
}

/// The objects that a batch has changed, by identifier.
public struct BatchResult: Sendable {
    private let changes: [HistoryChange]
    private let identifiers: IdentifierSpaces
    private let model: ObjectModel

    init(_ receipt: BatchReceipt, _ graph: ObjectGraph) {
        changes = receipt.changes
        identifiers = graph.parent.identifiers
        model = graph.model
    }

    /// The number of objects that were inserted, updated or deleted, including those that delete rules and derived attributes affected.
    public var count: Int { changes.count }
    /// The inserted objects.
    public var inserted: [ObjectID] { ids(.insert) }
    /// The updated objects.
    public var updated: [ObjectID] { ids(.update) }
    /// The deleted objects.
    public var deleted: [ObjectID] { ids(.delete) }

    private func ids(_ kind: HistoryChange.Kind) -> [ObjectID] {
        changes.filter { $0.kind == kind }.map {
            identifiers.id(of: $0.key, in: model.layouts[$0.entityIndex])
        }
    }
}

/// Performs a batch in the store and merges its result into the context.
private struct Batch {
    private let context: ObjectContext
    private let entity: EntityLayout
    private var graph: ObjectGraph { context.graph }

    init(_ context: ObjectContext, _ entity: EntityLayout) {
        self.context = context
        self.entity = entity
    }

    func update(_ predicate: FetchPredicate?, _ assignments: [PropertyAssignment]) throws -> BatchResult {
        var values: [Int: StoredValue] = [:]
        for assignment in assignments {
            for (column, value) in try assignment.columns(of: entity, in: graph) { values[column] = value }
        }
        return try perform(.update(values), where: predicate)
    }

    func delete(_ predicate: FetchPredicate?) throws -> BatchResult { try perform(.delete, where: predicate) }

    func insert(_ rows: [[PropertyAssignment]]) throws -> BatchResult {
        try check()
        if entity.isAbstract {
            throw StoreError(
                .unknownProperty, "\(entity.name) is abstract, so it can't have objects.",
                remedy: "Insert objects of one of its subentities.")
        }
        let keys =
            rows.isEmpty ? 0..<0 : try graph.parent.reserveKeys(rows.count, rootIndex: entity.rootIndex)
        var builder = RowBatchBuilder(model: graph.model, expecting: rows.count, entityIndex: entity.index)
        for (key, assignments) in zip(keys, rows) {
            builder.beginRow(key: key, version: RowBatch.firstVersion, entityIndex: entity.index)
            for (slot, initial) in entity.defaults {
                set(initial.storedValue, entity.properties[slot].columns, in: &builder)
            }
            for assignment in assignments {
                for (column, value) in try assignment.columns(of: entity, in: graph) {
                    builder.set(column, to: value)
                }
            }
        }
        return try perform(.insert(builder.finish()), where: nil)
    }

    private func set(_ value: StoredValue, _ columns: Range<Int>, in builder: inout RowBatchBuilder) {
        guard case .composite(let parts) = value else {
            if let column = columns.first { builder.set(column, to: value) }
            return
        }
        for (column, part) in zip(columns, parts) { builder.set(column, to: part) }
    }

    private func perform(_ operation: BatchPlan.Operation, where predicate: FetchPredicate?) throws
        -> BatchResult
    {
        try check()
        let plan = BatchPlan(
            entityIndex: entity.index, predicate: try predicate.map(graph.checker(of: entity).predicate),
            operation: operation, author: context.author)
        let receipt = try graph.parent.perform(plan)
        if let first = receipt.conflicts.first {
            let conflicts = try receipt.conflicts.map(ConflictDescription(graph: graph).describe)
            let code = conflicts.first?.code ?? .conflict
            throw StoreError(
                code,
                "The store rejected the batch because of an object of \(graph.model.layouts[first.entityIndex].name). Nothing was changed.",
                remedy: "Correct the objects that the conflicts list, or exclude them with the predicate.",
                conflicts: conflicts)
        }
        let result = BatchResult(receipt, graph)
        mergeResult(result)
        graph.notifyFollowers()
        return result
    }

    /// Merges the result of a batch into the context.
    ///
    /// The batch has already succeeded, so if merging fails, all unchanged objects become faults.
    private func mergeResult(_ result: BatchResult) {
        do {
            try ChangeMerging(graph: graph).merge(
                inserted: result.inserted, updated: result.updated, deleted: result.deleted)
        } catch {
            graph.beginEpochs()
            Refreshing(graph: graph).refreshUnchanged()
            graph.recordUnknownChanges()
        }
    }

    /// Checks that the context may perform a batch: it is not read-only, is not a child context, and has no unsaved
    /// changes.
    private func check() throws {
        try graph.throwDeferredError()
        if context.isReadOnly {
            throw StoreError(
                .readOnly, "This context is read-only.",
                remedy:
                    "Perform the batch in a block of store.write, or in a context that was made without isReadOnly."
            )
        }
        if context.parent != nil {
            throw StoreError(
                .unsupportedRequest, "A batch runs in the store, so a child context can't perform it.",
                remedy: "Perform the batch in the topmost context or in a block of store.write.")
        }
        if graph.changes.hasChanges {
            throw StoreError(
                .unsupportedRequest,
                "A batch runs in the store and would ignore the context's unsaved changes.",
                remedy: "Save the changes, or roll them back, before the batch.")
        }
    }
}
