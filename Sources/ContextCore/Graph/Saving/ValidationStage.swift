/// Checks objects against the rules of their model, and collects every failure there is.
struct ValidationStage {
    let graph: ObjectGraph

    func validate(_ work: SaveWork) throws {
        var failures: [ValidationFailure] = []
        for kind in work.inserted { check(kind, { try $0.validateForInsert() }, &failures) }
        for kind in work.updated { check(kind, { try $0.validateForUpdate() }, &failures) }
        for kind in work.deleted { checkDeletions(kind, &failures) }
        try graph.throwDeferredError()
        if !failures.isEmpty {
            throw StoreError(
                .validation,
                failures.count == 1 ? "An object can't be saved." : "\(failures.count) rules are broken.",
                failures: failures)
        }
        try UniquenessCheck(graph: graph).check(work)
    }

    private func check(
        _ kind: SaveWork.Kind, _ hook: (ManagedObject) throws -> Void,
        _ failures: inout [ValidationFailure]
    ) {
        let properties = kind.entity.properties.filter(\.hasRules)
        let hasHooks = kind.entity.hasObjectClass
        if properties.isEmpty && !hasHooks { return }
        for object in kind.objects {
            if !properties.isEmpty { check(object, properties, &failures) }
            if hasHooks { run(hook, object, &failures) }
        }
    }

    private func checkDeletions(_ kind: SaveWork.Kind, _ failures: inout [ValidationFailure]) {
        let hasHooks = kind.entity.hasObjectClass
        for object in kind.objects {
            if kind.entity.hasDenyRule { checkDeletion(object, &failures) }
            if hasHooks { run({ try $0.validateForDelete() }, object, &failures) }
        }
    }

    private func check(
        _ object: ManagedObject, _ properties: [PropertyLayout], _ failures: inout [ValidationFailure]
    ) {
        let isNew = object.state == .inserted
        for property in properties {
            switch property.kind {
            case .attribute:
                guard isNew || isChanged(object, property.slot), let validation = property.validation else {
                    continue
                }
                for broken in validation.failures(of: graph.currentRawValue(of: object, property)) {
                    let name = broken.part.map { "\(property.name).\($0)" } ?? property.name
                    failures.append(failure(object, name, broken.message, nil))
                }
            case .relationship(let relationship):
                check(relationship.description, property.slot, object, &failures)
            }
        }
    }

    private func isChanged(_ object: ManagedObject, _ slot: Int) -> Bool {
        object.overlay?.slots[slot].isDirty ?? false
    }

    private func check(
        _ description: RelationshipDescription, _ slot: Int, _ object: ManagedObject,
        _ failures: inout [ValidationFailure]
    ) {
        if !description.isToMany {
            guard !description.isOptional, object.state == .inserted || isChanged(object, slot) else {
                return
            }
            if graph.target(of: object, slot: slot) == nil {
                failures.append(failure(object, description.name, "is required", "nothing"))
            }
            return
        }
        guard description.minimumCount != nil || description.maximumCount != nil else { return }
        guard object.state == .inserted || isChanged(object, slot) else { return }
        let count = graph.loadedCollection(of: object, slot: slot).members.count(where: \.isKept)
        if let least = description.minimumCount, count < least {
            failures.append(failure(object, description.name, "must lead to at least \(least)", "\(count)"))
        }
        if let most = description.maximumCount, count > most {
            failures.append(failure(object, description.name, "may lead to at most \(most)", "\(count)"))
        }
    }

    /// A deny rule keeps an object from being deleted while there is anybody left at the other end.
    private func checkDeletion(_ object: ManagedObject, _ failures: inout [ValidationFailure]) {
        for property in object.entity.properties {
            guard let relationship = property.relationship, relationship.description.deleteRule == .deny
            else { continue }
            let remaining =
                relationship.description.isToMany
                ? graph.loadedCollection(of: object, slot: property.slot).members
                    .count { $0.isKept && leads($0, backTo: object, relationship) }
                : graph.target(of: object, slot: property.slot).map {
                    leads($0, backTo: object, relationship) ? 1 : 0
                } ?? 0
            if remaining > 0 {
                failures.append(
                    failure(object, property.name, "denies the deletion", "\(remaining) at the other end"))
            }
        }
    }

    /// Whether somebody still leads to a deleted object, which keeps what it had: he may have been moved elsewhere since.
    private func leads(
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
            failures += error.failures
        } catch {
            failures.append(
                ValidationFailure(
                    objectID: object.objectID, entityName: object.entity.name, rule: String(describing: error)
                ))
        }
    }

    private func failure(_ object: ManagedObject, _ property: String, _ rule: String, _ kind: String?)
        -> ValidationFailure
    {
        ValidationFailure(
            objectID: object.objectID, entityName: object.entity.name, property: property, rule: rule,
            valueKind: kind)
    }
}

extension PropertyLayout {
    /// Whether there is anything that its value could break.
    fileprivate var hasRules: Bool {
        guard let description = relationship?.description else { return validation != nil }
        if !description.isToMany { return !description.isOptional }
        return description.minimumCount != nil || description.maximumCount != nil
    }
}
