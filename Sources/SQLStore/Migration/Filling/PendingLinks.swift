import ContextCore

/// A relationship that a stage fills, and the table that keeps its links until the tables change.
///
/// A table of links does for every relationship, whether it will be a column at one end or a table of links itself: objects on both
/// sides are old ones by then, whose keys stay.
struct PendingLinks {
    static let owner = "_owner"
    static let target = "_target"
    /// The place of a link in the order of its owner's.
    static let place = "_place"

    /// The newer entity that declares it.
    let entity: EntityMapping
    let property: PropertyLayout
    let relationship: RelationshipLayout
    /// The relationship that leads back, and the entity that declares it.
    let inverse: (entity: EntityMapping, property: PropertyLayout)?
    /// What the table is called.
    let table: String

    /// Is nil where the property is no relationship.
    init?(_ entity: EntityMapping, _ property: PropertyLayout, _ mapping: StoreMapping) {
        guard let relationship = property.relationship else { return nil }
        self.entity = entity
        self.property = property
        self.relationship = relationship
        inverse = relationship.inverseSlot.map { slot in
            let destination = mapping.model.layouts[relationship.destinationIndex]
            let declaring = mapping.entities[destination.declaring(slot, in: mapping.model).index]
            return (declaring, declaring.layout.properties[slot])
        }
        // Numbers stay when a program that goes on with a migration has its stages in another order.
        table = "\(SchemaTransition.pending)_links_\(entity.number)_\(property.slot)"
    }

    var isToMany: Bool { relationship.description.isToMany }

    /// Whether an object may be led to from one other only.
    var hasOneOwner: Bool { inverse != nil && !relationship.inverseIsToMany }

    var isOwnInverse: Bool {
        inverse?.property.name == property.name && inverse?.entity.layout.index == entity.layout.index
    }

    var path: String { "\(entity.layout.name).\(property.name)" }

    /// The table, in which both ends are found.
    var schema: TableSchema {
        let keys = isToMany ? (hasOneOwner ? [Self.target] : [Self.owner, Self.target]) : [Self.owner]
        var schema = TableSchema(
            table,
            columns: [
                ColumnSchema(Self.owner, .key), ColumnSchema(Self.target, .key),
                ColumnSchema(Self.place, .integer(bits: 64)),
            ], primaryKey: keys)
        if hasOneOwner, !isToMany {
            schema.indexes = [
                IndexSchema("\(table)_target", columns: [.init(Self.target)], isUnique: true)
            ]
        }
        return schema
    }

    /// Whether it is a relationship, or the one that leads back.
    func isEnd(_ property: PropertyLayout, of declaring: EntityLayout) -> End? {
        if property.name == self.property.name, declaring.index == entity.layout.index { return .own }
        guard let inverse, property.name == inverse.property.name,
            declaring.index == inverse.entity.layout.index
        else { return nil }
        return .inverse
    }

    /// The two ends of the relationship.
    enum End { case own, inverse }

    /// The key that a row of one end leads to; the row is one of the query around.
    func reference(from end: End) -> SQLFragment {
        end == .own ? value(Self.target, where: Self.owner) : value(Self.owner, where: Self.target)
    }

    /// The place of a row of the other end among its siblings.
    var position: SQLFragment { value(Self.place, where: Self.target) }

    private func value(_ column: String, where other: String) -> SQLFragment {
        """
        (SELECT \(name: column) FROM \(name: table) WHERE \(name: other) = \(name: StoreNames.key))
        """
    }
}

extension SchemaTransition {
    /// The relationships that the program's stages fill in rows that are there already.
    var pendingLinks: [PendingLinks] {
        transition.to.stages.flatMap { stage -> [PendingLinks] in
            guard let layout = new.model.layout(named: stage.entityName), isThere(layout) else { return [] }
            return stage.properties.compactMap(layout.property).compactMap {
                PendingLinks(new.entities[layout.index], $0, new)
            }
        }
    }

    /// The relationships that a stage fills.
    func filledRelationships(of stage: MigrationStage) -> [String] {
        let layout = new.model.layout(named: stage.entityName)
        return stage.properties.filter { layout?.property(named: $0)?.relationship != nil }
    }

    /// Whether an older entity had a relationship of an entity's, by whatever name.
    func wasThere(_ property: PropertyLayout, of entity: EntityMapping) -> Bool {
        sources(of: entity).contains { source in
            matching.property(
                property.name, of: entity.layout, from: old.entities[source.index].layout, in: old.model)?
                .relationship != nil
        }
    }

    /// Whether an entity has older rows, or one below it.
    func isThere(_ layout: EntityLayout) -> Bool {
        layout.familyIndices.contains { origin(of: new.entities[$0]) != nil }
    }

    /// Whether a conversion or a stage fills something of an entity, or of those that its relationships lead to: what is derived of that
    /// may be another value then.
    func isNearFilled(_ layout: EntityLayout) -> Bool {
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

    /// What fills a relationship, from which of its ends; nil where nothing does.
    func filling(
        _ property: PropertyLayout, of declaring: EntityLayout
    ) -> (links: PendingLinks, end: PendingLinks.End)? {
        if property.relationship == nil { return nil }
        for links in pendingLinks {
            if let end = links.isEnd(property, of: declaring) { return (links, end) }
        }
        return nil
    }
}
