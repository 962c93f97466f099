import ContextCore

/// A relationship that a stage fills, and the temporary table that stores its links until the tables change.
///
/// A temporary join table serves every kind of relationship, whether it becomes a foreign key or a join table: the objects on both
/// sides exist already, and their keys don't change.
struct PendingLinks {
    static let owner = "_owner"
    static let target = "_target"
    /// The position of a link among those of its owner.
    static let positionColumn = "_place"

    /// The newer entity that declares the relationship.
    let entity: EntityMapping
    let property: PropertyLayout
    let relationship: RelationshipLayout
    /// The inverse and the entity that declares it.
    let inverse: (entity: EntityMapping, property: PropertyLayout)?
    /// The name of the temporary table.
    let table: String

    /// Returns nil if the property is not a relationship.
    init?(_ entity: EntityMapping, _ property: PropertyLayout, _ mapping: StoreMapping) {
        guard let relationship = property.relationship else { return nil }
        self.entity = entity
        self.property = property
        self.relationship = relationship
        inverse = relationship.inverseSlot.map { slot in
            let destination = mapping.model.layouts[relationship.destinationIndex]
            let declaring = mapping.entities[destination.declaringEntity(of: slot, in: mapping.model).index]
            return (declaring, declaring.layout.properties[slot])
        }
        // The number stays the same if a program that resumes a migration has its stages in another order.
        table = "\(SchemaTransition.pending)_links_\(entity.number)_\(property.slot)"
    }

    var isToMany: Bool { relationship.description.isToMany }

    /// Whether an object can be a member of one owner only.
    var hasOneOwner: Bool { inverse != nil && !relationship.inverseIsToMany }

    var isOwnInverse: Bool {
        inverse?.property.name == property.name && inverse?.entity.layout.index == entity.layout.index
    }

    var path: String { "\(entity.layout.name).\(property.name)" }

    /// The temporary table, with indexes for lookups from both sides.
    var schema: TableSchema {
        let keys = isToMany ? (hasOneOwner ? [Self.target] : [Self.owner, Self.target]) : [Self.owner]
        var schema = TableSchema(
            table,
            columns: [
                ColumnSchema(Self.owner, .key), ColumnSchema(Self.target, .key),
                ColumnSchema(Self.positionColumn, .integer(bits: 64)),
            ], primaryKey: keys)
        if hasOneOwner, !isToMany {
            schema.indexes = [
                IndexSchema("\(table)_target", columns: [.init(Self.target)], isUnique: true)
            ]
        }
        return schema
    }

    /// Returns whether a property is the relationship itself or its inverse, or nil if it is neither.
    func direction(_ property: PropertyLayout, of declaring: EntityLayout) -> Direction? {
        if property.name == self.property.name, declaring.index == entity.layout.index { return .own }
        guard let inverse, property.name == inverse.property.name,
            declaring.index == inverse.entity.layout.index
        else { return nil }
        return .inverse
    }

    /// The two directions of the relationship.
    enum Direction { case own, inverse }

    /// Returns the key that a row of the outer query refers to in one direction of the relationship.
    func reference(from end: Direction) -> SQLFragment {
        end == .own ? value(Self.target, where: Self.owner) : value(Self.owner, where: Self.target)
    }

    /// The position of a row of the outer query among its siblings.
    var position: SQLFragment { value(Self.positionColumn, where: Self.target) }

    private func value(_ column: String, where other: String) -> SQLFragment {
        """
        (SELECT \(name: column) FROM \(name: table) WHERE \(name: other) = \(name: StoreNames.key))
        """
    }
}

extension SchemaTransition {
    /// The relationships that the program's stages fill in existing rows.
    var pendingLinks: [PendingLinks] {
        transition.to.stages.flatMap { stage -> [PendingLinks] in
            guard let layout = new.model.layout(named: stage.entityName), hasOlderRows(layout) else {
                return []
            }
            return stage.properties.compactMap(layout.property).compactMap {
                PendingLinks(new.entities[layout.index], $0, new)
            }
        }
    }

    /// Returns the names of the relationships that a stage fills.
    func filledRelationships(of stage: MigrationStage) -> [String] {
        let layout = new.model.layout(named: stage.entityName)
        return stage.properties.filter { layout?.property(named: $0)?.relationship != nil }
    }

    /// Whether an older entity had a relationship of an entity, even if under another name.
    func existedBefore(_ property: PropertyLayout, of entity: EntityMapping) -> Bool {
        sources(of: entity).contains { source in
            matching.property(
                property.name, of: entity.layout, from: old.entities[source.index].layout, in: old.model)?
                .relationship != nil
        }
    }

    /// Whether an entity or one of its subentities has older rows.
    func hasOlderRows(_ layout: EntityLayout) -> Bool {
        layout.familyIndices.contains { origin(of: new.entities[$0]) != nil }
    }

    /// Whether a conversion or a stage fills a property of an entity or of a related entity, so that derived values may change.
    func dependsOnBackfill(_ layout: EntityLayout) -> Bool {
        let paths = Array(transition.to.hints.conversions.keys) + transition.to.stages.flatMap(\.paths)
        let filled =
            paths.compactMap { new.model.layout(named: ModelPart($0).entity) }
            + pendingLinks.compactMap(\.inverse?.entity.layout)
        let near =
            [layout]
            + layout.properties.compactMap(\.relationship).map { new.model.layouts[$0.destinationIndex] }
        return filled.contains { filled in
            near.contains { $0.isKind(of: filled) || filled.isKind(of: $0) }
        }
    }

    /// Returns the links that a stage fills for a relationship and the direction, or nil if no stage fills it.
    func filledLinks(
        _ property: PropertyLayout, of declaring: EntityLayout
    ) -> (links: PendingLinks, end: PendingLinks.Direction)? {
        if property.relationship == nil { return nil }
        for links in pendingLinks {
            if let end = links.direction(property, of: declaring) { return (links, end) }
        }
        return nil
    }
}
