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
        /// The same for the newer table.
        let newOwners: [Int]?
        let target: Target
        let newTable: String
        let newColumn: String
        let newPosition: String?
    }

    /// A table of links, and where the links were before.
    struct Links {
        let paths: [String]
        let older: Source
        let table: LinkTable
        /// The ends of which some objects leave the relationship; an end without any is nil.
        let owners: Target?
        let targets: Target?
    }

    /// The columns of an older table that hold both ends of a link in a row.
    struct Source {
        let table: String
        let owner: String
        let target: String
        /// Whether it is a table of links; otherwise the links are references in rows of objects.
        let isLinkTable: Bool

        var reversed: Source { Source(table: table, owner: target, target: owner, isLinkTable: isLinkTable) }
    }

    /// The objects that a reference can't refer to any more.
    struct Target {
        let table: String
        /// The numbers of their entities; nil where the table's rows don't say what they are, and all are meant.
        let numbers: [Int]?
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

    /// - Parameter mayDangle: Whether references to objects that are gone stay as they are.
    func target(
        _ older: EntityMapping, _ newer: EntityMapping, mayDangle: Bool = false
    ) -> LostReferences.Target? {
        let lost = matching.lost(from: older.layout, in: old.model, to: newer.layout, in: new.model)
        let names = mayDangle ? lost.moved : lost.names
        if names.isEmpty { return nil }
        let numbers = names.compactMap(old.model.layout(named:)).map { old.entities[$0.index].number }
        return .init(table: older.table, numbers: older.hasEntityColumn ? numbers.sorted() : nil)
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
        return .init(paths: paths, older: ends.source, table: links, owners: owners, targets: targets)
    }

    /// The entities that the ends of the relationship had which a newer one was, and where its links were.
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
        let declaring = older.entity.layout.declaring(older.property.slot, in: old.model)
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
        return statements
            + links.filter(\.older.isLinkTable).map {
                "DELETE FROM \(name: $0.older.table) WHERE \($0.condition($0.older.owner, $0.older.target))"
            }
    }

    /// Removes links that were copied into a new table of links, while the older tables are there.
    ///
    /// - Parameter presentName: What a newer table is called meanwhile.
    func clearingCopiedLinks(_ presentName: (String) -> String) -> [SQLFragment] {
        links.filter { !$0.older.isLinkTable }.map { clearing($0, presentName) }
    }

    /// Removes them from the newer tables, which have the rows already, while the older tables are there.
    ///
    /// - Parameter presentName: What a newer table is called meanwhile.
    func clearingNewerTables(_ presentName: (String) -> String) -> [SQLFragment] {
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

    /// The older tables that references and links are removed from.
    var tables: [String] {
        columns.map(\.table) + links.map(\.older).filter(\.isLinkTable).map(\.table)
    }
}

extension LostReferences.Column {
    fileprivate var olderCondition: SQLFragment { condition(column, owners) }
    fileprivate var newerCondition: SQLFragment { condition(newColumn, newOwners) }

    private func condition(_ column: String, _ owners: [Int]?) -> SQLFragment {
        let lost = target.lost(column)
        guard let owners else { return lost }
        return "\(name: StoreNames.entity) IN (\(owners.list)) AND \(lost)"
    }
}

extension LostReferences.Links {
    /// Chooses the links that can't stay, in a table with the columns of both ends.
    fileprivate func condition(_ owner: String, _ target: String) -> SQLFragment {
        [owners?.lost(owner), targets?.lost(target)].compactMap(\.self).joined(by: " OR ")
    }
}

extension LostReferences.Target {
    /// Whether a column refers to one of the lost objects, while the older tables are there.
    func lost(_ column: String) -> SQLFragment {
        let filter: SQLFragment = numbers.map { " WHERE \(name: StoreNames.entity) IN (\($0.list))" } ?? ""
        return "\(name: column) IN (SELECT \(name: StoreNames.key) FROM \(name: table)\(filter))"
    }
}

extension [Int] {
    fileprivate var list: SQLFragment { map { "\(number: $0)" as SQLFragment }.joined() }
}
