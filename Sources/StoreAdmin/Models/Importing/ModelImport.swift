import ContextCore

/// Derives a model from the tables of a database that another program created.
///
/// A table becomes an entity, a column an attribute, and a foreign key a to-one relationship with its inverse. A table that
/// consists of two foreign keys, and that no other table refers to, becomes a many-to-many relationship. A remark describes each part
/// of the tables that a model can't express.
struct ModelImport {
    /// The entities, in the order of the tables.
    private(set) var entities: [EntityDescription] = []
    /// Sentences about the parts of the tables that the model doesn't contain.
    private(set) var remarks: [String] = []

    private var names: [String: String] = [:]
    private var indices: [String: Int] = [:]
    private var usedNames: [UsedNames] = []

    init(_ structures: [TableStructure]) {
        let tables = structures.filter { !$0.isView }
        let known = Set(tables.map(\.name))
        let referred = Set(tables.flatMap { $0.references.map(\.table) })
        let links = tables.filter { Self.isLink($0, among: known) && !referred.contains($0.name) }
        let others = tables.filter { !links.contains($0) }
        nameEntities(others)
        var imported = others.map { ImportedTable($0, entity: names[$0.name] ?? $0.name) }
        for place in imported.indices { addAttributes(&imported[place]) }
        for place in imported.indices { addReferences(&imported[place]) }
        for place in imported.indices { addConstraints(imported[place]) }
        for link in links { addLink(link) }
        for table in tables {
            for index in table.partialIndexes {
                remarks.append(
                    "\(table.name).\(index): partial indexes and indexes over expressions are not imported."
                )
            }
        }
        for view in structures where view.isView { remarks.append("\(view.name): views are not imported.") }
    }

    /// Whether a table consists of two foreign keys, and at most a primary key of its own.
    private static func isLink(_ table: TableStructure, among known: Set<String>) -> Bool {
        guard table.references.count == 2,
            table.references.allSatisfy({ $0.columns.count == 1 && known.contains($0.table) })
        else { return false }
        let referring = Set(table.references.flatMap(\.columns))
        guard referring.count == 2 else { return false }
        let others = table.columns.filter { !referring.contains($0.name) }
        let isPair = Set(table.primaryKey) == referring && others.isEmpty
        let isNumberedPair =
            others.map(\.name) == table.primaryKey && table.uniqueColumns.contains { Set($0) == referring }
        return isPair || isNumberedPair
    }

    private mutating func nameEntities(_ tables: [TableStructure]) {
        var entityNames = UsedNames()
        for table in tables {
            let name = entityNames.reserve(ImportedNames.entity(table.name))
            names[table.name] = name
            indices[table.name] = entities.count
            entities.append(EntityDescription(name))
            usedNames.append(UsedNames())
        }
    }

    // MARK: Properties

    private mutating func addAttributes(_ table: inout ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        for column in table.structure.columns where !table.isReference(column.name) {
            if table.isIntegerKey(column) {
                remarks.append(
                    "\(table.qualifiedName(column.name)): the primary key is not imported; objects have identifiers."
                )
                continue
            }
            guard let type = column.type else {
                remarks.append(
                    "\(table.qualifiedName(column.name)): no attribute type fits the column type “\(column.declaredType)”."
                )
                continue
            }
            if column.isFilled {
                remarks.append(
                    "\(table.qualifiedName(column.name)): its default or generated value is not imported.")
            }
            let name = usedNames[index].reserve(ImportedNames.property(column.name))
            table.properties[column.name] = name
            entities[index].attributes.append(
                AttributeDescription(name, type, isOptional: column.isOptional))
        }
    }

    private mutating func addReferences(_ table: inout ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        for reference in table.structure.references {
            guard reference.columns.count == 1, let other = indices[reference.table] else {
                remarks.append(
                    "\(table.qualifiedName(reference.columns.joined(separator: ", "))): the reference to \(reference.table) "
                        + "is not imported, because it has several columns or its table is not imported.")
                continue
            }
            // A column may have two foreign keys. Only the first becomes a relationship.
            guard let column = table.column(reference.columns[0]), table.properties[column.name] == nil else {
                continue
            }
            let name = usedNames[index].reserve(ImportedNames.reference(column.name), isReference: true)
            table.properties[column.name] = name
            let isOne = table.isUnique(column.name)
            let back = inverse(of: name, from: index, to: other, isOne: isOne, table.structure)
            entities[index].relationships.append(
                RelationshipDescription(
                    name, to: entities[other].name, inverse: back, isOptional: column.isOptional))
            entities[other].relationships.append(
                RelationshipDescription(
                    back, to: entities[index].name, inverse: name, isToMany: !isOne,
                    deleteRule: reference.deleteRule))
        }
    }

