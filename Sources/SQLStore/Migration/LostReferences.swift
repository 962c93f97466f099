import ContextCore

/// The references and links of one migration that can't stay, since the objects that they refer to, or that have them, leave the
/// relationship: their entity moves in its tree, leaves it, or is removed.
struct LostReferences {
    /// A column of references, by its names before and after.
    struct Column {
        let path: String
        let isRequired: Bool
        let table: String
        let column: String
        /// Whether the column may be empty before.
        let isNullable: Bool
        let position: String?
        /// The numbers of the entities whose rows have the reference; nil where all rows of the table have it.
        let owners: [Int]?
        let target: Target
        let newTable: String
        let newColumn: String
        let newPosition: String?
    }

    /// A table of links, by its names after, and before where it is an older table.
    struct Links {
        let paths: [String]
        let older: (table: String, owner: String, target: String)?
        let table: LinkTable
        /// The ends of which some objects leave the relationship; an end without any is nil.
        let owners: Target?
        let targets: Target?
    }

    /// The objects that a reference can't refer to any more.
    struct Target {
        let table: String
        /// The numbers of their entities; nil where the table's rows don't say what they are, and all are meant.
        let numbers: [Int]?
        /// Where those are afterwards that it can refer to, and their numbers.
        let newTable: String
        let newNumbers: [Int]?
    }

    /// Columns of a table whose entities have lost a property, and keep their rows in the table.
    struct Leftover {
        let table: String
        let columns: [String]
        let numbers: [Int]
        /// The tables of the values of these columns that lie outside of their rows.
        let valueTables: [String]
    }

    private(set) var columns: [Column] = []
    private(set) var links: [Links] = []
    private(set) var leftovers: [Leftover] = []

    var isEmpty: Bool { columns.isEmpty && links.isEmpty }
}

// MARK: - Finding them

extension LostReferences {
    init(_ schema: SchemaTransition) {
        for entity in schema.new.entities {
            for property in entity.layout.properties {
                guard
                    entity.layout.declaring(property.slot, in: schema.new.model).index == entity.layout.index
                else { continue }
                if let relationship = property.relationship, !relationship.description.isToMany,
                    schema.filling(property, of: entity.layout) == nil
                {
                    columns += schema.lostColumns(of: property, relationship, entity)
                }
                leftovers += schema.leftovers(of: property, entity)
            }
        }
        links = schema.new.linkTables.compactMap(schema.lostLinks)
    }
}

