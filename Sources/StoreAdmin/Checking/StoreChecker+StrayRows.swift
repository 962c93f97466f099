import ContextCore

extension StoreChecker {
    /// Finds links and external values of the given entities that belong to no object.
    mutating func checkStrayRows(of entities: [EntityLayout]) throws {
        guard let session = session as? any OrphanRowSession else { return }
        let names = Set(entities.map(\.name))
        // The session searches all entities, and findings of entities that aren't checked don't count toward the limit.
        let limit = names.count == model.layouts.count ? limit : .max
        if kinds.contains(.orphans) {
            for stray in try session.orphanLinks(limit: limit) {
                let entity = model.layouts[stray.entityIndex]
                if names.contains(entity.name) { try recordFinding(stray, entity) }
            }
        }
        if kinds.contains(.external) {
            for defect in try session.externalValueMismatches(limit: limit) {
                let entity = model.layouts[defect.entityIndex]
                if names.contains(entity.name) { recordFinding(defect, entity) }
            }
        }
    }

    private mutating func recordFinding(_ stray: OrphanLink, _ entity: EntityLayout) throws {
        let property = entity.properties[stray.slot]
        guard let relationship = property.relationship else { return }
        let destination = model.layouts[relationship.destinationIndex]
        let target = stray.link.target
        recordFinding(
            .orphans, entity, stray.link.owner, property.name,
            "does not exist, but is linked to \(text(try resolveTarget(target, of: destination), target, destination))",
            .link(entityIndex: entity.index, slot: stray.slot, stray.link))
    }

    private mutating func recordFinding(_ defect: ExternalValueMismatch, _ entity: EntityLayout) {
        let message =
            switch defect.kind {
            case .ownerless: "has an external value, but the object does not exist"
            case .missing: "has an external value according to its row, but the value is missing"
            case .stamp: "has an external value of a version other than the one that its row names"
            case .unnamed: "has an external value, but no reference to it in its row"
            case .leftover: "has its value in its row, but also the remains of an older external value"
            }
        recordFinding(
            .external, entity, defect.key, entity.properties[defect.slot].name, message, .external(defect))
    }
}
