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
    /// separate transaction.
    ///
    /// An object that gets an owner becomes the last member of the owner's ordered relationship.
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
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - elements: The elements, one for each object.
    ///   - policy: What to do with a row whose unique values an object already has; see ``TypedBatchConflictPolicy``.
    ///   - assignments: Returns the assignments of the object of an element.
    /// - Throws: The errors of ``batchUpdate(_:where:_:)-(Object.Type,_,_)``. A validation error lists every value that breaks a rule.
    @inlinable
    @discardableResult
    public func batchInsert<Object: ManagedObject, Element>(
        _ type: Object.Type, from elements: some Sequence<Element>,
        onConflict policy: TypedBatchConflictPolicy<Object> = .error,
        _ assignments: (Element) throws -> [TypedAssignment<Object>]
    ) throws -> BatchResult {
        // Inlinable, because a specialized loop takes a fraction of the time.
        let rows = try elements.map { try assignments($0).map { $0.assignment } }
        return try insertRows(rows, of: type, onConflict: policy.policy)
    }

    @usableFromInline
    func insertRows(
        _ rows: [[PropertyAssignment]], of type: ManagedObject.Type, onConflict policy: BatchConflictPolicy
    ) throws -> BatchResult {
        try Batch(self, graph.layout(of: type)).insert(rows, onConflict: policy)
    }

    /// Inserts an object of the named entity for each list of assignments, directly in the store.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - rows: The assignments of each object.
    ///   - policy: What to do with a row whose unique values an object already has.
    @discardableResult
    public func batchInsert(
        _ entityName: String, _ rows: [[PropertyAssignment]],
        onConflict policy: BatchConflictPolicy = .error
    ) throws -> BatchResult {
        try Batch(self, graph.layout(named: entityName)).insert(rows, onConflict: policy)
    }
}

/// The objects that a batch has changed, by identifier.
public struct BatchResult: Sendable {
    private let changes: [HistoryChange]
    private let identifiers: IdentifierSpaces
    private let model: ObjectModel
    /// The number of rows of an insertion that were neither inserted nor changed an object.
    ///
    /// Those are the rows that ``TypedBatchConflictPolicy/ignore`` left out, and those whose object has the values already.
    public let unchangedCount: Int

    init(_ receipt: BatchReceipt, _ graph: ObjectGraph) {
        changes = receipt.changes
        unchangedCount = receipt.unchangedRows
        identifiers = graph.parent.identifiers
        model = graph.model
    }

    /// The number of objects that were inserted, updated or deleted, including those that delete rules and derived attributes affected.
    public var count: Int { changes.count }
    /// The inserted objects.
    public var inserted: [ObjectID] { ids(.insert) }
    /// The updated objects, including those of which only derived attributes changed, such as the owners of an inserted object.
    public var updated: [ObjectID] { ids(.update) }
    /// The deleted objects.
    public var deleted: [ObjectID] { ids(.delete) }

    private func ids(_ kind: HistoryChange.Kind) -> [ObjectID] {
        changes.filter { $0.kind == kind }.map {
            identifiers.id(of: $0.key, in: model.layouts[$0.entityIndex])
        }
    }
}
