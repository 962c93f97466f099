import ContextCore

/// Finds links of objects whose entity doesn't have the relationship.
///
/// Only another program can make such a link, in a database. Objects are copied and exported with the links of their own relationships,
/// so these links would be lost.
struct LinkOwnerCheck {
    let session: any ReadSession
    let model: ObjectModel
    /// Returns the keys of an entity's own objects.
    let keys: (EntityLayout) throws -> [Int64]

    /// Checks the relationships that some entities declare.
    ///
    /// - Throws: ``AdminError`` that names the first such object.
    func check(_ entities: [EntityLayout]) throws {
        guard session is any OrphanRowSession else { return }
        for entity in entities { try check(entity) }
    }

    private func check(_ entity: EntityLayout) throws {
        let collections = entity.storedCollections(in: model).filter { property in
            property.relationship?.isManyToMany == true
                && property.relationship?.sourceIndex == entity.index
        }
        if collections.isEmpty { return }
        for other in model.layouts
        where other.rootIndex == entity.rootIndex && !other.isAbstract
            && !entity.familyIndices.contains(other.index)
        {
            for part in try keys(other).chunks(ofCount: KeyChunks.defaultSize) {
                for property in collections {
                    let plan = RelatedPlan(
                        entityIndex: entity.index, slot: property.slot, owners: Array(part),
                        includesRows: false)
                    guard let link = try session.related(plan).links.first else { continue }
                    let object = "\(other.name):\(link.owner)"
                    throw AdminError.contradiction(
                        "\(object) has links of \(entity.name).\(property.name), but is not an object of \(entity.name)."
                    )
                }
            }
        }
    }
}

extension AdminError {
    /// Returns the error for objects that contradict their model and therefore can't be copied or exported.
    static func contradiction(_ message: String) -> AdminError {
        AdminError(
            code: "SC3008", exit: .badData, message: message,
            hint:
                "Run 'storectl check --repair' on the store that has these objects, and then this command again."
        )
    }
}
