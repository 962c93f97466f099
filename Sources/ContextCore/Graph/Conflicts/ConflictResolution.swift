/// Resolves conflicts according to a merge policy, so that the next attempt to save the objects succeeds.
struct ConflictResolution {
    let graph: ObjectGraph
    let policy: MergePolicy

    /// Returns a closure that resolves a conflict; nil if the policy doesn't resolve it and the save has to throw.
    ///
    /// The caller runs the closures only if every conflict can be resolved.
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
            // This save derives the attributes again anyway. A change that the context has merged conflicts even if it was
            // reverted since.
            if stored.count == 1, object.state == .updated, graph.contested[object] == nil,
                differsInDerivedAttributesAlone(object, stored)
            {
                return { try rebase(object, stored) }
            }
            guard policy.resolves(object.entity) else { return nil }
            if stored.count == 0 { return acceptDeletion(of: object) }
            return object.state == .deleted ? resolveDeletion(object, stored) : merge(object, stored)
        }
    }

    // MARK: Deleted in the store

    /// Returns a closure that detaches an object that the store deleted, or inserts it again if the policy says so.
    private func acceptDeletion(of object: ManagedObject) -> (() throws -> Void)? {
        if object.state == .deleted { return { graph.detach(object) } }
        switch policy.rule(for: object.entity) {
        case .error, .custom: return nil
        case .storeWins, .rollback:
            return {
                Refreshing(graph: graph).revert(object)
                graph.detach(object)
                // Rows and links that were fetched before may still contain the object.
                graph.beginEpoch(rootIndex: object.rootIndex)
            }
        case .objectWins, .overwrite:
            // The values that the context never loaded were deleted with the row.
            guard DeferredValueLoader(graph: graph).hasAllValues(of: object) else { return nil }
            return {
                Undoing(graph: graph).copyCommittedValues(of: object)
                object.state = .inserted
                try Reinsertion(graph: graph).restoreRelationships(object)
            }
        }
    }

    // MARK: Changed in the store

    /// Returns a closure that resolves the conflict of an object that the context deleted and the store changed.
    private func resolveDeletion(_ object: ManagedObject, _ stored: RowBatch) -> (() throws -> Void)? {
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

    /// Returns a closure that merges the changes of an object that both the context and the store changed.
    private func merge(_ object: ManagedObject, _ stored: RowBatch) -> (() throws -> Void)? {
        if case .rollback = policy.rule(for: object.entity) {
            return {
                Refreshing(graph: graph).revert(object)
                try rebase(object, stored)
            }
        }
        let choices = contestedProperties(object, stored).map { property, values in
            ContestedProperty(
                property: property, values: values, rule: policy.rule(for: object.entity, property.name))
        }
        if choices.contains(where: \.isUnresolved) { return nil }
        // Property rules don't apply if the store changed only other properties of the object.
        if choices.isEmpty, case .error = policy.rule(for: object.entity) { return nil }
        return {
            if case .overwrite = policy.rule(for: object.entity) { markAllDirty(object) }
            // First revert to the stored values where the store wins, then apply the custom resolvers on top of the stored row.
            for choice in choices { revertIfStoreWins(object, choice, stored) }
            try rebase(object, stored)
            for choice in choices { try applyResolver(object, choice) }
        }
    }

    /// Returns the properties that the context and the store changed to different values.
    private func contestedProperties(
        _ object: ManagedObject, _ stored: RowBatch
    ) -> [(PropertyLayout, SaveConflict.Property)] {
        guard object.group != nil, let overlay = object.overlay else { return [] }
        let stored = RowGroup(stored)
        return object.entity.properties.compactMap { property in
            guard !property.columns.isEmpty, !property.isDerived, overlay.slots[property.slot].isDirty,
                graph.isContested(object, property.slot)
                    || !graph.hasSameValue(property, of: object, as: stored, at: 0)
            else { return nil }
            let values = SaveConflict.Property(property, of: object, stored)
            return values.mine == values.theirs ? nil : (property, values)
        }
    }

    /// Whether an object's base row and its stored row differ only in derived attributes.
    private func differsInDerivedAttributesAlone(_ object: ManagedObject, _ stored: RowBatch) -> Bool {
        guard object.group != nil, object.row >= 0 else { return false }
        let stored = RowGroup(stored)
        return object.entity.properties.allSatisfy { property in
            property.columns.isEmpty || property.isDerived
                || graph.hasSameValue(property, of: object, as: stored, at: 0)
        }
    }

    /// Reverts a property, including the inverse relationship, if its rule says that the store wins.
    private func revertIfStoreWins(_ object: ManagedObject, _ choice: ContestedProperty, _ stored: RowBatch) {
        switch choice.rule {
        case .storeWins, .rollback: revert(object, choice.property, stored)
        case .error, .objectWins, .overwrite, .custom: break
        }
    }

    private func revert(_ object: ManagedObject, _ property: PropertyLayout, _ stored: RowBatch) {
        guard let relationship = property.relationship else {
            return graph.change(object, property.slot, to: .unchanged)
        }
        let refreshing = Refreshing(graph: graph)
        refreshing.revertReference(object, property.slot)
        // The partner that the store has given the object may have a pending one, which would replace it again.
        let destination = graph.model.layouts[relationship.destinationIndex]
        guard relationship.isOneToOne, let inverse = relationship.inverseSlot,
            let key = stored.reference(object.location(of: property.slot), at: 0),
            let partner = graph.identities.object(key, rootIndex: destination.rootIndex),
            partner.state == .updated, partner.overlay?.slots[inverse].isDirty == true
        else { return }
        refreshing.revertReference(partner, inverse)
    }

    private func applyResolver(_ object: ManagedObject, _ choice: ContestedProperty) throws {
        guard case .custom(let resolver) = choice.rule else { return }
        let value = resolver(choice.values)
        guard let relationship = choice.property.relationship else {
            return object.write(value, choice.property.slot)
        }
        let target = try self.target(value, relationship, of: object)
        InverseMaintenance(graph: graph).set(object, choice.property.slot, to: target)
    }

    /// Returns the object whose key a custom resolver returned for a to-one relationship.
    private func target(
        _ value: StoredValue, _ relationship: RelationshipLayout, of object: ManagedObject
    ) throws -> ManagedObject? {
        let destination = graph.model.layouts[relationship.destinationIndex]
        switch value {
        case .null: return nil
        case .int(let key):
            if let target = try graph.resolve(key, destination) { return target }
            throw graph.notFoundError(graph.parent.identifiers.id(of: key, in: destination))
        default:
            throw StoreError(
                .unknownProperty,
                "The merge rule of \(object.entity.name).\(relationship.description.name) returned \(value.kindName) instead of a key.",
                remedy: "Return the base, mine or theirs of the conflict's property from the rule.")
        }
    }

    /// Marks every property of an object dirty.
    private func markAllDirty(_ object: ManagedObject) {
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

    /// Replaces an object's row with the stored one and reapplies the object's changes.
    private func rebase(_ object: ManagedObject, _ stored: RowBatch) throws {
        Refreshing(graph: graph).unload(object)
        try Rebasing.rebase(object, RowGroup(stored), 0, in: graph)
    }
}

/// A property that the context and the store both changed, with the rule that decides which value is saved.
private struct ContestedProperty {
    let property: PropertyLayout
    let values: SaveConflict.Property
    let rule: MergePolicy.Rule

    var isUnresolved: Bool { if case .error = rule { true } else { false } }
}
