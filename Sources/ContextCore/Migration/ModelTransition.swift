/// The way from one version of a model to the next.
public struct ModelTransition: Sendable {
    /// The version that the store has.
    public let from: ModelVersion
    /// The version that it is to have.
    public let to: ModelVersion
    /// In what they differ.
    public let difference: ModelDifference

    /// Compares two versions.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` where it can't be told what was renamed, and where a hint
    ///   of the newer version has no effect.
    public init(from: ModelVersion, to: ModelVersion) throws(StoreError) {
        try self.init(from: from, to: to, checksHints: true)
    }

    /// Compares two versions.
    ///
    /// - Parameter checksHints: Whether hints without effect are refused.
    package init(from: ModelVersion, to: ModelVersion, checksHints: Bool) throws(StoreError) {
        self.from = from
        self.to = to
        do {
            difference = try ModelDifference(from: from.model, to: to.model, hints: to.hints)
        } catch {
            throw StoreError(
                .migrationRefused,
                "It can't be told what was renamed. \(error.sentences.joined(separator: " "))",
                remedy:
                    "Say so by renamedFrom in the model, by hints in the program, or by --rename NEW=OLD and --removed OLD of "
                    + "storectl; nothing was changed.")
        }
        if checksHints { try to.hints.check(from: from.model, to: to.model, difference) }
    }

    /// What it is called: `V1-V2`.
    public var name: String { "\(from.name)-\(to.name)" }

    /// What is lost, by name: `Game`, or `Game.title`.
    public var losses: [String] {
        var losses: [String] = []
        for change in difference.changes where change.consequence == .losesData {
            if case .destinationsLost = change.kind, isFilled(change.path) { continue }
            if !losses.contains(change.path) { losses.append(change.path) }
        }
        return losses
    }

    /// What somebody has to say how to convert, and nobody has.
    public var undecided: [ModelChange] {
        difference.changes.filter { change in
            guard change.consequence == .needsConversion else { return false }
            switch change.kind {
            // A tree's rows move with it.
            case .moved: return false
            case _ where isFilled(change.path): return false
            case .inverse(let from, let to): return isEmptied(change, from, to) || isJoined(change, to)
            case .destination(let from, let to): return !isWidened(from, to)
            default: return true
            }
        }
    }

    /// Whether a conversion or a stage works out a property; of a relationship, from either of its ends.
    package func isFilled(_ path: String) -> Bool {
        to.hints.conversions[path] != nil
            || to.stages.contains {
                $0.paths.contains(path) || (hasOlderRows($0) && inverses(of: $0).contains(path))
            }
    }

    /// Whether a stage has older rows to run over; what it says of a new entity decides nothing.
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
                "\(destination.declaring(slot, in: to.model).name).\(destination.properties[slot].name)"
        }
    }

    /// Whether a relationship to many has lost its members with the inverse that led to it.
    private func isEmptied(_ change: ModelChange, _ old: String?, _ new: String?) -> Bool {
        guard let name = change.propertyName, new != nil,
            let relationship = to.model.layout(named: change.entityName)?.property(named: name)?.relationship,
            relationship.description.isToMany
        else { return false }
        // Links that nothing led back from go on as they are where many lead back.
        return old != nil || !relationship.inverseIsToMany
    }

    /// Whether a relationship and its inverse were two before, each with objects of its own.
    private func isJoined(_ change: ModelChange, _ new: String?) -> Bool {
        guard let name = change.propertyName, let new,
            let relationship = to.model.layout(named: change.entityName)?.property(named: name)?.relationship
        else { return false }
        let destination = to.model.layouts[relationship.destinationIndex]
        guard let slot = relationship.inverseSlot, destination.properties[slot].name == new else {
            return false
        }
        let declaring = destination.declaring(slot, in: to.model)
        let matching = difference.matching
        return declaring.familyIndices.contains { index in
            guard
                let origin = matching.entities[to.model.layouts[index].name].flatMap(
                    from.model.layout(named:))
            else { return false }
            return matching.property(new, of: declaring, from: origin, in: from.model)?.relationship != nil
        }
    }

    /// Whether a relationship leads to all that it led to, and more.
    private func isWidened(_ old: String, _ new: String) -> Bool {
        guard let old = to.model.layout(named: old), let new = to.model.layout(named: new) else {
            return false
        }
        return old.isKind(of: new)
    }
}
