import ContextCore

extension StoreChecking {
    /// Finds links and values outside of rows that the objects of some entities don't lead to.
    mutating func checkStrayRows(of entities: [EntityLayout]) throws {
        guard let session = session as? any StrayRowSession else { return }
        let names = Set(entities.map(\.name))
        // What is found of other entities doesn't count.
        let limit = names.count == model.layouts.count ? limit : .max
        if kinds.contains(.orphans) {
            for stray in try session.strayLinks(limit: limit) {
                let entity = model.layouts[stray.entityIndex]
                if names.contains(entity.name) { try report(stray, entity) }
            }
        }
        if kinds.contains(.external) {
            for fault in try session.externalFaults(limit: limit) {
                let entity = model.layouts[fault.entityIndex]
                if names.contains(entity.name) { report(fault, entity) }
            }
        }
    }

    private mutating func report(_ stray: StrayLink, _ entity: EntityLayout) throws {
        let property = entity.properties[stray.slot]
        guard let relationship = property.relationship else { return }
        let destination = model.layouts[relationship.destinationIndex]
        let target = stray.link.target
        report(
            .orphans, entity, stray.link.owner, property.name,
            "isn't there, and is linked to \(text(try end(target, of: destination), target, destination))",
            .link(entityIndex: entity.index, slot: stray.slot, stray.link))
    }

    private mutating func report(_ fault: ExternalFault, _ entity: EntityLayout) {
        let message =
            switch fault.kind {
            case .ownerless: "has a value outside of its row, and there is no such object"
            case .missing: "has its value outside of its row, and the value isn't there"
            case .stamp: "has a value outside of its row that isn't of the version that the row names"
            case .unnamed: "has a value outside of its row, which the row doesn't name"
            case .leftover: "has its value in its row, and what is left of an older one outside"
            }
        report(
            .external, entity, fault.key, entity.properties[fault.slot].name, message, .external(fault))
    }
}
