extension ChangeMerging {
    /// Turns changed objects into faults, and unloads relationships that may have them as members.
    ///
    /// - Parameters:
    ///   - objects: The changed objects that are registered.
    ///   - ids: The identifiers of all inserted and updated objects.
    func forget(_ objects: [ManagedObject], of ids: [ObjectID]) throws {
        let refreshing = Refreshing(graph: graph)
        for object in objects where object.state != .inserted && object.state != .detached {
            if object.hasChanges {
                graph.unmerged.insert(object)
                continue
            }
            refreshing.unload(object)
            if object.row >= 0 { graph.refault(object) }
            graph.didChangeAll(object)
        }
        let roots = Set(try ids.map { try graph.rootIndex(of: $0) })
        for owner in graph.identities.all where hasLoadedMembers(owner, of: roots) {
            refreshing.unload(owner)
            graph.didChangeAll(owner)
        }
    }

    /// Whether an object has a loaded to-many relationship whose destination is in one of the given inheritance trees.
    private func hasLoadedMembers(_ owner: ManagedObject, of roots: Set<Int>) -> Bool {
        guard let overlay = owner.overlay else { return false }
        return owner.entity.properties.contains { property in
            guard let relationship = property.relationship,
                case .collection(let state) = overlay.slots[property.slot], state.isLoaded
            else { return false }
            return roots.contains(graph.model.layouts[relationship.destinationIndex].rootIndex)
        }
    }
}
