import ContextCore

/// Where a Core Data store keeps the objects of a model.
///
/// An inheritance tree has one table, whose name is `Z` and the name of the root entity in capitals, and the column `Z_ENT` has the number
/// of the row's entity. The column of a property is named likewise; a digit follows if several entities of the tree have a property of the
/// same name. A relationship without order has the column in the row that refers; a many-to-many relationship has a join table.
struct CoreDataTables: Sendable {
    /// Where the objects of an entity are, with those of its superentities' properties.
    struct Entity: Sendable, Equatable {
        let number: Int64
        let table: String
        /// The columns of stored attributes by their names; a part of a composite is written `address.city`.
        var attributes: [String: String] = [:]
        /// The columns of to-one relationships.
        var references: [String: String] = [:]
        /// The to-many relationships.
        var collections: [String: Collection] = [:]
    }

    /// Where the members of a to-many relationship are.
    enum Collection: Sendable, Equatable {
        /// In the table of the members, whose column has the key of the owner.
        case members(table: String, column: String, order: String?)
        /// In a table with a row for each link.
        case links(LinkTable)
    }

    struct LinkTable: Sendable, Equatable {
        let table: String
        let owner: String
        let target: String
        /// The column with the positions in the owner's list; nil if the relationship is not ordered.
        let order: String?
    }

    /// The entities that the store has, by name.
    private(set) var entities: [String: Entity] = [:]
    /// The parts of the model that the store has no place for: a sentence each.
    private(set) var mismatches: [String] = []
    /// The entities of the store that the model doesn't have.
    private(set) var unknownEntities: [CoreDataSchema.Entity] = []
    /// The columns that the model has no property for.
    private(set) var unknownColumns: [Column] = []
    /// The columns of properties of one tree with the same name, which only differ in a number.
    private(set) var sharedNames: [SharedName] = []

    struct Column: Sendable, Equatable {
        let table: String
        let name: String
    }

    /// A column that belongs to one of several properties with the same name.
    struct SharedName: Sendable, Equatable {
        let table: String
        let column: String
        let property: String
        /// The numbers of the entities whose rows may have a value in the column.
        let entities: [Int64]
    }

    private let model: CoreDataModel
    private let schema: CoreDataSchema
    private var claimed: [String: Set<String>] = [:]
    /// The numbers of the entities that the store has, by name.
    private var numbers: [String: Int64] = [:]

    init(_ model: CoreDataModel, _ schema: CoreDataSchema) {
        self.model = model
        self.schema = schema
        for entity in model.entities { numbers[entity.name] = Self.number(of: entity, model, schema) }
        let known = Set(numbers.values)
        unknownEntities = schema.entities.filter { !known.contains($0.number) }
        for root in model.roots { findColumns(ofTree: root) }
        for root in model.roots {
            for name in model.tree(ofRoot: root) where entities[name] != nil { findCollections(of: name) }
        }
        findUnknownColumns()
    }

    /// Returns the number of an entity, which may still have the name of an earlier version in the store.
    private static func number(
        of entity: CoreDataModel.Entity, _ model: CoreDataModel, _ schema: CoreDataSchema
    ) -> Int64? {
        if let found = schema.entity(named: entity.name) { return found.number }
        guard let former = entity.renamingIdentifier, model.entity(named: former) == nil else { return nil }
        return schema.entity(named: former)?.number
    }

    // MARK: Columns

    /// A property with a column in the table of a tree.
    private struct Claim {
        let entity: String
        /// The name, or the path of a part: `address.city`.
        let property: String
        /// The names that the column may have, without `Z` and digits.
        let names: [String]
        let isReference: Bool
    }

