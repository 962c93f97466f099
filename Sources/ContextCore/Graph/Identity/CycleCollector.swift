/// Frees objects that are only retained by reference cycles through to-many relationships.
///
/// A loaded to-many relationship retains its members. If a many-to-many relationship and its inverse are loaded, the objects retain each
/// other, and reference counting never frees them; so do objects in a cycle of different relationships. A collection releases the members
/// of one relationship of each cycle, if it is loaded and has no changes, which frees objects without other references. If all released
/// members are still registered, the relationship gets them back; otherwise it is loaded again on next access.
///
/// The cost is proportional to the number of registered objects with such relationships and of their members; a collection runs when the
/// number of objects has doubled.
struct CycleCollector {
    /// The minimum number of objects for a collection.
    static let minimumObjectCount = 1000

    let graph: ObjectGraph

    /// A relationship of an object that has released its members.
    private struct ReleasedMembers {
        let owner: Int64
        let rootIndex: Int
        let slot: Int
        let members: [Int64]
        /// The position of each member in an ordered relationship.
        let positions: [Int64?]
        let memberRootIndex: Int
    }

    /// Collects if the number of objects has doubled since the last collection.
    @inline(__always)
    func collectIfDue() {
        if !graph.model.memberReleasingRoots.isEmpty { collectIfCountExceedsLimit() }
    }

    @inline(never)
    private func collectIfCountExceedsLimit() {
        if count < graph.collectionThreshold { return }
        collect()
        graph.collectionThreshold = max(Self.minimumObjectCount, 2 * count)
    }

    /// The number of objects that may retain each other.
    private var count: Int {
        graph.model.memberReleasingRoots.reduce(0) { $0 + graph.identities.count(rootIndex: $1) }
    }

    /// Frees the objects, if the faulting policy allows loading relationships again without a warning.
    func collect() {
        guard case .automatic = graph.faulting.mode else { return }
        for end in release() { restore(end) }
    }

    /// Releases the members of one of each pair of relationships, and so frees objects without other references before
    /// it returns.
    private func release() -> [ReleasedMembers] {
        let objects = graph.model.memberReleasingRoots.flatMap { rootIndex in
            graph.identities.objects(rootIndex: rootIndex).filter { $0.state == .unchanged }
        }
        let pairs = objects.flatMap(retainedEnds)
        var search = RetainCycleSearch(objects, excluding: pairs.map(\.state))
        let ends = pairs + search.closingEnds()
        // Released together at the end, since the `deinit` of an object may access others.
        var released: [[ToManyState.Member]] = []
        return ends.compactMap { end in
            guard let members = end.state.release(),
                let relationship = end.owner.entity.properties[end.slot].relationship
            else { return nil }
            released.append(members)
            return ReleasedMembers(
                owner: end.owner.key, rootIndex: end.owner.rootIndex, slot: end.slot,
                members: members.map(\.object.key), positions: members.map(\.position),
                memberRootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex)
        }
    }

    /// Returns the many-to-many relationships of an object whose members also retain it, one of each pair of inverses.
    private func retainedEnds(of object: ManagedObject) -> [RetainCycleSearch.End] {
        guard let overlay = object.overlay else { return [] }
        return overlay.occupied.compactMap { slot in
            guard case .collection(let state) = overlay.slots[slot],
                let relationship = object.entity.properties[slot].relationship,
                relationship.releasesMembers(in: graph.model.layouts, slot: slot),
                isRetained(object, relationship, by: state)
            else { return nil }
            return RetainCycleSearch.End(owner: object, slot: slot, state: state)
        }
    }

    /// Whether a member of a relationship also retains the owner.
    private func isRetained(_ owner: ManagedObject, _ relationship: RelationshipLayout, by state: ToManyState)
        -> Bool
    {
        guard let inverse = relationship.inverseSlot else { return false }
        return state.members.contains { member in
            guard case .collection(let back)? = member.overlay?.slots[inverse] else { return false }
            return back.isLoaded && back.members.contains(owner)
        }
    }

    /// Restores the members of a relationship, or unloads it if some members were freed.
    private func restore(_ end: ReleasedMembers) {
        guard let owner = graph.identities.object(end.owner, rootIndex: end.rootIndex),
            case .collection(let state)? = owner.overlay?.slots[end.slot]
        else { return }
        let members = zip(end.members, end.positions).compactMap { key, position in
            graph.identities.object(key, rootIndex: end.memberRootIndex).map {
                ToManyState.Member(object: $0, position: position)
            }
        }
        state.restore(members.count == end.members.count ? members : nil)
    }
}
