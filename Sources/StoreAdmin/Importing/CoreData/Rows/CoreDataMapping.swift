import ContextCore
import Foundation

/// Where the values of a model's objects are in a Core Data store.
struct CoreDataMapping {
    struct Entity {
        let number: Int64
        let table: String
        var columns: [Column] = []
    }

    /// The source of a column of the model's rows.
    struct Column {
        /// The number of the column in the layout.
        let column: Int
        /// The expression of a query over the table `s`.
        let expression: String
        /// The attribute of the source; nil for a reference.
        let attribute: CoreDataModel.Attribute?
        let type: AttributeType?

        /// Converts the value of the expression; a value that can't be taken over becomes null.
        func value(_ raw: StoredValue, _ values: CoreDataValues) -> StoredValue {
            guard let attribute else { return raw.integer.map { .int($0) } ?? .null }
            guard let value = try? values.value(raw, attribute) else { return .null }
            switch (value, type) {
            case (.data(let data), .codable?):
                return PlainValues.json(of: data).map { .string($0.text) } ?? .null
            case (.decimal(let number), .string?): return .string(number.description)
            default: return value
            }
        }
    }

    struct Slot: Hashable {
        let entityIndex: Int
        let slot: Int
    }

    /// A query for the links of a relationship, with the owners as a JSON array in its parameter.
    struct LinkQuery {
        let text: String
        let isOrdered: Bool
    }

    /// The entities that the store has, by their index in the model.
    private(set) var entities: [Int: Entity] = [:]
    /// The relationships that the store has a place for.
    private(set) var links: [Slot: LinkQuery] = [:]

    init(_ model: ObjectModel, _ conversion: CoreDataConversion, _ places: CoreDataPlaces) {
        for entity in places.model.entities {
            guard let place = places.tables.entities[entity.name],
                let layout = conversion.entityNames[entity.name].flatMap({ model.layout(named: $0) })
            else { continue }
            var found = Entity(number: place.number, table: place.table)
            found.columns = Self.attributeColumns(layout, entity.name, conversion, places)
            found.columns += Self.referenceColumns(layout, entity.name, conversion, places)
            entities[layout.index] = found
            for owner in places.model.lineage(of: entity.name) {
                addLinks(layout, entity.name, declaredBy: owner, conversion, places)
            }
        }
    }

    // MARK: Columns

    private static func attributeColumns(
        _ layout: EntityLayout, _ entity: String, _ conversion: CoreDataConversion, _ places: CoreDataPlaces
    ) -> [Column] {
        places.leaves(of: entity).compactMap { leaf in
            let owner = leaf.composite ?? leaf.property
            guard let name = conversion.propertyNames[owner], let property = layout.property(named: name),
                let attribute = property.attribute, !property.columns.isEmpty
            else { return nil }
            var (column, type) = (property.columns.lowerBound, attribute.type)
            if case .composite(let parts) = attribute.type {
                let path = leaf.property.name.dropFirst(owner.name.count + 1)
                guard let part = Self.partName(String(path), of: owner, places),
                    let index = parts.firstIndex(where: { $0.name == part })
                else { return nil }
                (column, type) = (column + index, parts[index].type)
            }
            return Column(
                column: column, expression: "s." + CoreDataQueries.quoted(leaf.column),
                attribute: leaf.attribute,
                type: type)
        }
    }

    private static func partName(_ path: String, of owner: CoreDataFacts.Property, _ places: CoreDataPlaces)
        -> String?
    {
        let attribute = places.model.entity(named: owner.entity)?.attributes.first { $0.name == owner.name }
        return attribute.flatMap { CoreDataConversion.parts(of: $0).first { $0.path == path }?.name }
    }

    private static func referenceColumns(
        _ layout: EntityLayout, _ entity: String, _ conversion: CoreDataConversion, _ places: CoreDataPlaces
    ) -> [Column] {
        var columns: [Column] = places.references(of: entity).compactMap { reference in
            guard let name = conversion.propertyNames[reference.property] else { return nil }
            return column(of: name, layout, reference.column, reference.destination, places)
        }
        // Relationships to many objects without an inverse, whose column is in the rows of the members.
        for (property, added) in conversion.addedInverses {
            guard layout.property(named: added) != nil,
                case .members(_, let column, _)? = places.tables.entities[property.entity]?.collections[
                    property.name]
            else { continue }
            if let found = Self.column(of: added, layout, column, property.entity, places) {
                columns.append(found)
            }
        }
        return columns
    }

