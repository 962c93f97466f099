extension ObjectContext {
    /// Whether changes are noted, so that they can be undone.
    ///
    /// Off at first, since it costs memory.
    public var isUndoEnabled: Bool {
        get { graph.undo != nil }
        set { graph.undo = newValue ? graph.undo ?? UndoLog() : nil }
    }

    /// Whether there is something to undo.
    public var canUndo: Bool { graph.undo?.canUndo ?? false }
    /// Whether there is something to redo.
    public var canRedo: Bool { graph.undo?.canRedo ?? false }
    /// The names of what can be undone, the next one first; nil for groups without a name.
    public var undoNames: [String?] { graph.undo?.undoNames ?? [] }

    /// Makes what a closure does one thing to undo.
    ///
    /// Groups may be nested; the outermost counts.
    public func undoGroup<Result>(_ name: String? = nil, _ body: () throws -> Result) rethrows -> Result {
        graph.undo?.beginGroup(name)
        defer { graph.undo?.endGroup() }
        return try body()
    }

    /// Undoes the last group, saved work too: the objects become what they were, as changes that are pending.
    ///
    /// Changes outside of a group belong together until ``processPendingChanges()``, a save, an undo, or the end of a block of
    /// ``ContextActor/perform(fileID:line:_:)``. In ``Store/viewContext`` nobody knows where an event ends: group what one does.
    public func undo() {
        Undoing(graph: graph).undo()
        graph.tellFollowers()
    }

    /// Redoes what was undone last, as long as nothing else has been changed in between.
    public func redo() {
        Undoing(graph: graph).redo()
        graph.tellFollowers()
    }

    /// Ends what is undone in one go, outside of a group, and lets results controllers take in what has changed.
    public func processPendingChanges() {
        graph.undo?.closeLooseGroup()
        graph.tellFollowers()
    }
}
