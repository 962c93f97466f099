import ContextCore

/// The references and links that a migration must remove, because the objects that have them or that they refer to leave the
/// relationship: their entity moves in its tree, leaves the tree, or is removed.
struct LostReferences {
    /// A foreign key column, by its older and newer names.
    struct Column {
        let path: String
        let isRequired: Bool
        let table: String
        let column: String
        /// Whether the older column is nullable.
        let isNullable: Bool
        let position: String?
        /// The numbers of the entities whose older rows have the reference, or nil if all rows of the table have it.
        let owners: [Int]?
        /// The numbers of the entities whose newer rows have the reference, or nil if all rows of the table have it.
        let newOwners: [Int]?
        let target: Target
        let newTable: String
        let newColumn: String
        let newPosition: String?
    }

    /// A join table and the older source of its links.
    struct Links {
        let paths: [String]
        let older: Source
        let table: JoinTable
        /// The objects that leave the relationship, as owners and as members; nil for a side without any.
        let owners: Target?
        let targets: Target?
    }

    /// The columns of an older table whose rows contain links.
    struct Source {
        let table: String
        let owner: String
        let target: String
        /// Whether the table is a join table; otherwise the links are references in rows of objects.
        let isLinkTable: Bool

        var reversed: Source { Source(table: table, owner: target, target: owner, isLinkTable: isLinkTable) }
    }

    /// The objects that a reference can no longer refer to.
    struct Target {
        let table: String
        /// The numbers of their entities, or nil for all rows of a table without an entity column.
        let numbers: [Int]?
    }

    /// Columns of rows that stay in a table but whose entities lose the property.
    struct LeftoverColumns {
        let table: String
        let columns: [String]
        let numbers: [Int]
        /// The tables with external values of these columns.
        let valueTables: [String]
    }

    private(set) var columns: [Column] = []
    private(set) var links: [Links] = []
    private(set) var leftovers: [LeftoverColumns] = []

    var isEmpty: Bool { columns.isEmpty && links.isEmpty }
}

// MARK: - Finding lost references

extension LostReferences {
    init(_ schema: SchemaTransition) {
        for entity in schema.new.entities {
            for property in entity.layout.properties {
                guard
                    entity.layout.declaringEntity(of: property.slot, in: schema.new.model).index
                        == entity.layout.index
                else { continue }
                if let relationship = property.relationship, !relationship.description.isToMany,
                    schema.filledLinks(property, of: entity.layout) == nil
                {
                    columns += schema.lostColumns(of: property, relationship, entity)
                }
                leftovers += schema.leftovers(of: property, entity)
            }
        }
        links = schema.new.joinTables.compactMap(schema.lostLinks)
    }
}

extension SchemaTransition {
    /// Returns the lost references of one to-one relationship, one element per older column.
    fileprivate func lostColumns(
        of property: PropertyLayout, _ relationship: RelationshipLayout, _ entity: EntityMapping
    ) -> [LostReferences.Column] {
        guard let place = property.columns.first else { return [] }
        let destination = new.entities[relationship.destinationIndex]
        var found: [LostReferences.Column] = []
        var seen: Set<String> = []
        for pair in pairs(below: entity) {
            guard let older = olderReference(property, entity.layout, relationship, pair.old),
                let was = older.relationship, let column = older.columns.first,
                seen.insert(pair.old.columns[column].name).inserted,
                let target = target(
                    old.entities[was.destinationIndex], destination,
                    mayDangle: new.model.mayDangle(relationship))
            else { continue }
            let name = pair.old.columns[column].name
            let owners = pairs(below: entity).filter { other in
                let place = olderReference(property, entity.layout, relationship, other.old)?.columns.first
                return place.map { other.old.columns[$0].name } == name
            }
            let numbers = pair.old.hasEntityColumn ? owners.map(\.old.number) : nil
            found.append(
                .init(
                    path: "\(entity.layout.name).\(property.name)",
                    isRequired: !relationship.description.isOptional, table: pair.old.table, column: name,
                    isNullable: pair.old.columns[column].isNullable,
                    position: old.position(of: name, in: pair.old.table),
                    owners: numbers, newOwners: entity.hasEntityColumn ? numbers : nil, target: target,
                    newTable: entity.table, newColumn: entity.columns[place].name,
                    newPosition: new.position(of: entity.columns[place].name, in: entity.table)))
        }
        return found
    }

