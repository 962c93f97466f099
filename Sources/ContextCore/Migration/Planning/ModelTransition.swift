/// The transition from one version of a model to the next.
public struct ModelTransition: Sendable {
    /// The version of the store before the migration.
    public let from: ModelVersion
    /// The version of the store after the migration.
    public let to: ModelVersion
    /// The differences between the two models.
    public let difference: ModelDifference

    /// Compares two versions.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if the renames can't be inferred, or if a hint
    ///   of the newer version has no effect.
    public init(from: ModelVersion, to: ModelVersion) throws(StoreError) {
        try self.init(from: from, to: to, checksHints: true)
    }

    /// Compares two versions.
    ///
    /// - Parameter checksHints: Whether a hint without effect is an error.
    package init(from: ModelVersion, to: ModelVersion, checksHints: Bool) throws(StoreError) {
        self.from = from
        self.to = to
        do {
            difference = try ModelDifference(from: from.model, to: to.model, hints: to.hints)
        } catch {
            throw StoreError(
                .migrationRefused,
                "The renames can't be inferred from the models. \(error.sentences.joined(separator: " "))",
                remedy: Self.renameRemedy)
        }
        if checksHints { try to.hints.check(from: from.model, to: to.model, difference) }
    }

    /// The remedy for renames that can't be inferred.
    static let renameRemedy =
        "Declare them with renamedFrom in the model, with hints in the program, or with --rename OLD:NEW and --removed OLD of "
        + "storectl. Nothing was changed."

    /// The names of the two versions, `V1-V2`; `from the store's model to the program's model` if the store's model is compared with a
    /// single model.
    public var name: String {
        to.name == ModelVersions.inferredName ? "from \(from.name) to \(to.name)" : "\(from.name)-\(to.name)"
    }

    /// The entities and properties whose data is lost: `Game`, or `Game.title`.
    public var losses: [String] {
        var losses: [String] = []
        for change in difference.changes where change.consequence == .losesData {
            if case .destinationsLost = change.kind, isFilled(change.path) { continue }
            if !losses.contains(change.path) { losses.append(change.path) }
        }
        return losses
    }

    /// The changes that need a conversion and have none.
    public var undecided: [ModelChange] {
        difference.changes.filter { change in
            guard change.consequence == .needsConversion else { return false }
            switch change.kind {
            // The rows move with their inheritance tree.
            case .moved: return false
            case _ where isFilled(change.path): return false
            case .inverse(let from, let to): return isEmptied(change, from, to) || isJoined(change, to)
            case .destination(let from, let to): return !isWidened(from, to)
            default: return true
            }
        }
    }

    /// Whether a conversion or a stage fills a property, or the inverse of a relationship.
    package func isFilled(_ path: String) -> Bool {
        to.hints.conversions[path] != nil
            || to.stages.contains {
                $0.paths.contains(path) || (hasOlderRows($0) && inverses(of: $0).contains(path))
            }
    }

    /// Whether older objects exist that a stage converts; a stage of a new entity converts nothing.
    private func hasOlderRows(_ stage: MigrationStage) -> Bool {
        guard let layout = to.model.layout(named: stage.entityName) else { return false }
        return layout.familyIndices.contains {
            difference.matching.entities[to.model.layouts[$0].name] != nil
        }
    }

    /// The inverses of the relationships that a stage fills.
    private func inverses(of stage: MigrationStage) -> [String] {
        guard let layout = to.model.layout(named: stage.entityName) else { return [] }
        return stage.properties.compactMap { layout.property(named: $0)?.relationship }.compactMap {
            guard let slot = $0.inverseSlot else { return nil }
            let destination = to.model.layouts[$0.destinationIndex]
            return
                "\(destination.declaringEntity(of: slot, in: to.model).name).\(destination.properties[slot].name)"
        }
    }

    /// Whether a to-many relationship has lost its members because it has another inverse.
    private func isEmptied(_ change: ModelChange, _ old: String?, _ new: String?) -> Bool {
        guard let name = change.propertyName, new != nil,
            let relationship = to.model.layout(named: change.entityName)?.property(named: name)?.relationship,
            relationship.description.isToMany
        else { return false }
        // Links that had no inverse stay as they are if the new inverse is to-many.
        return old != nil || !relationship.inverseIsToMany
    }

    /// Whether a relationship and its new inverse were separate relationships before.
    private func isJoined(_ change: ModelChange, _ new: String?) -> Bool {
        guard let name = change.propertyName, let new,
            let relationship = to.model.layout(named: change.entityName)?.property(named: name)?.relationship
        else { return false }
        let destination = to.model.layouts[relationship.destinationIndex]
        guard let slot = relationship.inverseSlot, destination.properties[slot].name == new else {
            return false
        }
        let declaring = destination.declaringEntity(of: slot, in: to.model)
        let matching = difference.matching
        return declaring.familyIndices.contains { index in
            guard
                let origin = matching.entities[to.model.layouts[index].name].flatMap(
                    from.model.layout(named:))
            else { return false }
            return matching.property(new, of: declaring, from: origin, in: from.model)?.relationship != nil
        }
    }

    /// Whether the newer destination includes the older one.
    private func isWidened(_ old: String, _ new: String) -> Bool {
        guard let old = to.model.layout(named: old), let new = to.model.layout(named: new) else {
            return false
        }
        return old.isKind(of: new)
    }
}
