import ContextCore

/// Describes what a save did, from the change set that the store has applied.
struct ChangeEffects {
    private let request: ChangeRequest
    private let objects: [Int: ManagedObject]
    private let context: ObjectContext
    private let changes: [ChangeSet]
    private let trace: DeletionTrace
    /// The index of the requested change of each object.
    private let requested: [DeletionTrace.Address: Int]

    /// - Parameter objects: The objects of the changes, by their index.
    init(request: ChangeRequest, objects: [Int: ManagedObject], context: ObjectContext) {
        (self.request, self.objects, self.context) = (request, objects, context)
        changes = context.appliedChanges
        trace = context.deletionTrace
        var requested: [DeletionTrace.Address: Int] = [:]
        for (index, object) in objects {
            requested[
                .init(rootIndex: object.entityLayout.rootIndex, key: object.objectID.key)] = index
        }
        self.requested = requested
    }

    private var model: ObjectModel { context.model }

    func describe(in outcome: inout ChangeOutcome) {
        describeInsertions(in: &outcome)
        let deleted = describeDeletions(in: &outcome)
        describeUpdates(in: &outcome, except: deleted)
        describeNullifications(in: &outcome, except: deleted)
    }

    private func address(_ key: Int64, _ entityIndex: Int) -> DeletionTrace.Address {
        DeletionTrace.Address(rootIndex: model.layouts[entityIndex].rootIndex, key: key)
    }

    private func name(_ key: Int64, _ entityIndex: Int) -> String {
        "\(model.layouts[entityIndex].name):\(key)"
    }

    /// Returns the elements of requested changes in their order, followed by a limited number of others.
    private func limited<Element>(_ elements: [(change: Int?, element: Element)]) -> [Element] {
        let own = elements.filter { $0.change != nil }.sorted { ($0.change ?? 0) < ($1.change ?? 0) }
        return own.map(\.element)
            + elements.lazy.filter { $0.change == nil }.prefix(ChangeOutcome.listLimit).map(\.element)
    }

    private func describeInsertions(in outcome: inout ChangeOutcome) {
        var insertions: [(change: Int?, element: ChangeOutcome.Insertion)] = []
        for group in changes.flatMap(\.inserts) {
            for row in 0..<group.rows.count {
                let key = group.rows.key(at: row)
                let index = requested[address(key, group.entityIndex)]
                insertions.append(
                    (
                        index,
                        ChangeOutcome.Insertion(
                            name: index.flatMap { request.changes[$0].name },
                            entityName: model.layouts[group.entityIndex].name, key: key,
                            version: group.rows.version(at: row))
                    ))
            }
        }
        outcome.counts.inserted = insertions.count
        outcome.inserted = limited(insertions)
    }

    /// Returns the deleted objects.
    private func describeDeletions(in outcome: inout ChangeOutcome) -> Set<DeletionTrace.Address> {
        var deleted: Set<DeletionTrace.Address> = []
        var deletions: [(change: Int?, element: ChangeOutcome.Deletion)] = []
        for group in changes.flatMap(\.deletes) {
            for key in group.keys {
                let address = address(key, group.entityIndex)
                deleted.insert(address)
                let index = requested[address].flatMap { request.changes[$0].action == .delete ? $0 : nil }
                let cause = trace.causes[address].map { "cascade of \(name($0.key, $0.entityIndex))" }
                deletions.append(
                    (
                        index,
                        ChangeOutcome.Deletion(
                            object: name(key, group.entityIndex),
                            cause: index == nil ? cause ?? "cascade" : nil)
                    ))
            }
        }
        outcome.counts.deleted = deletions.count
        outcome.deleted = limited(deletions)
        return deleted
    }

    // MARK: Updates

    private struct Update {
        let entityIndex: Int
        var version: Int64?
        var properties: Set<String> = []
    }

    private func describeUpdates(
        in outcome: inout ChangeOutcome, except deleted: Set<DeletionTrace.Address>
    ) {
        var updates: [DeletionTrace.Address: Update] = [:]
        addRows(to: &updates)
        addLinks(to: &updates)
        for group in changes.flatMap(\.inserts) {
            for row in 0..<group.rows.count {
                updates[address(group.rows.key(at: row), group.entityIndex)] = nil
            }
        }
        // An update that sets the stored values again is listed too, without properties.
        for (index, object) in objects where request.changes[index].action == .update {
            let entity = object.entityLayout
            let address = address(object.objectID.key, entity.index)
            updates[address, default: Update(entityIndex: entity.index)].version = context.version(of: object)
        }
        let kept = updates.filter { !deleted.contains($0.key) }
            .sorted { ($0.key.rootIndex, $0.key.key) < ($1.key.rootIndex, $1.key.key) }
        outcome.counts.updated = kept.count
        outcome.updated = limited(
            kept.map { address, update in
                let index = requested[address]
                return (
                    index,
                    ChangeOutcome.Update(
                        object: name(address.key, update.entityIndex), version: update.version,
                        properties: update.properties.sorted())
                )
            })
    }

    private func addRows(to updates: inout [DeletionTrace.Address: Update]) {
        for group in changes.flatMap(\.updates) {
            let entity = model.layouts[group.entityIndex]
            let names = entity.properties.filter { property in
                property.columns.contains(where: group.columns.contains)
            }.map(\.name)
            for row in 0..<group.rows.count {
                let address = address(group.rows.key(at: row), group.entityIndex)
                updates[address, default: Update(entityIndex: group.entityIndex)].version =
                    group.rows.version(at: row)
                updates[address]?.properties.formUnion(names)
            }
        }
    }

    /// Adds the owners of changed links and positions, and the targets of changed links.
    private func addLinks(to updates: inout [DeletionTrace.Address: Update]) {
        for group in changes.flatMap(\.links) {
            let property = model.layouts[group.entityIndex].properties[group.slot]
            guard let relationship = property.relationship else { continue }
            let inverse = relationship.isManyToMany ? relationship.description.inverseName : nil
            for link in group.placed + group.moved + group.removed {
                add(property.name, to: link.owner, group.entityIndex, &updates)
                if let inverse { add(inverse, to: link.target, relationship.destinationIndex, &updates) }
            }
        }
    }

    private func add(
        _ property: String, to key: Int64, _ entityIndex: Int,
        _ updates: inout [DeletionTrace.Address: Update]
    ) {
        let address = address(key, entityIndex)
        // The entity of a requested object may be a subentity, so it is read from the object.
        let entity = requested[address].flatMap { objects[$0]?.entityLayout.index } ?? entityIndex
        updates[address, default: Update(entityIndex: entity)].properties.insert(property)
    }

    // MARK: Cleared references

    private func describeNullifications(
        in outcome: inout ChangeOutcome, except deleted: Set<DeletionTrace.Address>
    ) {
        let cleared = trace.nullifications.filter { one in
            one.key > 0 && !deleted.contains(address(one.key, one.entityIndex))
        }
        outcome.counts.nullified = cleared.count
        outcome.nullified = cleared.prefix(ChangeOutcome.listLimit).map { one in
            ChangeOutcome.Nullification(
                object: name(one.key, one.entityIndex),
                property: model.layouts[one.entityIndex].properties[one.slot].name,
                cause: "deletion of \(name(one.cause.key, one.cause.entityIndex))")
        }
    }
}
