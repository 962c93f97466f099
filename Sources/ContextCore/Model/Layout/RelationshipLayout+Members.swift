extension RelationshipLayout {
    /// Whether this end of a relationship releases its members: the end that doesn't list the links.
    ///
    /// If both ends are the same relationship, the relationship of each object does.
    func releasesMembers(in layouts: [EntityLayout], slot: Int) -> Bool {
        guard isManyToMany, !description.isOrdered else { return false }
        return inverseSlot == slot && destinationIndex == sourceIndex
            || !isLinkOwner(in: layouts, slot: slot)
    }
}

extension ObjectModel {
    /// Returns the root entities of the inheritance trees whose objects can retain each other in cycles, through loaded to-many
    /// relationships.
    static func memberReleasingRoots(in layouts: [EntityLayout]) -> [Int] {
        var destinations: [Int: Set<Int>] = [:]
        var cyclic: Set<Int> = []
        var trees: [Int: Set<[Int]>] = [:]
        for layout in layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.description.isToMany else {
                    continue
                }
                let destination = layouts[relationship.destinationIndex].rootIndex
                if destination != layout.rootIndex {
                    destinations[layout.rootIndex, default: []].insert(destination)
                } else if relationship.isManyToMany {
                    cyclic.insert(layout.rootIndex)
                } else {
                    trees[layout.rootIndex, default: []].insert([relationship.sourceIndex, property.slot])
                }
            }
        }
        // The objects of one relationship to the own entity are a tree.
        cyclic.formUnion(trees.filter { $0.value.count > 1 }.keys)
        cyclic.formUnion(destinations.keys.filter { reaches($0, from: $0, by: destinations) })
        return cyclic.sorted()
    }

    private static func reaches(_ root: Int, from start: Int, by destinations: [Int: Set<Int>]) -> Bool {
        var (seen, next) = (Set<Int>(), Array(destinations[start] ?? []))
        while let current = next.popLast() {
            if current == root { return true }
            if seen.insert(current).inserted { next += destinations[current] ?? [] }
        }
        return false
    }
}
