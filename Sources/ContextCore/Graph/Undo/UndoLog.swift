/// The undo history: recorded changes in groups.
///
/// It only records; ``Undoing`` changes the objects.
struct UndoLog {
    /// The changes that are undone or redone together.
    struct Group {
        var name: String?
        var entries: [UndoEntry] = []
    }

    /// Whether entries are recorded for a new change, during an undo, or during a redo.
    private enum Direction {
        case recording, undoing, redoing
    }

    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    private var open = Group()
    private var depth = 0
    private var direction = Direction.recording
    /// The objects that groups without further use have inserted or deleted.
    private var dropped: [ManagedObject] = []
    /// Whether a save is running; its changes are recorded in the last group.
    private var isSaving = false

    var canUndo: Bool { !undoGroups.isEmpty || !open.entries.isEmpty }
    var canRedo: Bool { !redoGroups.isEmpty && open.entries.isEmpty }
    /// The names of the groups that can be undone, the next one first.
    var undoNames: [String?] { (open.entries.isEmpty ? [] : [open.name]) + undoGroups.reversed().map(\.name) }
    /// The names of the groups that can be redone, the next one first.
    var redoNames: [String?] { canRedo ? redoGroups.reversed().map(\.name) : [] }

    /// Records a change.
    mutating func record(_ entry: UndoEntry) {
        if isSaving {
            if !undoGroups.isEmpty { undoGroups[undoGroups.count - 1].entries.append(entry) }
            return
        }
        if direction == .recording, !redoGroups.isEmpty {
            dropped += Self.objects(of: redoGroups)
            redoGroups = []
        }
        open.entries.append(entry)
    }

    /// Opens a group; a nested group is part of the outer one.
    mutating func beginGroup(_ name: String?) {
        if depth == 0 {
            closeGroup()
            open.name = name
        }
        depth += 1
    }

    mutating func endGroup() {
        depth = max(0, depth - 1)
        if depth == 0 { closeGroup() }
    }

    /// Closes the implicit group of changes outside of explicit groups.
    mutating func closeImplicitGroup() {
        if depth == 0 { closeGroup() }
    }

    private mutating func closeGroup() {
        defer { open = Group() }
        switch direction {
        case .recording: if !open.entries.isEmpty { undoGroups.append(open) }
        // An empty group is still a step, so that redo and undo stay in sync.
        case .redoing: undoGroups.append(open)
        case .undoing: redoGroups.append(open)
        }
    }

    /// Removes and returns the group to undo, and records the following entries for redo.
    mutating func beginUndo() -> Group? {
        depth = 0
        closeGroup()
        guard let group = undoGroups.popLast() else { return nil }
        direction = .undoing
        open.name = group.name
        return group
    }

    /// Removes and returns the group to redo, and records the following entries for undo.
    mutating func beginRedo() -> Group? {
        guard open.entries.isEmpty, let group = redoGroups.popLast() else { return nil }
        direction = .redoing
        open.name = group.name
        return group
    }

    /// Ends an undo or a redo.
    mutating func finish() {
        closeGroup()
        direction = .recording
    }

    /// Closes the implicit group; changes of hooks until the end of the save belong to it.
    mutating func beginSave() {
        closeImplicitGroup()
        isSaving = depth == 0
    }

    mutating func endSave() { isSaving = false }

    mutating func clear() {
        let objects = dropped + Self.objects(of: undoGroups + redoGroups + [open])
        self = UndoLog()
        dropped = objects
    }

    /// Removes and returns the detached objects that groups without further use have inserted or deleted, except for those of other groups.
    ///
    /// An object that is marked as deleted is returned later, when the deletion has been saved.
    mutating func removeDroppedObjects() -> [ManagedObject] {
        if dropped.isEmpty { return [] }
        defer { dropped = dropped.filter { $0.state == .deleted } }
        let needed = Set(Self.objects(of: undoGroups + redoGroups + [open]))
        return dropped.filter { $0.state == .detached && !needed.contains($0) }
    }

    private static func objects(of groups: [Group]) -> [ManagedObject] {
        groups.flatMap(\.entries).compactMap { entry in
            switch entry {
            case .inserted(let object), .deleted(let object): object
            default: nil
            }
        }
    }
}
