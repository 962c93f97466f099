/// Notes what was, in groups, so that it can be again.
///
/// Pure bookkeeping: it changes no object.
struct UndoLog {
    /// What is undone or redone in one go.
    struct Group {
        var name: String?
        var entries: [UndoEntry] = []
    }

    /// Where entries go at the moment.
    private enum Direction {
        case doing, undoing, redoing
    }

    private var past: [Group] = []
    private var future: [Group] = []
    private var open = Group()
    private var depth = 0
    private var direction = Direction.doing
    /// Whether a save is being prepared, whose changes belong to what was done last.
    private var isSaving = false

    var canUndo: Bool { !past.isEmpty || !open.entries.isEmpty }
    var canRedo: Bool { !future.isEmpty && open.entries.isEmpty }
    /// The names of the groups that can be undone, the next one first.
    var undoNames: [String?] { (open.entries.isEmpty ? [] : [open.name]) + past.reversed().map(\.name) }

    /// Notes one thing.
    mutating func record(_ entry: UndoEntry) {
        if isSaving {
            if !past.isEmpty { past[past.count - 1].entries.append(entry) }
            return
        }
        if direction == .doing { future = [] }
        open.entries.append(entry)
    }

    /// Opens a group; a group inside another belongs to it.
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

    /// Ends a group that nobody opened by name: what was done in one go.
    mutating func closeLooseGroup() {
        if depth == 0 { closeGroup() }
    }

    private mutating func closeGroup() {
        defer { open = Group() }
        switch direction {
        case .doing: if !open.entries.isEmpty { past.append(open) }
        // What had no effect to be undone is still one step, or the next redo would be of another.
        case .redoing: past.append(open)
        case .undoing: future.append(open)
        }
    }

    /// Takes the group to be undone, and notes what follows as what can be redone.
    mutating func beginUndo() -> Group? {
        depth = 0
        closeGroup()
        guard let group = past.popLast() else { return nil }
        direction = .undoing
        open.name = group.name
        return group
    }

    /// Takes the group to be redone, and notes what follows as what can be undone.
    mutating func beginRedo() -> Group? {
        guard open.entries.isEmpty, let group = future.popLast() else { return nil }
        direction = .redoing
        open.name = group.name
        return group
    }

    /// Ends an undo or a redo.
    mutating func finish() {
        closeGroup()
        direction = .doing
    }

    /// Ends what was done in one go; what hooks change until the save is over belongs to it.
    mutating func beginSave() {
        closeLooseGroup()
        isSaving = depth == 0
    }

    mutating func endSave() { isSaving = false }

    mutating func clear() { self = UndoLog() }
}
