/// A property of one entity on which another entity's derived attribute depends.
struct CopiedProperty: Sendable {
    /// A to-one relationship on the path from the derived attribute's entity to the property's.
    struct Hop: Sendable {
        let slot: Int
        let relationship: RelationshipLayout
    }

    /// The index of the entity with the derived attribute.
    let ownerIndex: Int
    /// The path from that entity to the entity with the property.
    let hops: [Hop]
    /// The slot of the property: the copied attribute, or a relationship on the path to it.
    let slot: Int

    /// Returns the properties that derived attributes of a model depend on, by the index of the entity that has the properties.
    static func all(in layouts: [EntityLayout]) -> [Int: [CopiedProperty]] {
        var found: [Int: [CopiedProperty]] = [:]
        for layout in layouts {
            for (_, derivation) in layout.derivations {
                guard let path = derivation.path, path.contains(".") else { continue }
                var hops: [Hop] = []
                var current = layout
                for name in path.split(separator: ".") {
                    guard let property = current.property(named: String(name)) else { break }
                    if !hops.isEmpty {
                        for index in current.familyIndices {
                            found[index, default: []].append(
                                CopiedProperty(ownerIndex: layout.index, hops: hops, slot: property.slot))
                        }
                    }
                    guard let relationship = property.relationship else { break }
                    hops.append(Hop(slot: property.slot, relationship: relationship))
                    current = layouts[relationship.destinationIndex]
                }
            }
        }
        return found
    }

    /// Returns the properties that are copied over references which may exist without the row; see ``ObjectModel/mayDangle(_:)``.
    static func overDanglingReferences(_ all: [Int: [CopiedProperty]], _ layouts: [EntityLayout])
        -> [Int: [CopiedProperty]]
    {
        all.compactMapValues { properties in
            let dangling = properties.filter { $0.hops.last?.relationship.mayDangle(in: layouts) == true }
            return dangling.isEmpty ? nil : dangling
        }
    }
}

extension ObjectModel {
    /// Returns the properties among columns of an entity on which derived attributes of other entities depend.
    func copiedProperties(of entityIndex: Int, columns: some Collection<Int>) -> [CopiedProperty] {
        guard let copied = copiedProperties[entityIndex] else { return [] }
        let slots = Set(columns.map { layouts[entityIndex].columns[$0].slot })
        return copied.filter { slots.contains($0.slot) }
    }
}