    /// Returns the older property whose values a reference takes over, as in ``ColumnChange``, or nil if there is none.
    func olderReference(
        _ property: PropertyLayout, _ declaring: EntityLayout, _ relationship: RelationshipLayout,
        _ origin: EntityMapping
    ) -> PropertyLayout? {
        guard let older = matching.property(property.name, of: declaring, from: origin.layout, in: old.model),
            let was = older.relationship, !older.columns.isEmpty
        else { return nil }
        let destination = new.entities[relationship.destinationIndex]
        let table = self.origin(of: destination)?.table ?? commonOrigin(of: destination)
        return old.entities[was.destinationIndex].table == table ? older : nil
    }

    /// Returns the existing entities among a newer entity and its subentities, with their older entities.
    func pairs(below entity: EntityMapping) -> [Pair] {
        entity.layout.familyIndices.compactMap { index in
            origin(of: new.entities[index]).map { Pair(new: new.entities[index], old: $0) }
        }
    }

    /// - Parameter mayDangle: Whether the relationship allows references to deleted objects.
    func target(
        _ older: EntityMapping, _ newer: EntityMapping, mayDangle: Bool = false
    ) -> LostReferences.Target? {
        let lost = matching.lostDestinations(
            from: older.layout, in: old.model, to: newer.layout, in: new.model)
        let names = mayDangle ? lost.moved : lost.names
        if names.isEmpty { return nil }
        let numbers = names.compactMap(old.model.layout(named:)).map { old.entities[$0.index].number }
        return .init(table: older.table, numbers: older.hasEntityColumn ? numbers.sorted() : nil)
    }

    /// Returns the lost links of a relationship that has a join table.
    fileprivate func lostLinks(_ links: JoinTable) -> LostReferences.Links? {
        guard let (entity, slot) = end(of: links),
            let relationship = entity.layout.properties[slot].relationship,
            filledLinks(entity.layout.properties[slot], of: entity.layout) == nil,
            let ends = olderEnds(of: slot, entity)
        else { return nil }
        let destination = new.entities[relationship.destinationIndex]
        let (owners, targets) = (target(ends.owner, entity), target(ends.target, destination))
        if owners == nil, targets == nil { return nil }
        var paths = ["\(entity.layout.name).\(entity.layout.properties[slot].name)"]
        if let inverse = relationship.inverseSlot {
            paths.append("\(destination.layout.name).\(destination.layout.properties[inverse].name)")
        }
        return .init(paths: paths, older: ends.source, table: links, owners: owners, targets: targets)
    }

    /// Returns the owner, the destination and the source of links that a newer relationship had in the older model.
    private func olderEnds(of slot: Int, _ entity: EntityMapping) -> (
        owner: EntityMapping, target: EntityMapping, source: LostReferences.Source
    )? {
        if let older = olderProperty(slot, of: entity), let ends = olderEnds(older) { return ends }
        guard let inverse = inverse(of: slot, entity), let older = olderProperty(inverse.1, of: inverse.0),
            let ends = olderEnds(older)
        else { return nil }
        return (ends.target, ends.owner, ends.source.reversed)
    }

    private func olderEnds(_ older: (entity: EntityMapping, property: PropertyLayout)) -> (
        owner: EntityMapping, target: EntityMapping, source: LostReferences.Source
    )? {
        guard let relationship = older.property.relationship, let source = source(of: older) else {
            return nil
        }
        let declaring = older.entity.layout.declaringEntity(of: older.property.slot, in: old.model)
        return (old.entities[declaring.index], old.entities[relationship.destinationIndex], source)
    }

