/// What a context held before each of its undo groups; nil where other contexts have changed what it holds since.
struct GraphUndoHistory {
    private(set) var past: [GraphWorld?] = []
    private(set) var future: [GraphWorld?] = []

    /// Records the world before a new group.
    mutating func append(_ world: GraphWorld?) {
        past.append(world)
        future = []
    }

    /// Takes the world that an undo leads back to; nil where it is not known.
    mutating func undo(from world: GraphWorld) -> GraphWorld? {
        guard let previous = past.popLast() else { return nil }
        future.append(world)
        return previous
    }

    /// Takes the world that a redo leads back to; nil where it is not known.
    mutating func redo(from world: GraphWorld) -> GraphWorld? {
        guard let next = future.popLast() else { return nil }
        past.append(world)
        return next
    }

    /// Whether it is known what the next undo leads back to.
    var leadsBack: Bool { past.last.map { $0 != nil } ?? false }

    /// Forgets what groups lead back to, as another context has changed something.
    mutating func invalidate() {
        past = past.map { _ in nil }
        future = future.map { _ in nil }
    }

    mutating func clear() { self = GraphUndoHistory() }
}
