// Child contexts in an isolation other than that of their parent.
extension ContextActor {
    /// Makes a child context on its own executor, for edits that run concurrently with other work of the parent.
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
    /// A fetch of the child waits for its turn in this context, and includes the changes that are pending in this context at that time. The
    /// child's `save()` applies all of its changes to this context in one turn, where they stay pending until this context saves. The
    /// child's merge policy resolves conflicts with changes of the parent; if a save fails, the child's changes stay pending in the child.
    /// ``ObjectContext/saveToStore()`` saves level by level, through each ancestor to the store.
    ///
    /// The child inherits the author and the fault settings that this context has now, but not the handler of fault warnings. A child
    /// keeps its parent alive, and may have children.
    ///
    /// When a block of the child needs the parent, it waits until the parent's block has ended. If that block waits for the child by
    /// ``performAndWait(fileID:line:_:)``, one of the two throws ``StoreError/Code/wouldDeadlock``. If it waits for the child in another
    /// way, the child's request throws that error after ``StoreOptions/deadlockTimeout``.
    ///
    /// - Parameters:
    ///   - name: The name in messages and errors. The history names the context that saves to the store.
    ///   - isReadOnly: Whether the child refuses to save. A child of a read-only context is always read-only.
    public func makeChild(name: String = "child", isReadOnly: Bool = false) -> ContextActor {
        ContextActor(pipeline, name: name, isReadOnly: isReadOnly, under: (self, inheritance))
    }

    /// Makes a child context on the main actor, for a form that edits objects of this context.
    ///
    /// It behaves like a child that ``makeChild(name:isReadOnly:)`` makes. Its fetches and saves block the main thread until they have had
    /// their turn in the parent's context, so keep blocks of the parent short, and never wait for the main thread in them, as
    /// `DispatchQueue.main.sync` does: the child's request fails after ``StoreOptions/deadlockTimeout``. Its objects are observable, like
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
        MainActorNotifier.start(in: context)
        return context
    }
}

/// The settings that a child context inherits from its parent.
struct Inheritance: Sendable {
    let author: String?
    let faulting: Faulting
    let inaccessibleFaults: InaccessibleFaults
    let isReadOnly: Bool
}

extension ObjectContext {
    /// The settings that children of this context inherit.
    var inheritance: Inheritance {
        Inheritance(
            author: author, faulting: faulting, inaccessibleFaults: inaccessibleFaults, isReadOnly: isReadOnly
        )
    }

    /// Applies the settings inherited from the parent.
    func inherit(_ inheritance: Inheritance) {
        author = inheritance.author
        faulting = inheritance.faulting
        inaccessibleFaults = inheritance.inaccessibleFaults
    }
}
