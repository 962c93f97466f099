/// An object that is notified of a graph's changes, in the graph's isolation, after a block, save, merge or undo.
protocol GraphFollower: AnyObject {
    /// Whether the follower failed to process changes and has to be notified again.
    var isBehind: Bool { get }
    /// Whether code in another isolation domain still receives results from the follower; the graph then keeps a strong reference to it.
    var isAwaited: Bool { get }
    /// The root entity of the objects that the follower examines one by one, as a position in the model; nil if there is none.
    var examinedRootIndex: Int? { get }
    /// Processes the changes since the last notification.
    func follow(_ notices: GraphChanges)
    /// Called when the context is deallocated.
    func graphDidClose()
}

extension GraphFollower {
    /// The default is nil: most followers examine only the objects that have changed.
    var examinedRootIndex: Int? { nil }
}

/// The followers of a graph and the changes that have not been reported to them.
struct GraphFollowers {
    private struct Entry {
        weak var follower: (any GraphFollower)?
        /// A strong reference while the follower is awaited.
        var awaited: (any GraphFollower)?
    }

    private struct WeakGraph {
        weak var graph: ObjectGraph?
    }

    private var entries: [Entry] = []
    private var children: [WeakGraph] = []
    /// The changes that have not been reported.
    var notices = GraphChanges()
    /// Whether followers are being notified.
    var isNotifying = false
    /// Whether the context is being saved, so that identifiers may still be reverted.
    var isSaving = false
    /// Schedules, from any thread, a merge of the store's changes and a notification in the context's isolation; nil if that is impossible.
    var wake: (@Sendable () -> Void)?
    /// Whether changes can be made outside of blocks, so that ``wake`` has to schedule the notification.
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

    /// The followers that still exist.
    var existing: [any GraphFollower] { entries.compactMap(\.follower) }

    /// Retains the awaited followers and releases the others.
    mutating func retainAwaited() {
        for index in entries.indices {
            let follower = entries[index].follower
            entries[index].awaited = follower?.isAwaited == true ? follower : nil
        }
    }

    /// The graphs of child contexts.
    var childGraphs: [ObjectGraph] { children.compactMap(\.graph) }
}
