/// Frees objects that are only retained by reference cycles through many-to-many relationships.
///
/// A loaded to-many relationship retains its members. If a many-to-many relationship and its inverse are loaded, the
/// objects retain each other, and reference counting never frees them. A collection releases the members of one of the
/// two relationships, if it is loaded and has no changes, which frees objects without other references. If all released
/// members are still registered, the relationship gets them back; otherwise it is loaded again on next access.
///
/// The cost is proportional to the number of registered objects with such relationships; a collection runs when that
/// number has doubled.
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
        var ends: [ReleasedMembers] = []
        // Released together at the end, since the `deinit` of an object may access others.
        var members: [Set<ManagedObject>] = []
        for rootIndex in graph.model.memberReleasingRoots {
            for object in graph.identities.objects(rootIndex: rootIndex) where object.state == .unchanged {
                release(object, &ends, &members)
            }
        }
        return ends
    }

    private func release(
        _ object: ManagedObject, _ ends: inout [ReleasedMembers], _ released: inout [Set<ManagedObject>]
    ) {
        guard let overlay = object.overlay else { return }
        for slot in overlay.occupied {
            guard case .collection(let state) = overlay.slots[slot],
                let relationship = object.entity.properties[slot].relationship,
                relationship.releasesMembers(in: graph.model.layouts, slot: slot),
                isRetained(object, relationship, by: state), let members = state.release()
            else { continue }
            ends.append(
                ReleasedMembers(
                    owner: object.key, rootIndex: object.rootIndex, slot: slot, members: members.map(\.key),
                    memberRootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex))
            released.append(members)
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
        let members = end.members.compactMap { graph.identities.object($0, rootIndex: end.memberRootIndex) }
        state.restore(members.count == end.members.count ? members : nil)
    }
}