    /// Returns the column of a reference, which is null if its destination doesn't exist.
    private static func column(
        of name: String, _ layout: EntityLayout, _ column: String, _ destination: String,
        _ places: CoreDataPlaces
    ) -> Column? {
        guard let index = layout.property(named: name)?.columns.first,
            let table = places.table(of: destination)
        else {
            return nil
        }
        let key = "s." + CoreDataQueries.quoted(column)
        let exists = CoreDataQueries.exists(key, table, places.numbers(ofFamily: destination))
        return Column(
            column: index, expression: "CASE WHEN \(exists) THEN \(key) END", attribute: nil, type: nil)
    }

    // MARK: Links

    private mutating func addLinks(
        _ layout: EntityLayout, _ entity: String, declaredBy owner: String, _ conversion: CoreDataConversion,
        _ places: CoreDataPlaces
    ) {
        for relationship in places.model.entity(named: owner)?.relationships ?? [] {
            let property = CoreDataFacts.Property(entity: owner, name: relationship.name)
            guard let name = conversion.propertyNames[property],
                let slot = layout.property(named: name)?.slot,
                let collection = places.tables.entities[entity]?.collections[relationship.name],
                let targets = places.table(of: relationship.destination), let owners = places.table(of: owner)
            else { continue }
            let families = (
                places.numbers(ofFamily: owner), places.numbers(ofFamily: relationship.destination)
            )
            switch collection {
            case .members(let table, let column, let order):
                links[Slot(entityIndex: layout.index, slot: slot)] = Self.membersQuery(
                    table, column, order: order, relationship.isOrdered, families.1)
            case .links(let link):
                let isOwnInverse =
                    relationship.inverse == relationship.name && relationship.destination == owner
                links[Slot(entityIndex: layout.index, slot: slot)] = Self.linksQuery(
                    link, (owners, families.0), (targets, families.1), isOwnInverse: isOwnInverse,
                    relationship.isOrdered)
            }
        }
    }

    private static func membersQuery(
        _ table: String, _ column: String, order: String?, _ isOrdered: Bool, _ numbers: [Int64]
    ) -> LinkQuery {
        let key = "s." + CoreDataQueries.quoted(column)
        let positions =
            order.map { "s.\(CoreDataQueries.quoted($0)) IS NULL, s.\(CoreDataQueries.quoted($0)), " } ?? ""
        return LinkQuery(
            text: """
                SELECT \(key), s.Z_PK FROM \(CoreDataQueries.quoted(table)) AS s \
                WHERE \(key) IN (SELECT value FROM json_each(?1)) AND \(CoreDataQueries.hasKey("s")) \
                AND +s.Z_ENT IN (\(CoreDataQueries.list(numbers))) ORDER BY \(key), \(positions)s.Z_PK
                """, isOrdered: isOrdered)
    }

    private static func linksQuery(
        _ link: CoreDataTables.LinkTable, _ owners: (table: String, numbers: [Int64]),
        _ targets: (table: String, numbers: [Int64]), isOwnInverse: Bool, _ isOrdered: Bool
    ) -> LinkQuery {
        let (owner, target) = (CoreDataQueries.quoted(link.owner), CoreDataQueries.quoted(link.target))
        let position = link.order.map { CoreDataQueries.quoted($0) } ?? "NULL"
        let table = CoreDataQueries.quoted(link.table)
        // A relationship that is its own inverse has one row for two objects, which are linked in both directions.
        let rows =
            isOwnInverse
            ? "SELECT \(owner) AS o, \(target) AS t, NULL AS p FROM \(table) UNION SELECT \(target), \(owner), NULL FROM \(table)"
            : "SELECT \(owner) AS o, \(target) AS t, \(position) AS p FROM \(table)"
        return LinkQuery(
            text: """
                SELECT o, t FROM (\(rows)) WHERE o IN (SELECT value FROM json_each(?1)) \
                AND \(CoreDataQueries.exists("o", owners.table, owners.numbers)) \
                AND \(CoreDataQueries.exists("t", targets.table, targets.numbers)) \
                GROUP BY o, t ORDER BY o, min(p) IS NULL, min(p), t
                """, isOrdered: isOrdered)
    }
}
