/// Frees objects that nothing holds but the two ends of many-to-many relationships.
///
/// A loaded to-many relationship holds its members. Of a many-to-many relationship that is loaded from both ends each
/// object holds the other, and reference counting would never free them. So from time to time one end of each pair
/// releases its members, if it is loaded and has no changes: an object that is held by nothing else dies. An end whose
/// members are all still registered gets them back, and shows what it showed; one that has lost a member is loaded
/// again when it is read next.
///
/// It costs what there is to look at, and is done when the number of registered objects with such ends has doubled.
struct PairCollection {
    /// How many objects there are at least before anything is done.
    static let least = 1000

    let graph: ObjectGraph

    /// An end that has released its members.
    private struct ReleasedEnd {
        let owner: Int64
        let rootIndex: Int
        let slot: Int
        let members: [Int64]
        let memberRootIndex: Int
    }

    /// The roots of inheritance trees whose objects may have such ends.
    static func roots(in layouts: [EntityLayout]) -> [Int] {
        Set(
            layouts.filter { layout in
                layout.properties.contains {
                    $0.relationship?.releasesMembers(in: layouts, slot: $0.slot) == true
                }
            }.map(\.rootIndex)
        ).sorted()
    }

    /// Frees them if there are many objects more than when that was done last.
    @inline(__always)
    func collectIfDue() {
        if !graph.model.pairedRoots.isEmpty { collectIfMany() }
    }

    @inline(never)
    private func collectIfMany() {
        if count < graph.pairLimit { return }
        collect()
        graph.pairLimit = max(Self.least, 2 * count)
    }

    /// How many objects may hold each other.
    private var count: Int {
        graph.model.pairedRoots.reduce(0) { $0 + graph.identities.count(rootIndex: $1) }
    }

    /// Frees them, unless to load a relationship again would be refused or warned of.
    func collect() {
        guard case .automatic = graph.faulting.mode else { return }
        for end in release() { restore(end) }
    }

    /// Lets one end of each relationship release its members; returns once those are dead that nothing else holds.
    private func release() -> [ReleasedEnd] {
        var ends: [ReleasedEnd] = []
        // Released together at the end, as an object's own `deinit` may do anything with others.
        var members: [Set<ManagedObject>] = []
        for rootIndex in graph.model.pairedRoots {
            for object in graph.identities.objects(rootIndex: rootIndex) where object.state == .unchanged {
                release(object, &ends, &members)
            }
        }
        return ends
    }

    private func release(
        _ object: ManagedObject, _ ends: inout [ReleasedEnd], _ released: inout [Set<ManagedObject>]
    ) {
        guard let overlay = object.overlay else { return }
        for slot in overlay.said {
            guard case .collection(let state) = overlay.slots[slot],
                let relationship = object.entity.properties[slot].relationship,
                relationship.releasesMembers(in: graph.model.layouts, slot: slot),
                isHeld(object, relationship, by: state), let members = state.release()
            else { continue }
            ends.append(
                ReleasedEnd(
                    owner: object.key, rootIndex: object.rootIndex, slot: slot, members: members.map(\.key),
                    memberRootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex))
            released.append(members)
        }
    }

    /// Whether a member of a relationship holds the owner in turn.
    private func isHeld(_ owner: ManagedObject, _ relationship: RelationshipLayout, by state: ToManyState)
        -> Bool
    {
        guard let inverse = relationship.inverseSlot else { return false }
        return state.members.contains { member in
            guard case .collection(let back)? = member.overlay?.slots[inverse] else { return false }
            return back.isLoaded && back.members.contains(owner)
        }
    }

    /// Gives an end its members back, or lets it be loaded again.
    private func restore(_ end: ReleasedEnd) {
        guard let owner = graph.identities.object(end.owner, rootIndex: end.rootIndex),
            case .collection(let state)? = owner.overlay?.slots[end.slot]
        else { return }
        let members = end.members.compactMap { graph.identities.object($0, rootIndex: end.memberRootIndex) }
        state.restore(members.count == end.members.count ? members : nil)
    }
}

extension RelationshipLayout {
    /// Whether this end of a relationship is the one that releases its members: of the two, the one that doesn't list
    /// the links.
    ///
    /// Where both ends are the same relationship, each object's does.
    func releasesMembers(in layouts: [EntityLayout], slot: Int) -> Bool {
        guard isManyToMany, !description.isOrdered else { return false }
        return inverseSlot == slot && destinationIndex == sourceIndex
            || !isListingEnd(in: layouts, slot: slot)
    }
}
