extension ObjectContext {
    /// Saves everything that has changed to the context's parent: all of it, or nothing.
    ///
    /// The parent of most contexts is the store. A child's parent is another context, which the changes are pending in afterwards;
    /// ``saveToStore()`` goes all the way.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/validation``, ``StoreError/Code/conflict``,
    ///   ``StoreError/Code/duplicate`` or what the store says. The changes are still pending then.
    public func save() throws {
        try save(selection: nil)
    }

    /// Saves just these objects, and the new objects that they refer to.
    public func save(only objects: some Sequence<ManagedObject>) throws {
        let selection = Set(objects)
        for object in selection { graph.requireOwn(object, toBe: "saved") }
        try save(selection: selection)
    }

    /// Saves at the end of a block, unless the save may be left to somebody who does it later.
    ///
    /// Whoever asked for the block is not told before that what became of it.
    func saveLast(leaving leave: SavePipeline.Leaving) throws {
        try save(selection: nil, leaving: leave)
    }

    private func save(selection: Set<ManagedObject>?, leaving leave: SavePipeline.Leaving? = nil) throws {
        if isReadOnly { throw StoreError(.readOnly, "This context may only read.") }
        try mergePolicy.check(model)
        defer { graph.tellFollowers() }
        try SavePipeline(graph: graph, name: name, author: author, policy: mergePolicy)
            .save(only: selection, leaving: leave)
        // A pinned context has moved on; who doesn't follow the store needn't ask whether it was.
        if graph.inbox != nil, isPinned { try? ChangeMerging(graph: graph).pull() }
    }

    /// Gives new objects their permanent identifiers before they are saved.
    public func obtainPermanentIDs(for objects: some Sequence<ManagedObject>) throws {
        var seen: Set<ManagedObject> = []
        // An object that is named twice gets one identifier.
        let objects = objects.filter { seen.insert($0).inserted }
        for object in objects { graph.requireOwn(object, toBe: "identified") }
        _ = try IdentityStage(graph: graph).assignKeys(SaveWork(objects))
    }
}
