extension ObjectContext {
    /// Inserts an object, or updates the one that has the same values of a unique constraint, directly in the store.
    ///
    /// ```swift
    /// let (go, isNew) = try context.upsert(
    ///     Game.self, matching: \.title, with: .set(\.title, to: "Go"), .set(\.startedAt, to: .now))
    /// print(go.players.count, isNew)
    /// ```
    ///
    /// It is a batch of one row: see ``upsert(_:matching:from:_:)``. If the object has the values already, the context fetches it.
    ///
    /// - Parameters:
    ///   - type: The class of the object.
    ///   - keys: The properties of a unique constraint of the model, in any order.
    ///   - assignments: The values, which include those of the unique constraint.
    /// - Returns: The object, and whether it was inserted.
    /// - Throws: The errors of ``upsert(_:matching:from:_:)``. If the object can't be read after the upsert, the error is that of the read,
    ///   such as ``StoreError/Code/objectNotFound`` if another write has deleted the object. Outside of a write block the upsert is saved then.
    @discardableResult
    public func upsert<Object: ManagedObject>(
        _ type: Object.Type, matching keys: PartialKeyPath<Object>...,
        with assignments: TypedAssignment<Object>...
    ) throws -> (object: Object, isInserted: Bool) {
        let paths = keys.map { PropertyPathCache.path(of: $0) }
        let row = assignments.map(\.assignment)
        let result = try insertRows([row], of: type, onConflict: .update(matching: paths))
        if let id = result.inserted.first { return (try object(with: id, as: type), true) }
        let entity = graph.layout(of: type)
        // Derived attributes may have changed other objects of the tree too; then the object must be fetched.
        let updated = try result.updated.filter { try graph.layout(of: $0).rootIndex == entity.rootIndex }
        if updated.count == 1 { return (try object(with: updated[0], as: type), false) }
        let matching = try ConstraintMatching(paths, setting: [], of: entity)
        guard let places = try matching.places(in: RowShape(row, of: entity)),
            case let values = try places.map({ try $0.value(in: row, graph) }),
            let object = try first(FetchRequest<Object>(where: matching.predicate(values, in: graph)))
        else {
            throw StoreError(
                .objectNotFound,
                "The \(entity.name) was not found after the upsert, because another write has deleted it.",
                remedy: "Upsert it again, in a block of store.write, which sees one snapshot of the store.")
        }
        return (object, false)
    }

    /// Inserts an object for each element of a sequence, or updates the one that has the same values of a unique constraint.
    ///
    /// ```swift
    /// let result = try context.upsert(Game.self, matching: \.title, from: names) { [.set(\.title, to: $0)] }
    /// print(result.inserted.count, "new,", result.updated.count, "changed")
    /// ```
    ///
    /// An object that exists gets the properties that its row assigns; the others keep their values. If it has these values already, it
    /// isn't changed. A new object gets default values for the other properties, and every row must be valid as a new object.
    /// ``batchInsert(_:from:onConflict:_:)`` with `.update(matching:setting:)` sets only some of the properties.
    ///
    /// - Several rows with the same unique values are applied one after the other, as one change.
    /// - Nil in a unique constraint equals nothing, so a row with nil is always inserted.
    /// - The object may belong to a subentity, and stays what it is. If it belongs to another entity of the tree, the error is
    ///   ``StoreError/Code/duplicate``, as it is if a row has the values of another unique constraint's object.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - keys: The properties of a unique constraint of the model, in any order. Each row must assign them.
    ///   - elements: The elements, one for each row.
    ///   - assignments: Returns the assignments of the row of an element.
    /// - Throws: The errors of ``batchInsert(_:from:onConflict:_:)``. ``StoreError/Code/unsupportedRequest`` if the model has no such
    ///   constraint, or a row doesn't assign it.
    @inlinable
    @discardableResult
    public func upsert<Object: ManagedObject, Element>(
        _ type: Object.Type, matching keys: PartialKeyPath<Object>..., from elements: some Sequence<Element>,
        _ assignments: (Element) throws -> [TypedAssignment<Object>]
    ) throws -> BatchResult {
        let rows = try elements.map { try assignments($0).map { $0.assignment } }
        return try upsertRows(rows, of: type, matching: keys)
    }

    @usableFromInline
    func upsertRows<Object: ManagedObject>(
        _ rows: [[PropertyAssignment]], of type: Object.Type, matching keys: [PartialKeyPath<Object>]
    ) throws -> BatchResult {
        try insertRows(
            rows, of: type, onConflict: .update(matching: keys.map { PropertyPathCache.path(of: $0) }))
    }

    /// Inserts an object of the named entity for each list of assignments, or updates the one with the same unique values.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - keys: The properties of a unique constraint of the model. Each row must assign them.
    ///   - rows: The assignments of each object.
    /// - Throws: The errors of ``upsert(_:matching:from:_:)``.
    @discardableResult
    public func upsert(
        _ entityName: String, matching keys: [PropertyPath], _ rows: [[PropertyAssignment]]
    ) throws -> BatchResult {
        try batchInsert(entityName, rows, onConflict: .update(matching: keys))
    }
}
