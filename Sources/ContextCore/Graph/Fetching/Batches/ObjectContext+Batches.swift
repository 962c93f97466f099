// Batches: many rows changed by predicate, in the store, without objects.
extension ObjectContext {
    /// Gives properties of all objects for which a predicate is true new values, in the store, without fetching them.
    ///
    /// ```swift
    /// let result = try context.batchUpdate(Player.self, where: \.score < 0, .set(\.score, to: 0))
    /// print(result.updated.count)
    /// ```
    ///
    /// The values keep the rules of the model, versions grow, derived attributes are worked out anew, and the history tells of it: only
    /// hooks of objects don't run. Registered objects of this context follow at once; other contexts follow as they do any save. In a
    /// write block it is part of the block's transaction, elsewhere a transaction of its own.
    ///
    /// - Throws: ``StoreError/Code/validation``, ``StoreError/Code/conflict``, ``StoreError/Code/duplicate``,
    ///   ``StoreError/Code/missingReference``, and then nothing has happened. ``StoreError/Code/unsupportedRequest`` in a child context,
    ///   and while the context has changes that are not saved, since the store knows nothing of those: save or roll back before.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil,
        _ assignments: TypedAssignment<Object>...
    ) throws -> BatchResult {
        try Batch(self, graph.layout(of: type)).update(predicate?.predicate, assignments.map(\.assignment))
    }

    /// Gives properties of all objects of an entity by name, for which a predicate is true, new values in the store.
    ///
    /// - Throws: what ``batchUpdate(_:where:_:)-(Object.Type,_,_)`` throws.
    @discardableResult
    public func batchUpdate(
        _ entityName: String, where predicate: FetchPredicate? = nil, _ assignments: PropertyAssignment...
    ) throws -> BatchResult {
        try Batch(self, graph.layout(named: entityName)).update(predicate, assignments)
    }

    /// Deletes all objects for which a predicate is true in the store, without fetching them, and does what their delete rules say.
    ///
    /// - Throws: ``StoreError/Code/validation`` where a rule denies the deletion of one of them, and then none is deleted; and what
    ///   ``batchUpdate(_:where:_:)-(Object.Type,_,_)`` throws.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil
    ) throws -> BatchResult {
        try Batch(self, graph.layout(of: type)).delete(predicate?.predicate)
    }

    /// Deletes all objects of an entity by name, for which a predicate is true, in the store.
    @discardableResult
    public func batchDelete(_ entityName: String, where predicate: FetchPredicate? = nil) throws
        -> BatchResult
    {
        try Batch(self, graph.layout(named: entityName)).delete(predicate)
    }

    /// Inserts an object for each element of a sequence, in the store, without making objects in memory.
    ///
    /// ```swift
    /// try context.batchInsert(Player.self, from: names) { [.set(\.name, to: $0)] }
    /// ```
    ///
    /// What is not set begins with the default of its property.
    ///
    /// - Throws: what ``batchUpdate(_:where:_:)-(Object.Type,_,_)`` throws. Every value of every row that breaks a rule is among the
    ///   failures.
    @discardableResult
    public func batchInsert<Object: ManagedObject, Element>(
        _ type: Object.Type, from elements: some Sequence<Element>,
        _ assignments: (Element) throws -> [TypedAssignment<Object>]
    ) throws -> BatchResult {
        let rows = try elements.map { try assignments($0).map(\.assignment) }
        return try Batch(self, graph.layout(of: type)).insert(rows)
    }

    /// Inserts an object of an entity by name for each list of assignments, in the store.
    @discardableResult
    public func batchInsert(_ entityName: String, _ rows: [[PropertyAssignment]]) throws -> BatchResult {
        try Batch(self, graph.layout(named: entityName)).insert(rows)
    }
}

/// What a batch has changed, by identifier.
public struct BatchResult: Sendable {
    private let changes: [HistoryChange]
    private let identifiers: IdentifierSpaces
    private let model: ObjectModel

    init(_ receipt: BatchReceipt, _ graph: ObjectGraph) {
        changes = receipt.changes
        identifiers = graph.parent.identifiers
        model = graph.model
    }

    /// How many objects were inserted, changed or deleted, those that delete rules and derived attributes led to among them.
    public var count: Int { changes.count }
    /// The objects that are new.
    public var inserted: [ObjectID] { ids(.insert) }
    /// The objects that were changed.
    public var updated: [ObjectID] { ids(.update) }
    /// The objects that were deleted.
    public var deleted: [ObjectID] { ids(.delete) }

    private func ids(_ kind: HistoryChange.Kind) -> [ObjectID] {
        changes.filter { $0.kind == kind }.map {
            identifiers.id(of: $0.key, in: model.layouts[$0.entityIndex])
        }
    }
}

/// One batch on its way into the store and back into its context.
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
            throw StoreError(.unknownProperty, "\(entity.name) is abstract, so there can be no object of it.")
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
                "Nothing of the batch was done, because of \(graph.model.layouts[first.entityIndex].name).",
                remedy: "Choose fewer objects, or change what stands in the way first.", conflicts: conflicts)
        }
        let result = BatchResult(receipt, graph)
        follow(result)
        graph.tellFollowers()
        return result
    }

    /// Lets the objects follow what has been done; it has been, whether or not they can be read now.
    private func follow(_ result: BatchResult) {
        do {
            try ChangeMerging(graph: graph).merge(
                inserted: result.inserted, updated: result.updated, deleted: result.deleted)
        } catch {
            graph.beginEpochs()
            Refreshing(graph: graph).refreshUnchanged()
            graph.noteEverything()
        }
    }

    /// A batch works on what is in the store, so there must be nothing that is not.
    private func check() throws {
        try graph.throwDeferredError()
        if context.isReadOnly { throw StoreError(.readOnly, "This context may only read.") }
        if context.parent != nil {
            throw StoreError(
                .unsupportedRequest, "A batch works in the store, which a child context does not speak to.",
                remedy: "Perform it in the context above, or in store.write.")
        }
        if graph.changes.hasChanges {
            throw StoreError(
                .unsupportedRequest,
                "A batch works in the store, which knows nothing of this context's changes that are not saved.",
                remedy: "Save them, or roll them back, before the batch.")
        }
    }
}
