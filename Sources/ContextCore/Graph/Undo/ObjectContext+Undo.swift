extension ObjectContext {
    /// Whether the context records changes for undo; false by default, since the history uses memory.
    public var isUndoEnabled: Bool {
        get { graph.undo != nil }
        set {
            if newValue {
                graph.undo = graph.undo ?? UndoLog()
            } else {
                graph.clearUndo()
                graph.undo = nil
            }
        }
    }

    /// Whether there is a change to undo.
    public var canUndo: Bool { graph.undo?.canUndo ?? false }
    /// Whether there is a change to redo.
    public var canRedo: Bool { graph.undo?.canRedo ?? false }
    /// The names of the undo groups, the most recent one first; nil for groups without a name.
    public var undoNames: [String?] { graph.undo?.undoNames ?? [] }
    /// The names of the undone groups, the next one to redo first; nil for groups without a name.
    public var redoNames: [String?] { graph.undo?.redoNames ?? [] }

    /// Combines the changes of a closure into one undo group.
    ///
    /// Nested groups are part of the outermost one.
    public func undoGroup<Result>(_ name: String? = nil, _ body: () throws -> Result) rethrows -> Result {
        graph.undo?.beginGroup(name)
        defer { graph.undo?.endGroup() }
        return try body()
    }

    /// Reverts the last undo group as pending changes, even if the group has been saved.
    ///
    /// Changes outside of an explicit group form a group until ``processPendingChanges()``, a save, an undo, or the end of a block of
    /// ``ContextActor/perform(fileID:line:_:)``. ``Store/viewContext`` can't detect the end of an event, so
    /// call ``undoGroup(_:_:)`` for the changes of each event.
    public func undo() {
        Undoing(graph: graph).undo()
        graph.notifyFollowers()
    }

    /// Redoes the last undone group, unless there have been other changes since.
    public func redo() {
        Undoing(graph: graph).redo()
        graph.notifyFollowers()
    }

    /// Closes the current implicit undo group and notifies results controllers of changes.
    public func processPendingChanges() {
        graph.undo?.closeImplicitGroup()
        graph.notifyFollowers()
    }
}
