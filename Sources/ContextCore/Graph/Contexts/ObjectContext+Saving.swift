extension ObjectContext {
    /// Saves all changes to the context's parent atomically.
    ///
    /// The parent of most contexts is the store. The parent of a child context is another context, in which the saved
    /// changes become pending; ``saveToStore()`` also saves the parents.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/validation``, ``StoreError/Code/conflict``,
    ///   ``StoreError/Code/duplicate``, or an error of the store; the changes then stay pending.
    public func save() throws {
        try save(selection: nil)
    }

    /// Saves only the given objects, and the new objects that they reference.
    public func save(only objects: some Sequence<ManagedObject>) throws {
        let selection = Set(objects)
        for object in selection { graph.requireOwnership(object, toBe: "saved") }
        try save(selection: selection)
    }

    /// Saves at the end of a block, or defers the save to a group that applies it later.
    ///
    /// The caller of the block resumes only after the commit.
    func saveLast(deferringTo deferral: SavePipeline.DeferredSaveReceiver) throws {
        try save(selection: nil, deferringTo: deferral)
    }

    private func save(
        selection: Set<ManagedObject>?, deferringTo deferral: SavePipeline.DeferredSaveReceiver? = nil
    ) throws {
        if isReadOnly {
            throw StoreError(
                .readOnly, "This context is read-only.",
                remedy:
                    "Save in a block of store.write, or through a context that was made without isReadOnly.")
        }
        try mergePolicy.check(model)
        defer { graph.notifyFollowers() }
        try SavePipeline(graph: graph, name: name, author: author, policy: mergePolicy)
            .save(only: selection, deferringTo: deferral)
        ChangeMerging(graph: graph).mergeAfterWrite()
    }

    /// Assigns permanent identifiers to new objects before they are saved.
    public func obtainPermanentIDs(for objects: some Sequence<ManagedObject>) throws {
        var seen: Set<ManagedObject> = []
        // An object that is listed twice gets one identifier.
        let objects = objects.filter { seen.insert($0).inserted }
        for object in objects { graph.requireOwnership(object, toBe: "identified") }
        _ = try IdentityStage(graph: graph).assignKeys(SaveSelection(objects))
    }
}
