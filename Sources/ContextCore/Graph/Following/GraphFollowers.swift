/// Whoever wants to know what changes in a graph, in its own isolation and at quiet moments.
protocol GraphFollower: AnyObject {
    /// Whether it could not look at something, and has to be told again.
    var isBehind: Bool { get }
    /// Whether it is waited for somewhere else, so that it must stay though nobody here holds it.
    var isAwaited: Bool { get }
    /// The inheritance tree whose changed objects it looks at one by one, by its root's position in the model; nil where there is none.
    var listedRoot: Int? { get }
    /// Looks at what has changed since it was last told.
    func follow(_ notices: GraphNotices)
    /// Hears that the context has gone away.
    func graphDidClose()
}

extension GraphFollower {
    /// Most look at no objects beside those that they are told of.
    var listedRoot: Int? { nil }
}

/// Who follows a graph, and what they have not been told yet.
struct GraphFollowers {
    private struct Entry {
        weak var follower: (any GraphFollower)?
        /// The same, as long as it is awaited.
        var awaited: (any GraphFollower)?
    }

    private struct WeakGraph {
        weak var graph: ObjectGraph?
    }

    private var entries: [Entry] = []
    private var children: [WeakGraph] = []
    /// What has not been told yet.
    var notices = GraphNotices()
    /// Whether they are being told something.
    var isTelling = false
    /// Whether the context is being saved: identifiers may be taken back yet.
    var isSaving = false
    /// Asks, from any thread, that the context's isolation looks at what has changed; nil where nobody could.
    var wake: (@Sendable () -> Void)?
    /// Whether changes are made outside of blocks, so that nothing but ``wake`` says when they are done.
    var wakesOnChange = false

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ follower: any GraphFollower) { entries.append(Entry(follower: follower)) }

    mutating func remove(_ follower: any GraphFollower) {
        entries.removeAll { $0.follower == nil || $0.follower === follower }
    }

    mutating func add(child: ObjectGraph) {
        children.removeAll { $0.graph == nil }
        children.append(WeakGraph(graph: child))
    }

    /// The followers that are there.
    var present: [any GraphFollower] { entries.compactMap(\.follower) }

    /// Keeps those that are awaited, and no others.
    mutating func keepAwaited() {
        for index in entries.indices {
            let follower = entries[index].follower
            entries[index].awaited = follower?.isAwaited == true ? follower : nil
        }
    }

    /// The graphs of child contexts.
    var nested: [ObjectGraph] { children.compactMap(\.graph) }
}
