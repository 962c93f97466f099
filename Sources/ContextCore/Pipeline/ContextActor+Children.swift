// Children that live somewhere else than their parent.
extension ContextActor {
    /// Makes a context whose parent is this one, on an executor of its own: for edits that go on beside other work of the parent.
    ///
    /// ```swift
    /// let importer = await editor.makeChild(name: "import")
    /// try await importer.perform { context in
    ///     _ = Game(in: context, title: "Chess")
    ///     try context.save()                              // pending in the editor's context now
    /// }
    /// try await editor.perform { try $0.save() }          // and now in the store
    /// ```
    ///
    /// The child fetches what this context has, pending changes included, as it is when its question has its turn here. Its `save()`
    /// makes its changes pending here: all of them in one turn, or none. What both have changed is a conflict that its merge policy
    /// decides on; whatever keeps a save from being done, the child's changes stay pending in it. ``ObjectContext/saveToStore()`` goes up
    /// level by level to the store, and nobody else has any of these contexts meanwhile.
    ///
    /// Author, and what faults may do, are this context's as it is now. Warnings of faults go nowhere until the child says where to. A
    /// child keeps its parent alive, and may have children in turn.
    ///
    /// A block of the child waits for blocks of the parent where it has to ask it something. Where the parent's block waits for the
    /// child at the same time, by ``performAndWait(fileID:line:_:)``, one of them throws ``StoreError/Code/wouldDeadlock``. Where it waits in
    /// another way, the child does so after ``StoreOptions/deadlockTimeout``.
    ///
    /// - Parameters:
    ///   - name: What it is called, in messages and errors; the history names the context that saves to the store.
    ///   - isReadOnly: Whether the child refuses to save. A child of a context that does always does too.
    public func makeChild(name: String = "child", isReadOnly: Bool = false) -> ContextActor {
        ContextActor(pipeline, name: name, isReadOnly: isReadOnly, under: (self, inheritance))
    }

    /// Makes a context of the main actor whose parent is this one: a form over what this context edits.
    ///
    /// It is what ``makeChild(name:isReadOnly:)`` makes, but for where it lives. What it fetches and saves, the main thread waits for, until
    /// its turn in the parent's context too; so no block there should take long, and none may wait for the main thread, as
    /// `DispatchQueue.main.sync` does: what the child asked is given up after ``StoreOptions/deadlockTimeout``. Its objects are observed, like
    /// those of ``Store/viewContext``.
    @MainActor public func makeViewChild(name: String = "child", isReadOnly: Bool = false) async
        -> ObjectContext
    {
        let inheritance = await inheritance
        let context = ObjectContext(
            model: pipeline.coordinator.model, parent: ActorParent(self),
            isReadOnly: isReadOnly || inheritance.isReadOnly)
        context.inherit(inheritance)
        context.name = name
        context.isObserved = true
        MainActorFollowing.begin(in: context)
        return context
    }
}

/// What a child takes from the context above it, wherever that is.
struct Inheritance: Sendable {
    let author: String?
    let faulting: Faulting
    let inaccessibleFaults: InaccessibleFaults
    let isReadOnly: Bool
}

extension ObjectContext {
    /// What children of this context take from it.
    var inheritance: Inheritance {
        Inheritance(
            author: author, faulting: faulting, inaccessibleFaults: inaccessibleFaults, isReadOnly: isReadOnly
        )
    }

    /// Takes over what was taken from the context above.
    func inherit(_ inheritance: Inheritance) {
        author = inheritance.author
        faulting = inheritance.faulting
        inaccessibleFaults = inheritance.inaccessibleFaults
    }
}