extension SchemaTransition {
    /// The references of one to-one relationship, a value for each older column that they come from.
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
                let target = target(old.entities[was.destinationIndex], destination)
            else { continue }
            let name = pair.old.columns[column].name
            let owners = pairs(below: entity).filter { other in
                let place = olderReference(property, entity.layout, relationship, other.old)?.columns.first
                return place.map { other.old.columns[$0].name } == name
            }
            found.append(
                .init(
                    path: "\(entity.layout.name).\(property.name)",
                    isRequired: !relationship.description.isOptional, table: pair.old.table, column: name,
                    isNullable: pair.old.columns[column].isNullable,
                    position: old.position(of: name, in: pair.old.table),
                    owners: pair.old.hasEntityColumn ? owners.map(\.old.number) : nil, target: target,
                    newTable: entity.table, newColumn: entity.columns[place].name,
                    newPosition: new.position(of: entity.columns[place].name, in: entity.table)))
        }
        return found
    }

    /// The older property that a reference comes from, as ``ColumnChange`` takes it over; nil where its values aren't kept.
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

    /// The newer entities at and below one that were there before, with objects of their own.
    func pairs(below entity: EntityMapping) -> [Pair] {
        entity.layout.familyIndices.compactMap { index in
            origin(of: new.entities[index]).map { Pair(new: new.entities[index], old: $0) }
        }
    }

    func target(_ older: EntityMapping, _ newer: EntityMapping) -> LostReferences.Target? {
        let lost = matching.lost(from: older.layout, in: old.model, to: newer.layout, in: new.model)
        if lost.isEmpty { return nil }
        let numbers = lost.names.compactMap(old.model.layout(named:)).map { old.entities[$0.index].number }
        return .init(
            table: older.table, numbers: older.hasEntityColumn ? numbers.sorted() : nil,
            newTable: newer.table,
            newNumbers: newer.hasEntityColumn
                ? newer.layout.familyIndices.map { new.entities[$0].number }.sorted() : nil)
    }

    /// The links of a relationship to many on both sides, or without an inverse.
    fileprivate func lostLinks(_ links: LinkTable) -> LostReferences.Links? {
        guard let (entity, slot) = end(of: links),
            let relationship = entity.layout.properties[slot].relationship,
            filling(entity.layout.properties[slot], of: entity.layout) == nil,
            let ends = olderEnds(of: slot, entity)
        else { return nil }
        let destination = new.entities[relationship.destinationIndex]
        let (owners, targets) = (target(ends.owner, entity), target(ends.target, destination))
        if owners == nil, targets == nil { return nil }
        var paths = ["\(entity.layout.name).\(entity.layout.properties[slot].name)"]
        if let inverse = relationship.inverseSlot {
            paths.append("\(destination.layout.name).\(destination.layout.properties[inverse].name)")
        }
        return .init(paths: paths, older: ends.table, table: links, owners: owners, targets: targets)
    }

    /// The entities that the ends of the relationship had which a newer one was, and its table where it had one of its own.
    private func olderEnds(of slot: Int, _ entity: EntityMapping) -> (
        owner: EntityMapping, target: EntityMapping, table: (table: String, owner: String, target: String)?
    )? {
        if let older = olderProperty(slot, of: entity), let ends = olderEnds(older) { return ends }
        guard let inverse = inverse(of: slot, entity), let older = olderProperty(inverse.1, of: inverse.0),
            let ends = olderEnds(older)
        else { return nil }
        return (ends.target, ends.owner, ends.table.map { ($0.table, $0.target, $0.owner) })
    }

    private func olderEnds(_ older: (entity: EntityMapping, property: PropertyLayout)) -> (
        owner: EntityMapping, target: EntityMapping, table: (table: String, owner: String, target: String)?
    )? {
        guard let relationship = older.property.relationship else { return nil }
        let declaring = older.entity.layout.declaring(older.property.slot, in: old.model)
        var table: (table: String, owner: String, target: String)?
        if case .links(let links)? = older.entity.collections[older.property.slot] {
            table = (links.table, links.owner, links.target)
        }
        return (old.entities[declaring.index], old.entities[relationship.destinationIndex], table)
    }

    /// The values that rows of entities keep which had a property of this table's, and have it no more.
    fileprivate func leftovers(of property: PropertyLayout, _ entity: EntityMapping) -> [LostReferences
        .Leftover]
    {
        // All rows of the table have what its topmost entity declares.
        if property.columns.isEmpty || entity.layout.rootIndex == entity.layout.index { return [] }
        let names = property.columns.map { entity.columns[$0].name }
        let externals = property.columns.compactMap { entity.columns[$0].external }
        let columns =
            names + names.compactMap { new.position(of: $0, in: entity.table) } + externals.map(\.stamp)
        guard let origin = pairs(below: entity).first?.old,
            let older = matching.property(
                property.name, of: entity.layout, from: origin.layout, in: old.model)
        else { return [] }
        let declaring = origin.layout.declaring(older.slot, in: old.model)
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
    /// The column that says where a row stands among those that refer to the same object; nil where they have no order.
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
    /// Removes them from the older tables; their columns may be empty from then on.
    var clearingOlderTables: [SQLFragment] {
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
        for links in links {
            guard let older = links.older, let condition = links.olderCondition(older.owner, older.target)
            else { continue }
            statements.append("DELETE FROM \(name: older.table) WHERE \(condition)")
        }
        return statements
    }

    /// Removes links that were copied into a new table of links, while the older tables are there.
    func clearingCopies(pendingName: (LinkTable) -> String) -> [SQLFragment] {
        links.filter { $0.older == nil }.compactMap { links in
            links.olderCondition(links.table.owner, links.table.target).map {
                "DELETE FROM \(name: pendingName(links.table)) WHERE \($0)"
            }
        }
    }

    /// Removes them from the newer tables, once these have their names.
    var clearingNewerTables: [SQLFragment] {
        let cleared = columns.filter { !$0.isRequired }.map { column -> SQLFragment in
            let emptied = [column.newColumn] + [column.newPosition].compactMap(\.self)
            let assignments = emptied.map { "\(name: $0) = NULL" as SQLFragment }.joined()
            let missing = column.target.missing(column.newColumn, of: column.newTable)
            return
                "UPDATE \(name: column.newTable) SET \(assignments) WHERE \(name: column.newColumn) IS NOT NULL AND \(missing)"
        }
        let deleted = links.map { links -> SQLFragment in
            let conditions = [
                links.owners?.missing(links.table.owner, of: links.table.name),
                links.targets?.missing(links.table.target, of: links.table.name),
            ]
            return
                "DELETE FROM \(name: links.table.name) WHERE \(conditions.compactMap(\.self).joined(by: " OR "))"
        }
        return cleared + deleted
    }

    /// Empties the columns of rows whose entities don't have them any more, in the newer tables.
    var clearingLeftovers: [SQLFragment] {
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

    /// Counts the objects with a reference that is required and can't stay.
    var checks: [(table: String, check: RowCheck)] {
        columns.filter(\.isRequired).map { column in
            (
                column.newTable,
                RowCheck(
                    "SELECT count(*) FROM \(name: column.table) WHERE \(column.olderCondition)",
                    "objects refer by \(column.path), which is required, to objects that it can't refer to any more",
                    rule: ("required-reference-lost", column.path))
            )
        }
    }

    /// Counts what is lost of a relationship.
    func counts(of path: String) -> [SQLFragment] {
        columns.filter { $0.path == path }.map {
            "SELECT count(*) FROM \(name: $0.table) WHERE \($0.olderCondition)"
        }
            + links.filter { $0.paths.contains(path) }.compactMap { links in
                guard let older = links.older else { return nil }
                return links.olderCondition(older.owner, older.target).map {
                    "SELECT count(*) FROM \(name: older.table) WHERE \($0)"
                }
            }
    }

    /// The older tables that references and links are removed from.
    var tables: [String] { columns.map(\.table) + links.compactMap(\.older?.table) }
}

extension LostReferences.Column {
    fileprivate var olderCondition: SQLFragment {
        let lost = target.lost(column)
        guard let owners else { return lost }
        return "\(name: StoreNames.entity) IN (\(owners.list)) AND \(lost)"
    }
}

extension LostReferences.Links {
    /// Chooses the links that can't stay, in a table with the columns of both ends.
    fileprivate func olderCondition(_ owner: String, _ target: String) -> SQLFragment? {
        let conditions = [owners?.lost(owner), targets?.lost(target)].compactMap(\.self)
        return conditions.isEmpty ? nil : conditions.joined(by: " OR ")
    }
}

extension LostReferences.Target {
    /// Whether a column refers to one of the lost objects, while the older tables are there.
    func lost(_ column: String) -> SQLFragment {
        let filter: SQLFragment = numbers.map { " WHERE \(name: StoreNames.entity) IN (\($0.list))" } ?? ""
        return "\(name: column) IN (SELECT \(name: StoreNames.key) FROM \(name: table)\(filter))"
    }

    /// Whether a column of a newer table refers to no object that it can refer to.
    fileprivate func missing(_ column: String, of referring: String) -> SQLFragment {
        let filter: SQLFragment =
            newNumbers.map { " AND \(name: "target").\(name: StoreNames.entity) IN (\($0.list))" } ?? ""
        return """
            NOT EXISTS (SELECT 1 FROM \(name: newTable) AS \(name: "target") \
            WHERE \(name: "target").\(name: StoreNames.key) = \(name: referring).\(name: column)\(filter))
            """
    }
}

extension [Int] {
    fileprivate var list: SQLFragment { map { "\(number: $0)" as SQLFragment }.joined() }
}