    private func source(
        of older: (entity: EntityMapping, property: PropertyLayout)
    ) -> LostReferences.Source? {
        let key = StoreNames.key
        switch older.entity.collections[older.property.slot] {
        case .links(let links):
            return .init(table: links.table, owner: links.owner, target: links.target, isLinkTable: true)
        case .children(let children):
            return .init(table: children.table, owner: children.reference, target: key, isLinkTable: false)
        case nil:
            guard let place = older.property.columns.first else { return nil }
            let reference = older.entity.columns[place].name
            return .init(table: older.entity.table, owner: key, target: reference, isLinkTable: false)
        }
    }

    /// Returns the values that rows keep in the table although their entities lose the property.
    fileprivate func leftovers(of property: PropertyLayout, _ entity: EntityMapping) -> [LostReferences
        .LeftoverColumns]
    {
        // All rows of the table have the properties that the root entity declares.
        if property.columns.isEmpty || entity.layout.rootIndex == entity.layout.index { return [] }
        let names = property.columns.map { entity.columns[$0].name }
        let externals = property.columns.compactMap { entity.columns[$0].external }
        let columns =
            names + names.compactMap { new.position(of: $0, in: entity.table) } + externals.map(\.stamp)
        guard let origin = pairs(below: entity).first?.old,
            let older = matching.property(
                property.name, of: entity.layout, from: origin.layout, in: old.model)
        else { return [] }
        let declaring = origin.layout.declaringEntity(of: older.slot, in: old.model)
        let numbers = declaring.familyIndices.compactMap { index -> Int? in
            guard let successor = matching.successor(of: old.model.layouts[index], in: new.model),
                successor.rootIndex == entity.layout.rootIndex, !successor.isKind(of: entity.layout)
            else { return nil }
            return new.entities[successor.index].number
        }
        return numbers.isEmpty
            ? []
            : [
                .init(
                    table: entity.table, columns: columns, numbers: numbers.sorted(),
                    valueTables: externals.map(\.table))
            ]
    }
}

extension StoreMapping {
    /// Returns the position column of a reference, or nil if its inverse is unordered.
    fileprivate func position(of reference: String, in table: String) -> String? {
        for case .children(let children) in entities.flatMap(\.collections.values)
        where children.table == table && children.reference == reference {
            return children.position
        }
        return nil
    }
}

// MARK: - Statements

extension LostReferences {
    /// Clears lost references and links in the older tables; the columns become nullable.
    var olderTableStatements: [SQLFragment] {
        var statements: [SQLFragment] = []
        for column in columns where !column.isRequired {
            if !column.isNullable {
                statements.append(
                    "ALTER TABLE \(name: column.table) ALTER COLUMN \(name: column.column) DROP NOT NULL")
            }
            let emptied = [column.column] + [column.position].compactMap(\.self)
            let assignments = emptied.map { "\(name: $0) = NULL" as SQLFragment }.joined()
            statements.append(
                "UPDATE \(name: column.table) SET \(assignments) WHERE \(column.olderCondition)")
        }
        return statements
            + links.filter(\.older.isLinkTable).map {
                "DELETE FROM \(name: $0.older.table) WHERE \($0.condition($0.older.owner, $0.older.target))"
            }
    }

    /// Deletes lost links that were copied into a new join table, while the older tables exist.
    ///
    /// - Parameter presentName: Returns the current name of a newer table.
    func copiedLinkStatements(_ presentName: (String) -> String) -> [SQLFragment] {
        links.filter { !$0.older.isLinkTable }.map { clearing($0, presentName) }
    }

    /// Clears lost references and links in the newer tables, which have the rows already, while the older tables exist.
    ///
    /// - Parameter presentName: Returns the current name of a newer table.
    func newerTableStatements(_ presentName: (String) -> String) -> [SQLFragment] {
        columns.filter { !$0.isRequired }.map { column -> SQLFragment in
            let emptied = [column.newColumn] + [column.newPosition].compactMap(\.self)
            let assignments = emptied.map { "\(name: $0) = NULL" as SQLFragment }.joined()
            return
                "UPDATE \(name: presentName(column.newTable)) SET \(assignments) WHERE \(column.newerCondition)"
        }
            + links.map { clearing($0, presentName) }
    }

