/// The world of a context before each of its undo groups; nil if other contexts have changed its objects since.
struct GraphUndoHistory {
    private(set) var past: [GraphWorld?] = []
    private(set) var future: [GraphWorld?] = []

    /// Records the world before a new group.
    mutating func append(_ world: GraphWorld?) {
        past.append(world)
        future = []
    }

    /// Removes the last undo group, and returns the world that its undo restores; nil if unknown.
    ///
    /// Then the result of its redo is unknown too: a redone deletion also deletes what other contexts have linked to the object since.
    mutating func undo(from world: GraphWorld) -> GraphWorld? {
        guard let previous = past.popLast() else { return nil }
        future.append(previous == nil ? nil : world)
        return previous
    }

    /// Removes the next redo group, and returns the world that its redo restores; nil if unknown.
    mutating func redo(from world: GraphWorld) -> GraphWorld? {
        guard let next = future.popLast() else { return nil }
        past.append(world)
        return next
    }

    /// Whether the world that the next undo restores is known.
    var leadsBack: Bool { past.last.map { $0 != nil } ?? false }

    /// Makes the worlds of all groups unknown, since another context has changed objects.
    mutating func invalidate() {
        past = past.map { _ in nil }
        future = future.map { _ in nil }
    }

    mutating func clear() { self = GraphUndoHistory() }
}
