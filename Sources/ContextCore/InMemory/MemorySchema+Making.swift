extension IndexShape {
    /// Returns the indexes of each inheritance tree: for unique constraints, declared indexes and to-one relationships.
    static func shapes(of model: ObjectModel) -> [[IndexShape]] {
        var shapes = [[IndexShape]](repeating: [], count: model.layouts.count)
        for layout in model.layouts {
            for constraint in layout.uniqueConstraints where constraint.entityIndex == layout.index {
                add(constraint.columns, constraint.names, layout, model, to: &shapes)
            }
            for index in layout.description.indexes {
                add(
                    index.elements.flatMap { layout.columns(named: $0.property) }, nil, layout, model,
                    to: &shapes)
            }
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.sourceIndex == layout.index
                else {
                    continue
                }
                add(Array(property.columns), nil, layout, model, to: &shapes)
            }
        }
        return shapes
    }

    private static func add(
        _ columns: [Int], _ constraint: [String]?, _ layout: EntityLayout, _ model: ObjectModel,
        to shapes: inout [[IndexShape]]
    ) {
        if columns.isEmpty { return }
        let constraints = constraint.map { [$0] } ?? []
        let same = shapes[layout.rootIndex].firstIndex {
            $0.columns == columns && $0.entityIndex == layout.index
        }
        if let same {
            shapes[layout.rootIndex][same].constraints += constraints
            return
        }
        shapes[layout.rootIndex].append(
            IndexShape(
                columns: columns, entityIndex: layout.index,
                covers: model.layouts.indices.map(layout.familyIndices.contains), constraints: constraints))
    }
}

extension EntityLayout {
    /// Returns the columns of a property or of a part of a composite.
    fileprivate func columns(named name: String) -> [Int] {
        property(named: name).map { Array($0.columns) } ?? columns.indices.filter { columns[$0].name == name }
    }
}

extension ReferenceShape {
    /// Returns an entity's to-one relationships whose targets must exist.
    static func references(of layout: EntityLayout, _ model: ObjectModel) -> [ReferenceShape] {
        layout.properties.compactMap { property in
            guard let relationship = property.relationship, let column = property.columns.first,
                !model.mayDangle(relationship)
            else { return nil }
            return ReferenceShape(
                property: property.name, column: column, destinationIndex: relationship.destinationIndex)
        }
    }
}

extension ReferrerShape {
    /// Returns, for each entity, the to-one relationships that reference it and whose targets must exist.
    static func referrers(in model: ObjectModel, _ indexes: [[IndexShape]]) -> [[ReferrerShape]] {
        var referrers = [[ReferrerShape]](repeating: [], count: model.layouts.count)
        for layout in model.layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.sourceIndex == layout.index,
                    !model.mayDangle(relationship),
                    let index = indexes[layout.rootIndex].reference(at: property.columns, of: layout.index)
                else { continue }
                let shape = ReferrerShape(property: property.name, rootIndex: layout.rootIndex, index: index)
                for family in model.layouts[relationship.destinationIndex].familyIndices {
                    referrers[family].append(shape)
                }
            }
        }
        return referrers
    }
}

extension MemorySchema {
    /// Returns, for each entity, the numbers of the ordered one-to-many relationships that its rows are members of.
    static func memberships(_ relationships: [[RelationshipShape?]], _ model: ObjectModel) -> [[Int]] {
        var memberships = [[Int]](repeating: [], count: model.layouts.count)
        for layout in model.layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.sourceIndex == layout.index,
                    case .referring(_, _, let order?) = relationships[layout.index][property.slot]
                else { continue }
                for family in model.layouts[relationship.destinationIndex].familyIndices {
                    memberships[family].append(order)
                }
            }
        }
        return memberships
    }
}

extension [IndexShape] {
    /// Returns the position of the index of a to-one relationship's column; nil for other properties.
    fileprivate func reference(at columns: Range<Int>, of entityIndex: Int) -> Int? {
        firstIndex { $0.columns.elementsEqual(columns) && $0.entityIndex == entityIndex }
    }
}

/// Numbers the ends of many-to-many relationships, and the ordered one-to-many relationships.
struct LinkEnds {
    private struct Place: Hashable {
        var entityIndex: Int
        var slot: Int
    }

    private var ends: [Place: Int] = [:]
    private var orderNumbers: [Place: Int] = [:]
    /// The number of the inverse of each end; a relationship that is its own inverse has only one end.
    private(set) var opposites: [Int] = []

    var orders: Int { orderNumbers.count }

    init(_ model: ObjectModel) {
        var inverses: [Place] = []
        for layout in model.layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.sourceIndex == layout.index,
                    relationship.description.isToMany, let inverseSlot = relationship.inverseSlot
                else { continue }
                let place = Place(entityIndex: layout.index, slot: property.slot)
                if relationship.isManyToMany {
                    ends[place] = ends.count
                    inverses.append(Place(entityIndex: relationship.destinationIndex, slot: inverseSlot))
                } else if relationship.description.isOrdered {
                    orderNumbers[place] = orderNumbers.count
                }
            }
        }
        opposites = inverses.map { ends[$0] ?? 0 }
    }

    func shape(
        of relationship: RelationshipLayout, slot: Int, column: Int?, _ indexes: [[IndexShape]],
        _ model: ObjectModel
    ) -> RelationshipShape? {
        if let column { return .reference(column: column) }
        let place = Place(entityIndex: relationship.sourceIndex, slot: slot)
        if let end = ends[place] { return .links(end: end) }
        guard let inverseSlot = relationship.inverseSlot else { return nil }
        let destination = model.layouts[relationship.destinationIndex]
        let inverse = destination.properties[inverseSlot]
        return indexes[destination.rootIndex].reference(at: inverse.columns, of: destination.index).map {
            .referring(rootIndex: destination.rootIndex, index: $0, order: orderNumbers[place])
        }
    }
}