    private func clearing(_ links: Links, _ presentName: (String) -> String) -> SQLFragment {
        let table = links.table
        return
            "DELETE FROM \(name: presentName(table.name)) WHERE \(links.condition(table.owner, table.target))"
    }

    /// Clears columns of rows whose entities no longer have the property, in the newer tables.
    var leftoverStatements: [SQLFragment] {
        leftovers.flatMap { leftover in
            let assignments = leftover.columns.map { "\(name: $0) = NULL" as SQLFragment }.joined()
            let rows: SQLFragment =
                "WHERE \(name: StoreNames.entity) IN (\(leftover.numbers.list))"
            let values = leftover.valueTables.map { table -> SQLFragment in
                """
                DELETE FROM \(name: table) WHERE \(name: StoreNames.owner) IN \
                (SELECT \(name: StoreNames.key) FROM \(name: leftover.table) \(rows))
                """
            }
            return ["UPDATE \(name: leftover.table) SET \(assignments) \(rows)"] + values
        }
    }

    /// The checks that count objects that would lose a required reference.
    var checks: [(table: String, check: RowCheck)] {
        columns.filter(\.isRequired).map { column in
            (
                column.newTable,
                RowCheck(
                    "SELECT count(*) FROM \(name: column.table) WHERE \(column.olderCondition)",
                    "objects refer by \(column.path), which is required, to objects that it can't refer to after the migration",
                    rule: ("required-reference-lost", column.path))
            )
        }
    }

    /// Returns the queries that count the references and links that a relationship loses.
    func counts(of path: String) -> [SQLFragment] {
        columns.filter { $0.path == path }.map {
            "SELECT count(*) FROM \(name: $0.table) WHERE \($0.olderCondition)"
        }
            + links.filter { $0.paths.contains(path) }.map { links in
                let older = links.older
                let present = [older.owner, older.target].map { "\(name: $0) IS NOT NULL" as SQLFragment }
                    .joined(by: " AND ")
                return """
                    SELECT count(*) FROM \(name: older.table) \
                    WHERE \(present) AND (\(links.condition(older.owner, older.target)))
                    """
            }
    }

    /// The older tables from which references and links are removed.
    var tables: [String] {
        columns.map(\.table) + links.map(\.older).filter(\.isLinkTable).map(\.table)
    }
}

extension LostReferences.Column {
    fileprivate var olderCondition: SQLFragment { condition(column, owners) }
    fileprivate var newerCondition: SQLFragment { condition(newColumn, newOwners) }

    private func condition(_ column: String, _ owners: [Int]?) -> SQLFragment {
        let lost = target.refersToLostObject(column)
        guard let owners else { return lost }
        return "\(name: StoreNames.entity) IN (\(owners.list)) AND \(lost)"
    }
}

extension LostReferences.Links {
    /// Returns the condition that selects lost links in a table with both columns.
    fileprivate func condition(_ owner: String, _ target: String) -> SQLFragment {
        [owners?.refersToLostObject(owner), targets?.refersToLostObject(target)].compactMap(\.self).joined(
            by: " OR ")
    }
}

extension LostReferences.Target {
    /// Returns the condition that a column refers to a lost object.
    ///
    /// It queries the older tables, so it must be evaluated before they are dropped.
    func refersToLostObject(_ column: String) -> SQLFragment {
        let filter: SQLFragment = numbers.map { " WHERE \(name: StoreNames.entity) IN (\($0.list))" } ?? ""
        return "\(name: column) IN (SELECT \(name: StoreNames.key) FROM \(name: table)\(filter))"
    }
}

extension [Int] {
    fileprivate var list: SQLFragment { map { "\(number: $0)" as SQLFragment }.joined() }
}