    /// Returns the name of the inverse: `players`, or `playersOfReserve` if the table has several references to the entity.
    private mutating func inverse(
        of name: String, from index: Int, to other: Int, isOne: Bool, _ table: TableStructure
    ) -> String {
        let entity = entities[index].name
        let plain = isOne ? ImportedNames.uncapitalized(entity) : ImportedNames.collection(entity)
        let target = table.references.filter { indices[$0.table] == other }.count
        let wanted = target == 1 ? plain : plain + "Of" + ImportedNames.capitalized(name)
        return usedNames[other].reserve(wanted, isReference: isOne)
    }

    private mutating func addLink(_ table: TableStructure) {
        let ends = table.references.map { (index: indices[$0.table], reference: $0) }
        guard let one = ends[0].index, let other = ends[1].index else { return }
        let isSelf = one == other
        let there = ImportedNames.collection(
            isSelf ? ImportedNames.reference(ends[1].reference.columns[0]) : entities[other].name)
        let back = ImportedNames.collection(
            isSelf ? ImportedNames.reference(ends[0].reference.columns[0]) : entities[one].name)
        let forward = usedNames[one].reserve(there)
        let backward = usedNames[other].reserve(back)
        entities[one].relationships.append(
            RelationshipDescription(forward, to: entities[other].name, inverse: backward, isToMany: true))
        entities[other].relationships.append(
            RelationshipDescription(backward, to: entities[one].name, inverse: forward, isToMany: true))
        let references = table.references.sorted { $0.columns[0].precedes($1.columns[0]) }
        for reference in references where reference.deleteRule == .deny {
            remarks.append(
                "\(table.name).\(reference.columns[0]): the database denies deleting a row of \(reference.table) with links; "
                    + "deleting the object deletes its links.")
        }
    }

    // MARK: Constraints

    private mutating func addConstraints(_ table: ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        let key = table.structure.primaryKey
        for columns in (key.isEmpty ? [] : [key]) + table.structure.uniqueColumns {
            guard let properties = table.properties(columns) else { continue }
            // The to-one inverse expresses this constraint.
            if columns.count == 1, table.isReference(columns[0]) { continue }
            let constraint = UniqueConstraint(properties)
            if !entities[index].uniqueConstraints.contains(constraint) {
                entities[index].uniqueConstraints.append(constraint)
            }
        }
        for columns in table.structure.indexedColumns {
            guard let properties = table.properties(columns) else { continue }
            // The store creates an index for each relationship.
            if columns.count == 1, table.isReference(columns[0]) { continue }
            let description = IndexDescription(properties.map { IndexDescription.Element($0) })
            if !entities[index].indexes.contains(description) { entities[index].indexes.append(description) }
        }
    }
}

/// A table with the properties that its columns are imported as.
private struct ImportedTable {
    let structure: TableStructure
    let entity: String
    var properties: [String: String] = [:]

    init(_ structure: TableStructure, entity: String) {
        self.structure = structure
        self.entity = entity
    }

    /// Returns the qualified name of a column for remarks: `players.score`.
    func qualifiedName(_ column: String) -> String { "\(structure.name).\(column)" }

    func column(_ name: String) -> TableStructure.Column? { structure.columns.first { $0.name == name } }

    func isReference(_ column: String) -> Bool {
        structure.references.contains { $0.columns == [column] }
    }

    /// Whether a column is an integer primary key, which is replaced by the object's identifier.
    func isIntegerKey(_ column: TableStructure.Column) -> Bool {
        guard structure.primaryKey == [column.name] else { return false }
        return [.int16, .int32, .int64].contains(column.type)
    }

    func isUnique(_ column: String) -> Bool {
        structure.primaryKey == [column] || structure.uniqueColumns.contains([column])
    }

    /// Returns the properties of the given columns; nil if a column has no property.
    func properties(_ columns: [String]) -> [String]? {
        let properties = columns.compactMap { self.properties[$0] }
        return properties.count == columns.count ? properties : nil
    }
}

/// The names that are in use for entities, or for the properties of an entity, in the spelling of the database.
private struct UsedNames {
    private var names: Set<String> = []

    /// Reserves a name and returns it, with a number appended if the name is in use or reserved.
    mutating func reserve(_ name: String, isReference: Bool = false) -> String {
        var number = 1
        while true {
            let candidate = number == 1 ? name : "\(name)\(number)"
            let columns = Self.columnNames(for: candidate, isReference: isReference)
            if names.isDisjoint(with: columns), !ReservedNames.isReserved(candidate) {
                names.formUnion(columns)
                return candidate
            }
            number += 1
        }
    }

    /// Returns the column names that a property may use; those of a to-one relationship include names with a suffix.
    private static func columnNames(for name: String, isReference: Bool) -> [String] {
        let column = SnakeCase.name(name)
        return isReference ? [column, column + "_id", column + "_order"] : [column]
    }
}
