/// Validates objects against the rules of the model, and collects all failures.
struct ValidationStage {
    let graph: ObjectGraph

    func validate(_ work: SaveSelection) throws {
        var failures: [ValidationFailure] = []
        for kind in work.inserted { check(kind, { try $0.validateForInsert() }, &failures) }
        for kind in work.updated { check(kind, { try $0.validateForUpdate() }, &failures) }
        for kind in work.deleted { checkDeletions(kind, &failures) }
        try graph.throwDeferredError()
        if !failures.isEmpty { throw StoreError(breaking: failures) }
        try UniquenessCheck(graph: graph).check(work)
    }

    private func check(
        _ kind: SaveSelection.Kind, _ hook: (ManagedObject) throws -> Void,
        _ failures: inout [ValidationFailure]
    ) {
        let (entity, hasHooks) = (kind.entity, kind.entity.hasObjectClass)
        if entity.validatedProperties.isEmpty && !hasHooks { return }
        kind.objects.forEachUnretained { object in
            if !entity.quickChecks.accepts(object) { check(object, entity.validatedProperties, &failures) }
            if hasHooks { run(hook, object, &failures) }
        }
    }

    private func checkDeletions(_ kind: SaveSelection.Kind, _ failures: inout [ValidationFailure]) {
        let hasHooks = kind.entity.hasSaveHooks
        kind.objects.forEachUnretained { object in
            if kind.entity.hasDenyRule { checkDeletion(object, &failures) }
            if hasHooks { run({ try $0.validateForDelete() }, object, &failures) }
        }
    }

    private func check(
        _ object: ManagedObject, _ properties: [PropertyLayout], _ failures: inout [ValidationFailure]
    ) {
        let isNew = object.state == .inserted
        for property in properties where isNew || isChanged(object, property.slot) {
            let found = PropertyCheck(graph: graph).failures(of: object, property)
            // Appending an empty list would allocate too.
            if !found.isEmpty { failures += found }
        }
    }

    private func isChanged(_ object: ManagedObject, _ slot: Int) -> Bool {
        object.overlay?.slots[slot].isDirty ?? false
    }

    /// Checks that a deleted object's relationships with the delete rule `deny` are empty.
    private func checkDeletion(_ object: ManagedObject, _ failures: inout [ValidationFailure]) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.description.deleteRule == .deny
            else { continue }
            let remaining =
                relationship.description.isToMany
                ? graph.loadedCollection(of: object, slot: property.slot).members
                    .count { $0.isLive && refers($0, backTo: object, relationship) }
                : graph.target(of: object, slot: property.slot).map {
                    refers($0, backTo: object, relationship) ? 1 : 0
                } ?? 0
            if remaining > 0 {
                failures.append(denial(of: object, relationship, remaining))
            }
        }
    }

    private func denial(
        of object: ManagedObject, _ relationship: RelationshipLayout, _ count: Int
    ) -> ValidationFailure {
        let description = relationship.description
        let destination = description.destinationName
        var failure = object.failure(
            description.name, "must be \(description.isToMany ? "empty" : "nil") before a deletion",
            count.counted("object", "objects"))
        failure.objectStatement =
            "can't be deleted: \(count.counted("\(destination) object", "\(destination) objects")) still "
            + "\(count == 1 ? "refers" : "refer") to it (\(description.name))"
        return failure
    }

    /// Whether an object still references a deleted object; it may have been moved to another owner since.
    private func refers(
        _ member: ManagedObject, backTo object: ManagedObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard let inverse = relationship.inverseSlot, !relationship.inverseIsToMany else { return true }
        return graph.rawTarget(of: member, slot: inverse) === object
    }

    private func run(
        _ hook: (ManagedObject) throws -> Void, _ object: ManagedObject,
        _ failures: inout [ValidationFailure]
    ) {
        do {
            try hook(object)
        } catch let error as ValidationFailure {
            failures.append(error)
        } catch let error as StoreError where error.code == .validation {
            failures +=
                error.failures.isEmpty ? [object.failure(nil, error.message, nil)] : error.failures
        } catch {
            failures.append(object.failure(nil, String(describing: error), nil))
        }
    }
}
