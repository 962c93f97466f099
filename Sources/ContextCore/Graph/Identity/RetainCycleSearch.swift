/// Finds loaded to-many relationships whose release leaves no cycle of objects that retain each other.
///
/// A depth-first search follows the members of loaded relationships. A relationship with a member that is on the way to its owner closes
/// a cycle.
struct RetainCycleSearch {
    /// A loaded relationship of an object.
    struct End {
        let owner: ManagedObject
        let slot: Int
        let state: ToManyState
    }

    /// A member, and the relationship that retains it.
    private struct Edge {
        let end: Int
        let member: Int
    }

    /// An object on the way, and the edges that weren't followed yet.
    private struct Step {
        let object: Int
        var edges: ArraySlice<Edge>
    }

    private enum Progress {
        case unvisited, onTheWay, done
    }

    private var ends: [End] = []
    private var edges: [[Edge]] = []
    private var progress: [Progress] = []
    /// The indices of the relationships that close cycles.
    private var closing: Set<Int> = []

    /// - Parameter excluded: The relationships that don't count, because they are released already.
    init(_ objects: [ManagedObject], excluding excluded: [ToManyState]) {
        let indices = Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($1, $0) })
        let excluded = Set(excluded.map(ObjectIdentifier.init))
        progress = Array(repeating: .unvisited, count: objects.count)
        for owner in objects {
            var ownEdges: [Edge] = []
            if let overlay = owner.overlay {
                for slot in overlay.occupied {
                    guard case .collection(let state) = overlay.slots[slot], state.isLoaded,
                        !excluded.contains(ObjectIdentifier(state))
                    else { continue }
                    ownEdges += state.members.compactMap { indices[$0] }.map {
                        Edge(end: ends.count, member: $0)
                    }
                    // Detached members don't belong to it any more, and may retain its owner.
                    if state.members.contains(where: { $0.state == .detached }) { closing.insert(ends.count) }
                    ends.append(End(owner: owner, slot: slot, state: state))
                }
            }
            edges.append(ownEdges)
        }
    }

    /// Returns the relationships that close cycles.
    mutating func closingEnds() -> [End] {
        for start in edges.indices where progress[start] == .unvisited { search(from: start) }
        return closing.sorted().map { ends[$0] }
    }

    /// Follows all edges from an object, without recursion, because the way may be as long as there are objects.
    private mutating func search(from start: Int) {
        progress[start] = .onTheWay
        var way = [Step(object: start, edges: edges[start][...])]
        while let last = way.indices.last {
            guard let edge = way[last].edges.popFirst() else {
                progress[way.removeLast().object] = .done
                continue
            }
            switch progress[edge.member] {
            case .onTheWay: closing.insert(edge.end)
            case .done: break
            case .unvisited:
                progress[edge.member] = .onTheWay
                way.append(Step(object: edge.member, edges: edges[edge.member][...]))
            }
        }
    }
}
