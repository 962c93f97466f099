/// Changes objects so that their next try to be saved succeeds, as a merge policy says.
struct ConflictResolution {
    let graph: ObjectGraph
    let policy: MergePolicy

    /// What resolves one conflict, to be run once all can be; nil if the policy leaves it to the program.
    func resolution(of conflict: RowConflict) throws -> (() throws -> Void)? {
        let entity = graph.model.layouts[conflict.entityIndex]
        guard let object = graph.identities.object(conflict.key, rootIndex: entity.rootIndex) else {
            return nil
        }
        switch conflict.reason {
        case .duplicate, .missingReference, .denied: return nil
        case .deleted: return acceptDeletion(of: object)
        case .changed:
            let stored = try graph.parent.rows([conflict.key], entityIndex: entity.rootIndex)
            // What the store works out is worked out again by this save.
            if stored.count == 1, object.state == .updated, differsInDerivedAttributesAlone(object, stored) {
                return { try rebase(object, stored) }
            }
            guard policy.resolves(object.entity) else { return nil }
            if stored.count == 0 { return acceptDeletion(of: object) }
            return object.state == .deleted ? keepOrDelete(object, stored) : merge(object, stored)
        }
    }

    // MARK: Deleted in the store

    /// What is to be deleted and is gone already needs nothing more; what was changed goes too, or is inserted anew.
    private func acceptDeletion(of object: ManagedObject) -> (() throws -> Void)? {
        if object.state == .deleted { return { graph.lose(object) } }
        switch policy.rule(for: object.entity) {
        case .error, .custom: return nil
        case .storeWins, .rollback:
            return {
                Refreshing(graph: graph).revert(object)
                graph.lose(object)
            }
        case .objectWins, .overwrite:
            // What was never loaded went with the row.
            guard DeferredValueLoader(graph: graph).hasAllValues(of: object) else { return nil }
            return {
                Undoing(graph: graph).keepValues(of: object)
                object.state = .inserted
                try Reinsertion(graph: graph).followStore(object)
            }
        }
    }

    // MARK: Changed in the store

    /// Something that is to be deleted here was changed there.
    private func keepOrDelete(_ object: ManagedObject, _ stored: RowBatch) -> (() throws -> Void)? {
        switch policy.rule(for: object.entity) {
        case .error, .custom: return nil
        case .objectWins, .overwrite: return { try rebase(object, stored) }
        case .storeWins, .rollback:
            return {
                Refreshing(graph: graph).revert(object)
                try rebase(object, stored)
            }
        }
    }

    private func merge(_ object: ManagedObject, _ stored: RowBatch) -> (() throws -> Void)? {
        if case .rollback = policy.rule(for: object.entity) {
            return {
                Refreshing(graph: graph).revert(object)
                try rebase(object, stored)
            }
        }
        let choices = contested(object, stored).map { property, values in
            Choice(property: property, values: values, rule: policy.rule(for: object.entity, property.name))
        }
        if choices.contains(where: \.isLeftOpen) { return nil }
        // Rules for single properties don't say what becomes of an object in which others have changed something else.
        if choices.isEmpty, case .error = policy.rule(for: object.entity) { return nil }
        return {
            if case .overwrite = policy.rule(for: object.entity) { keepAll(object) }
            // The choices are made on what the store has: first its values, then what was decided.
            for choice in choices { yield(object, choice, stored) }
            try rebase(object, stored)
            for choice in choices { try decide(object, choice) }
        }
    }

    /// The properties that both sides changed, to different values.
    private func contested(
        _ object: ManagedObject, _ stored: RowBatch
    ) -> [(PropertyLayout, SaveConflict.Property)] {
        guard object.group != nil, let overlay = object.overlay else { return [] }
        let stored = RowGroup(stored)
        return object.entity.properties.compactMap { property in
            guard !property.columns.isEmpty, !property.isDerived, overlay.slots[property.slot].isDirty,
                !graph.holdsSame(property, of: object, as: stored, at: 0)
            else { return nil }
            let values = SaveConflict.Property(property, of: object, stored)
            return values.mine == values.theirs ? nil : (property, values)
        }
    }

    /// Whether nothing differs between the row that an object was changed from and the stored one but derived attributes.
    private func differsInDerivedAttributesAlone(_ object: ManagedObject, _ stored: RowBatch) -> Bool {
        guard object.group != nil, object.row >= 0 else { return false }
        let stored = RowGroup(stored)
        return object.entity.properties.allSatisfy { property in
            property.columns.isEmpty || property.isDerived
                || graph.holdsSame(property, of: object, as: stored, at: 0)
        }
    }

    /// Gives up a change that the store wins over, at the other end of a relationship too.
    private func yield(_ object: ManagedObject, _ choice: Choice, _ stored: RowBatch) {
        guard case .storeWins = choice.rule else {
            if case .rollback = choice.rule { takeBack(object, choice.property) }
            return
        }
        takeBack(object, choice.property)
    }

    private func takeBack(_ object: ManagedObject, _ property: PropertyLayout) {
        if property.relationship == nil {
            graph.change(object, property.slot, to: .unchanged)
        } else {
            Refreshing(graph: graph).revertReference(object, property.slot)
        }
    }

    private func decide(_ object: ManagedObject, _ choice: Choice) throws {
        guard case .custom(let resolver) = choice.rule else { return }
        let value = resolver(choice.values)
        guard let relationship = choice.property.relationship else {
            return object.write(value, choice.property.slot)
        }
        let target = try self.target(value, relationship, of: object)
        InverseMaintenance(graph: graph).set(object, choice.property.slot, to: target)
    }

    /// The object that a resolver chose for a to-one relationship, by its key.
    private func target(
        _ value: StoredValue, _ relationship: RelationshipLayout, of object: ManagedObject
    ) throws -> ManagedObject? {
        let destination = graph.model.layouts[relationship.destinationIndex]
        switch value {
        case .null: return nil
        case .int(let key):
            if let target = try graph.resolve(key, destination) { return target }
            throw graph.notFound(graph.parent.identifiers.id(of: key, in: destination))
        default:
            throw StoreError(
                .unknownProperty,
                "A merge rule of \(object.entity.name).\(relationship.description.name) answered \(value.kindName), not a key.",
                remedy: "Answer base, mine or theirs.")
        }
    }

    /// Makes every value of an object count as changed.
    private func keepAll(_ object: ManagedObject) {
        let overlay = graph.overlay(of: object)
        for property in object.entity.properties where !property.columns.isEmpty {
            guard !overlay.slots[property.slot].isDirty, graph.canLoad(property, of: object) else { continue }
            if property.attribute != nil {
                overlay.slots[property.slot] = .value(graph.committedValue(of: object, slot: property.slot))
            } else {
                overlay.slots[property.slot] = .object(graph.target(of: object, slot: property.slot))
            }
        }
    }

    /// Lets the object's changes lie over what the store has now.
    private func rebase(_ object: ManagedObject, _ stored: RowBatch) throws {
        Refreshing(graph: graph).unload(object)
        try Rebasing.rebase(object, RowGroup(stored), 0, in: graph)
    }
}

/// A property that both sides changed, and the rule that decides.
private struct Choice {
    let property: PropertyLayout
    let values: SaveConflict.Property
    let rule: MergePolicy.Rule

    var isLeftOpen: Bool { if case .error = rule { true } else { false } }
}
