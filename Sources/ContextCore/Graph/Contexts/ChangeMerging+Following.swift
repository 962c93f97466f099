extension ChangeMerging {
    /// Lets objects follow the store that could not when others had changed or deleted them.
    func catchUp() throws {
        if graph.unmerged.isEmpty, graph.contested.isEmpty { return }
        let due = graph.unmerged.union(graph.contested.filter { !$0.hasChanges })
        if due.isEmpty { return }
        graph.contested.subtract(due)
        graph.unmerged = []
        do {
            let gone = try follow(Array(due), staying: [])
            for object in gone where object.state == .unchanged { graph.lose(object) }
            try follow([], staying: Set(gone.filter(\.hasChanges)))
        } catch {
            graph.unmerged.formUnion(due)
            throw error
        }
        graph.pruneChanges()
    }

    /// Gives objects the rows that the parent has now, under what is pending in them.
    ///
    /// - Parameter staying: Objects with pending changes that others have deleted.
    /// - Returns: Those that have no row any more.
    @discardableResult
    func follow(_ objects: [ManagedObject], staying: Set<ManagedObject>) throws -> [ManagedObject] {
        var rebasing = Rebasing(graph: graph, staying: staying)
        var gone: [ManagedObject] = []
        // Links have no versions: pending ones are laid over what the store has.
        for object in objects where hasRow(object) { Refreshing(graph: graph).unload(object) }
        let loaded = Dictionary(
            grouping: objects.filter { hasRow($0) && $0.row >= 0 || $0.state == .inserted }, by: \.rootIndex)
        for (rootIndex, objects) in loaded.sorted(by: { $0.key < $1.key }) {
            let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
            var rows: [Int64: Int32] = [:]
            for row in 0..<group.batch.count { rows[group.batch.key(at: row)] = Int32(row) }
            for object in objects {
                guard let row = rows[object.key] else {
                    if object.state != .inserted { gone.append(object) }
                    continue
                }
                try follow(object, group, row, &rebasing)
            }
        }
        try rebasing.settle()
        for object in staying { try stay(object) }
        return gone
    }

    private func hasRow(_ object: ManagedObject) -> Bool {
        object.state != .inserted && object.state != .detached
    }

    private func follow(
        _ object: ManagedObject, _ group: RowGroup, _ row: Int32, _ rebasing: inout Rebasing
    ) throws {
        if object.state == .deleted, group.batch.version(at: Int(row)) != graph.version(of: object) {
            graph.contested.insert(object)
            return
        }
        let contested = rebasing.contested(in: object, group.batch, Int(row))
        if !contested.isEmpty { graph.contested.insert(object) }
        // What was never loaded can't be kept beside a newer row.
        if contested.contains(where: { graph.isDeferred($0, inRowOf: object) }) { return }
        try rebasing.rebase(object, group, row, keeping: contested)
    }

    /// Lets an object that others have deleted go on referring to what is there, which refers back to it.
    private func stay(_ object: ManagedObject) throws {
        graph.contested.insert(object)
        guard object.isKept, object.row >= 0 else { return }
        Refreshing(graph: graph).unload(object)
        let ends = RelationshipEnds(graph: graph)
        try graph.withoutUndo {
            for property in object.entity.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany,
                    let inverse = relationship.inverseSlot,
                    object.overlay?.slots[property.slot].isDirty != true,
                    let target = graph.rawTarget(of: object, slot: property.slot)
                else { continue }
                let rival = relationship.isOneToOne ? graph.rawTarget(of: target, slot: inverse) : nil
                if let rival, rival !== object {
                    ends.point(object, property.slot, at: nil)
                } else if try isThere(target) {
                    if relationship.isOneToOne {
                        ends.point(target, inverse, at: object)
                    } else {
                        let state = graph.collection(of: target, slot: inverse)
                        ends.changing(target, inverse) { state.renew(object) }
                    }
                } else {
                    ends.point(object, property.slot, at: nil)
                }
            }
        }
    }

    private func isThere(_ object: ManagedObject) throws -> Bool {
        guard object.isKept, object.state == .unchanged else { return object.isKept }
        return try graph.parent.rows([object.key], entityIndex: object.rootIndex).count == 1
    }
}