    private mutating func findColumns(ofTree root: String) {
        let names = model.tree(ofRoot: root).filter { numbers[$0] != nil }
        guard !names.isEmpty else { return }
        let former = model.entity(named: root)?.renamingIdentifier ?? root
        let table = "Z" + (schema.tables["Z" + root.uppercased()] == nil ? former : root).uppercased()
        guard let columns = schema.tables[table], columns.contains("Z_PK"), columns.contains("Z_ENT") else {
            mismatches.append("the table \(table) of the entity \(root) is missing")
            return
        }
        for name in names {
            guard let number = numbers[name] else { continue }
            entities[name] = Entity(number: number, table: table)
        }
        let places = names.sorted { (entities[$0]?.number ?? 0) < (entities[$1]?.number ?? 0) }
        var groups: [(name: String, claims: [Claim])] = []
        for claim in places.flatMap(claims) {
            let name = claim.names.first { !Self.columns(columns, named: "Z" + $0).isEmpty } ?? claim.names[0]
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].claims.append(claim)
            } else {
                groups.append((name, [claim]))
            }
        }
        // Names that one property has alone come first, so that the column of “name1” isn't taken for the second of two “name”.
        for group in groups.filter({ $0.claims.count == 1 }) + groups.filter({ $0.claims.count > 1 }) {
            assign(group.claims, named: "Z" + group.name, in: table, columns)
        }
    }

    private func claims(of entity: String) -> [Claim] {
        guard let description = model.entity(named: entity) else { return [] }
        let attributes = description.attributes.filter { !$0.isTransient && $0.type != .undefined }.flatMap {
            attribute in
            Self.leaves(of: attribute).map { path in
                let last = path[path.count - 1].uppercased()
                let joined = path.map { $0.uppercased() }
                // How parts of a composite are named isn't documented: by themselves, or together with the composite.
                let names = path.count == 1 ? [last] : [joined.joined(separator: "_"), joined.joined(), last]
                return Claim(
                    entity: entity, property: path.joined(separator: "."), names: names, isReference: false)
            }
        }
        let references = description.relationships.filter { !$0.isToMany && !$0.isTransient }.map {
            Claim(entity: entity, property: $0.name, names: [$0.name.uppercased()], isReference: true)
        }
        return attributes + references
    }

    /// Returns the paths of an attribute's parts, or that of the attribute itself.
    private static func leaves(of attribute: CoreDataModel.Attribute) -> [[String]] {
        guard attribute.type == .composite else { return [[attribute.name]] }
        return attribute.parts.flatMap { part in leaves(of: part).map { [attribute.name] + $0 } }
    }

    private mutating func assign(_ claims: [Claim], named name: String, in table: String, _ columns: [String])
    {
        let free = Self.columns(columns, named: name).filter { claimed[table]?.contains($0) != true }
        let isAlone = claims.count == 1
        for (index, claim) in claims.enumerated() {
            guard index < free.count else {
                mismatches.append("\(claim.entity).\(claim.property) has no column in the table \(table)")
                continue
            }
            claimed[table, default: []].insert(free[index])
            let family = model.tree(ofRoot: claim.entity)
            for entity in family where entities[entity] != nil {
                if claim.isReference {
                    entities[entity]?.references[claim.property] = free[index]
                } else {
                    entities[entity]?.attributes[claim.property] = free[index]
                }
            }
            if isAlone { continue }
            sharedNames.append(
                SharedName(
                    table: table, column: free[index], property: "\(claim.entity).\(claim.property)",
                    entities: family.compactMap { entities[$0]?.number }))
        }
    }

    /// Returns the columns with a name, which a number may follow, in the order of the numbers.
    private static func columns(_ columns: [String], named name: String) -> [String] {
        columns.compactMap { column in suffix(of: column, name).map { (column, $0) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Returns the number after a name: 0 if there is none; nil if the column has another name.
    private static func suffix(of column: String, _ name: String) -> Int? {
        guard column.hasPrefix(name) else { return nil }
        let rest = column.dropFirst(name.count)
        return rest.isEmpty ? 0 : rest.allSatisfy(\.isNumber) ? Int(rest) : nil
    }

    // MARK: Relationships to many objects

    private mutating func findCollections(of name: String) {
        guard let entity = model.entity(named: name) else { return }
        for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
            // The store may contain only some of the entities.
            guard entities[relationship.destination] != nil || !storesTree(of: relationship.destination)
            else { continue }
            guard let collection = collection(relationship, of: name) else {
                mismatches.append("\(name).\(relationship.name) has no column and no table")
                continue
            }
            for member in model.tree(ofRoot: name) {
                entities[member]?.collections[relationship.name] = collection
            }
        }
    }

    private func storesTree(of name: String) -> Bool {
        model.tree(ofRoot: name).contains { entities[$0] != nil }
    }

    private mutating func collection(
        _ relationship: CoreDataModel.Relationship, of source: String
    ) -> Collection? {
        let inverse = relationship.inverse.flatMap { inverseRelationship($0, of: relationship.destination) }
        guard let inverse else { return oneWayCollection(relationship, of: source) }
        if inverse.relationship.isToMany { return linkTable(relationship, of: source, inverse) }
        guard let member = entities[relationship.destination] ?? entities[inverse.entity],
            let column = member.references[inverse.relationship.name]
        else { return nil }
        let order = "Z_FOK_" + column.dropFirst()
        let hasOrder = relationship.isOrdered && schema.tables[member.table]?.contains(order) == true
        return .members(table: member.table, column: column, order: hasOrder ? order : nil)
    }

    /// Returns the inverse of a relationship, and the entity that declares it.
    private func inverseRelationship(
        _ name: String, of destination: String
    ) -> (entity: String, relationship: CoreDataModel.Relationship)? {
        for entity in model.lineage(of: destination) {
            if let found = model.entity(named: entity)?.relationships.first(where: { $0.name == name }) {
                return (entity, found)
            }
        }
        return nil
    }

    /// Finds the column of a relationship without an inverse, whose name begins with the number of its entity: `Z4SEGMENTS`.
    private mutating func oneWayCollection(
        _ relationship: CoreDataModel.Relationship, of source: String
    ) -> Collection? {
        guard let member = entities[relationship.destination] else { return nil }
        let columns = schema.tables[member.table] ?? []
        let related = numbers(related: source)
        for column in columns where claimed[member.table]?.contains(column) != true {
            guard let place = Self.numbered(column, prefix: "Z"), related.contains(place.number),
                Self.suffix(of: place.rest, relationship.name.uppercased()) != nil
            else { continue }
            claimed[member.table, default: []].insert(column)
            let order = "Z_FOK_" + column.dropFirst()
            return .members(table: member.table, column: column, order: columns.contains(order) ? order : nil)
        }
        return nil
    }

    /// Finds the table of a many-to-many relationship, `Z_15USERS`, which is named by one of the two relationships.
    ///
    /// A column has the name of the relationship to whose destination its keys belong, after the number of that entity: `Z_23USERS`.
    private func linkTable(
        _ relationship: CoreDataModel.Relationship, of source: String,
        _ inverse: (entity: String, relationship: CoreDataModel.Relationship)
    ) -> Collection? {
        let isOwnInverse = inverse.entity == source && inverse.relationship.name == relationship.name
        let ends = [(source, relationship.name), (inverse.entity, inverse.relationship.name)]
        for (entity, name) in ends {
            for number in numbers(related: entity) {
                let table = "Z_\(number)\(name.uppercased())"
                guard let columns = schema.tables[table] else { continue }
                let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
                guard keys.count == 2,
                    let target = Self.key(
                        relationship.name, self.numbers(related: relationship.destination), keys),
                    let owner = isOwnInverse
                        ? keys.first(where: { $0 != target })
                        : Self.key(
                            inverse.relationship.name, self.numbers(related: source),
                            keys.filter { $0 != target })
                else { continue }
                let order = "Z_FOK_" + target.dropFirst(2)
                let hasOrder = relationship.isOrdered && columns.contains(order)
                return .links(
                    LinkTable(table: table, owner: owner, target: target, order: hasOrder ? order : nil))
            }
        }
        return nil
    }

    /// Returns the column with the name of a relationship after one of the numbers.
    private static func key(_ name: String, _ numbers: [Int64], _ columns: [String]) -> String? {
        let named = columns.filter { column in
            numbered(column, prefix: "Z_").map { suffix(of: $0.rest, name.uppercased()) != nil } == true
        }
        return named.first { column in numbers.contains(numbered(column, prefix: "Z_")?.number ?? 0) }
            ?? named.first
    }

    /// Splits a name like `Z_15USERS` into the number and the rest.
    private static func numbered(_ name: String, prefix: String) -> (number: Int64, rest: String)? {
        guard name.hasPrefix(prefix) else { return nil }
        let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
        return Int64(digits).map { ($0, String(name.dropFirst(prefix.count + digits.count))) }
    }

    /// Returns the numbers of an entity, its superentities and its subentities, the entity's own first.
    private func numbers(related name: String) -> [Int64] {
        (model.lineage(of: name) + model.tree(ofRoot: name)).compactMap { numbers[$0] }
    }

    // MARK: Unknown parts

    /// Whether the model has exactly the entities and properties of the store.
    var fitExactly: Bool { mismatches.isEmpty && unknownEntities.isEmpty && unknownColumns.isEmpty }

    private mutating func findUnknownColumns() {
        for table in Set(entities.values.map(\.table)).sorted() {
            for column in schema.tables[table] ?? [] {
                // Z_PK, Z_ENT, Z_OPT and Z_FOK_…; Z10_… has the number of a referenced row's entity.
                if column.hasPrefix("Z_") || claimed[table]?.contains(column) == true { continue }
                if let place = Self.numbered(column, prefix: "Z"), place.rest.hasPrefix("_") { continue }
                unknownColumns.append(Column(table: table, name: column))
            }
        }
    }
}
