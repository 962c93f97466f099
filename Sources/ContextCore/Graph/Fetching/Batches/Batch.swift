/// Performs a batch in the store and merges its result into the context.
struct Batch {
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
            let target = try AssignmentTarget(assignment.path, of: entity)
            let value = try target.storedValue(of: assignment.value, in: graph)
            for column in target.columns { values[column] = target.part(column, of: value) }
        }
        return try perform(.update(values), where: predicate)
    }

    func delete(_ predicate: FetchPredicate?) throws -> BatchResult { try perform(.delete, where: predicate) }

    /// Inserts a row for each list of assignments.
    func insert(
        _ assignments: [[PropertyAssignment]], onConflict policy: BatchConflictPolicy
    ) throws -> BatchResult {
        try check()
        if entity.isAbstract {
            throw StoreError(
                .unknownProperty, "\(entity.name) is abstract, so it can't have objects.",
                remedy: "Insert objects of one of its subentities.")
        }
        var rows = try AssignedRows(assignments, of: entity, in: graph)
        switch policy.kind {
        case .error:
            let keys = try reserveKeys(rows.count)
            return try insert(rows, keys, .insert(rows.batch(keys: keys)))
        case .ignore:
            let keys = try reserveKeys(rows.count)
            let upsert = BatchUpsert(ignoringDuplicates: try rows.batch(keys: keys))
            return try insert(rows, keys, .upsert(upsert))
        case .update(let names, let properties):
            let matching = try ConstraintMatching(names, setting: properties, of: entity)
            try rows.mergeDuplicates(matching)
            let keys = try reserveKeys(rows.count)
            return try insert(rows, keys, .upsert(rows.upsert(matching, keys: keys)))
        }
    }

    /// Performs an operation that inserts rows with reserved keys.
    private func insert(
        _ rows: AssignedRows, _ keys: Range<Int64>, _ operation: BatchPlan.Operation
    ) throws -> BatchResult {
        try perform(operation, where: nil) { conflict in
            let root = graph.model.layouts[conflict.entityIndex].rootIndex
            guard root == entity.rootIndex, keys.contains(conflict.key) else { return nil }
            return rows.originalIndices[Int(conflict.key - keys.lowerBound)]
        }
    }

    private func reserveKeys(_ count: Int) throws -> Range<Int64> {
        count == 0 ? 0..<0 : try graph.parent.reserveKeys(count, rootIndex: entity.rootIndex)
    }

    /// Performs an operation in the store.
    ///
    /// - Parameter rowIndex: Returns the index of the new row that has a conflict; nil for a stored row.
    private func perform(
        _ operation: BatchPlan.Operation, where predicate: FetchPredicate?,
        _ rowIndex: (RowConflict) -> Int? = { _ in nil }
    ) throws -> BatchResult {
        try check()
        let plan = BatchPlan(
            entityIndex: entity.index, predicate: try predicate.map(graph.checker(of: entity).predicate),
            operation: operation, author: context.author)
        let receipt = try graph.parent.perform(plan)
        if let first = receipt.conflicts.first {
            let conflicts = try receipt.conflicts.map(ConflictDescription(graph: graph).describe)
            let code = conflicts.first?.code ?? .conflict
            let name = graph.model.layouts[first.entityIndex].name
            let cause = rowIndex(first).map { "the row of \(name) at index \($0)" } ?? "an object of \(name)"
            throw StoreError(
                code, "The store rejected the batch because of \(cause). Nothing was changed.",
                remedy: operation.remedy, conflicts: conflicts)
        }
        let result = BatchResult(receipt, graph)
        // The commits that a pinned context did not see are older than the batch.
        ChangeMerging(graph: graph).mergeAfterWrite()
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

extension BatchPlan.Operation {
    /// What the caller can do if the store rejects the batch.
    fileprivate var remedy: String {
        switch self {
        case .insert:
            "Correct the rows or leave them out. To ignore or update objects with the same unique values, pass onConflict:."
        case .upsert: "Correct the rows whose conflicts the error lists, or leave them out."
        case .update, .delete:
            "Correct the objects that the conflicts list, or exclude them with the predicate."
        }
    }
}
