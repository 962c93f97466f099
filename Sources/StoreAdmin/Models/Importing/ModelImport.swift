import ContextCore

/// Derives a model from the tables of a database that another program created.
///
/// A table becomes an entity, a column an attribute, and a foreign key a to-one relationship with its inverse. A table that
/// consists of two foreign keys, and that no other table refers to, becomes a many-to-many relationship. A remark describes each part
/// of the tables that a model can't express.
struct ModelImport {
    /// The entities, in the order of the tables.
    private(set) var entities: [EntityDescription] = []
    /// The parts of the tables that the model doesn't contain, or contains in another form.
    private(set) var remarks: [ImportRemark] = []
    /// The tables of the entities, in the same order.
    private(set) var tables: [ImportedTable] = []
    /// The tables of the many-to-many relationships.
    private(set) var links: [ImportedLinks] = []

    /// Sentences about names of the mapping that can't be used.
    private(set) var problems: [String] = []

    private let facts: ImportFacts
    private let mapping: ImportMapping
    private var names: [String: String] = [:]
    private var indices: [String: Int] = [:]
    private var usedNames: [UsedNames] = []

    /// Derives the model.
    ///
    /// - Parameters:
    ///   - facts: What the rows of the tables show; the structure alone doesn't.
    ///   - mapping: The names that people chose, and what they left out.
    ///   - otherSchemas: The schemas of the database whose tables aren't among the structures.
    init(
        _ structures: [TableStructure], facts: ImportFacts = ImportFacts(),
        mapping: ImportMapping = ImportMapping(), otherSchemas: [String] = []
    ) {
        self.facts = facts
        self.mapping = mapping
        let tables = structures.filter { $0.hasRows && !mapping.leavesOut($0.name) }
        let known = Set(tables.map(\.name))
        let referred = Set(tables.flatMap { $0.references.map(\.table) })
        let joins = tables.filter {
            Self.isLink($0, among: known) && !referred.contains($0.name) && mapping.table($0.name).allowsLinks
        }
        let others = tables.filter { !joins.contains($0) }
        nameEntities(others)
        for table in others { reserveNames(of: table, among: known) }
        for table in joins { reserveNames(ofLinks: table) }
        var imported = others.map {
            ImportedTable(
                $0, entity: names[$0.name] ?? $0.name, among: known,
                replacesKey: facts.replacedKeys.contains($0.name),
                omittedColumns: mapping.table($0.name).omittedColumns)
        }
        for place in imported.indices { addAttributes(&imported[place]) }
        for place in imported.indices { addReferences(&imported[place]) }
        for table in imported { addConstraints(table) }
        self.tables = imported
        for join in joins { addLink(join) }
        remarks += joins.flatMap(ExtraRemarks.ofLinks) + tables.flatMap(ExtraRemarks.ofTable)
        for table in structures where table.hasRows && mapping.leavesOut(table.name) {
            remark(.omitted, table.name, "the mapping leaves the table out.")
        }
        remarks += structures.compactMap(ExtraRemarks.ofOther)
        if let remark = ExtraRemarks.ofSchemas(otherSchemas) { remarks.append(remark) }
    }

    private mutating func remark(_ kind: ImportRemark.Kind, _ subject: String, _ text: String) {
        remarks.append(ImportRemark(kind: kind, subject: subject, text: text))
    }

    /// Whether a table consists of two foreign keys, and at most a separate primary key.
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
            guard let entity = mapping.table(table.name).entity else { continue }
            names[table.name] = entity
            if entityNames.reserve(entity) != entity {
                problems.append("\(table.name): the name of the entity “\(entity)” is in use, or reserved.")
            }
        }
        for table in tables {
            let name = names[table.name] ?? entityNames.reserve(ImportedNames.entity(table.name))
            names[table.name] = name
            indices[table.name] = entities.count
            entities.append(EntityDescription(name))
            usedNames.append(UsedNames())
        }
    }

    /// Reserves the names of the mapping before others are derived, which yield to them.
    private mutating func reserveNames(of table: TableStructure, among known: Set<String>) {
        guard let index = indices[table.name] else { return }
        for column in mapping.table(table.name).columns {
            let isReference = table.references.contains {
                $0.columns == [column.name] && known.contains($0.table)
            }
            reserve(column.property, index, "\(table.name).\(column.name)", isReference: isReference)
        }
    }

    private mutating func reserveNames(ofLinks table: TableStructure) {
        for (reference, other) in zip(table.references, table.references.reversed()) {
            guard let owner = indices[other.table] else { continue }
            let column = reference.columns[0]
            reserve(mapping.table(table.name).property(column), owner, "\(table.name).\(column)")
        }
    }

    private mutating func reserve(
        _ name: String?, _ index: Int, _ subject: String, isReference: Bool = false
    ) {
        guard let name, usedNames[index].reserve(name, isReference: isReference) != name else { return }
        problems.append("\(subject): the name of the property “\(name)” is in use, or reserved.")
    }

    // MARK: Properties

    private mutating func addAttributes(_ table: inout ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        if table.replacesKey, let key = table.structure.integerKey {
            remark(
                .changed, table.qualifiedName(key),
                "not all values are whole numbers from 1 to \(TableKeys.maxKey), so the objects have other keys, and the values are "
                    + (table.isReference(key) ? "references." : "an attribute."))
        }
        let conditions = TableConditions(table.structure)
        var conversion = AttributeConversion(table, conditions, facts)
        for column in table.structure.columns where !table.isReference(column.name) {
            let mapped = mapping.table(table.structure.name).property(column.name)
            if table.isIntegerKey(column) {
                remark(.changed, table.qualifiedName(column.name), Self.keyText)
                if mapped == nil { continue }
            } else if table.omittedColumns.contains(column.name) {
                remark(.omitted, table.qualifiedName(column.name), Self.omittedText)
                continue
            }
            guard let type = attributeType(of: column, table) else { continue }
            let name = mapped ?? usedNames[index].reserve(ImportedNames.property(column.name))
            table.properties[column.name] = name
            entities[index].attributes.append(conversion.attribute(named: name, type, of: column))
        }
        remarks += conversion.remarks
        remarks += ExtraRemarks.ofConditions(conditions, table)
    }

    /// Returns the type of a column's attribute, which is text if no other fits; nil if the column is not imported.
    private mutating func attributeType(
        of column: TableStructure.Column, _ table: ImportedTable
    ) -> AttributeType? {
        if let type = column.type {
            if column.isArray {
                remark(
                    .changed, table.qualifiedName(column.name),
                    "the values of the type “\(column.declaredType)” become JSON.")
            }
            return type
        }
        let (subject, declared) = (table.qualifiedName(column.name), column.declaredType)
        // The database computes it from texts for its own search.
        if declared == "tsvector" {
            remark(.omitted, subject, "no attribute type fits the column type “\(declared)”.")
            return nil
        }
        remark(
            .changed, subject,
            declared.isEmpty
                ? "the column has no type; its values become text."
                : "the values of the type “\(declared)” become text.")
        return .string
    }

    private mutating func addReferences(_ table: inout ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        // A single column is named first, so that the name of a reference with several columns yields to it.
        let references = table.structure.references
        for reference in references.filter({ $0.columns.count == 1 })
            + references.filter({ $0.columns.count > 1 })
        {
            if reference.columns.contains(where: table.omittedColumns.contains) {
                remark(
                    .omitted, table.qualifiedName(reference.columns.joined(separator: ", ")), Self.omittedText
                )
                continue
            }
            guard let other = indices[reference.table] else {
                remark(
                    .omitted, table.qualifiedName(reference.columns.joined(separator: ", ")),
                    "the reference to \(reference.table) is not imported, because its table is not imported.")
                continue
            }
            if let name = name(of: reference, of: table, index, to: other) {
                addReference(reference, named: name, of: &table, index, to: other)
            }
        }
    }

    /// Reserves the name of the relationship for a reference; nil if its columns have a relationship already.
    ///
    /// The columns of a reference with several columns stay attributes: they may also be part of other references, and of the key.
    private mutating func name(
        of reference: TableStructure.Reference, of table: ImportedTable, _ index: Int, to other: Int
    ) -> String? {
        guard reference.columns.count == 1 else {
            // A column may have two foreign keys. Only the first becomes a relationship.
            if table.references.contains(where: { $0.reference.columns == reference.columns }) { return nil }
            remark(
                .changed, table.qualifiedName(reference.columns.joined(separator: ", ")),
                "the reference to \(reference.table) becomes a relationship, and its columns stay properties."
            )
            return usedNames[index].reserve(
                ImportedNames.uncapitalized(entities[other].name), isReference: true)
        }
        guard table.properties[reference.columns[0]] == nil else { return nil }
        let column = reference.columns[0]
        return mapping.table(table.structure.name).property(column)
            ?? usedNames[index].reserve(ImportedNames.reference(column), isReference: true)
    }

    private mutating func addReference(
        _ reference: TableStructure.Reference, named name: String, of table: inout ImportedTable,
        _ index: Int, to other: Int
    ) {
        let columns = reference.columns.compactMap(table.column)
        if columns.count == 1 { table.properties[columns[0].name] = name }
        let isOne = table.isUnique(reference.columns)
        let back = inverse(of: name, from: index, to: other, isOne: isOne, table.structure)
        table.references.append(
            .init(reference: reference, property: name, inverse: back, isOneToOne: isOne))
        entities[index].relationships.append(
            RelationshipDescription(
                name, to: entities[other].name, inverse: back,
                isOptional: columns.contains(where: \.isOptional)))
        entities[other].relationships.append(
            RelationshipDescription(
                back, to: entities[index].name, inverse: name, isToMany: !isOne,
                deleteRule: reference.deleteRule))
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
        let mapped = table.references.map { mapping.table(table.name).property($0.columns[0]) }
        let forward = mapped[1] ?? usedNames[one].reserve(there)
        let backward = mapped[0] ?? usedNames[other].reserve(back)
        links.append(
            ImportedLinks(
                structure: table, first: (entities[one].name, forward),
                second: (entities[other].name, backward)
            ))
        entities[one].relationships.append(
            RelationshipDescription(forward, to: entities[other].name, inverse: backward, isToMany: true))
        entities[other].relationships.append(
            RelationshipDescription(backward, to: entities[one].name, inverse: forward, isToMany: true))
        let references = table.references.sorted { $0.columns[0].precedesByBytes($1.columns[0]) }
        for reference in references where reference.deleteRule == .deny {
            remark(
                .changed, "\(table.name).\(reference.columns[0])",
                "the database denies deleting a row of \(reference.table) with links; deleting the object deletes its links."
            )
        }
    }

    // MARK: Constraints

    /// Adds unique constraints and indexes, of properties that all tables have by now.
    private mutating func addConstraints(_ table: ImportedTable) {
        guard let index = indices[table.structure.name] else { return }
        let conversion = IndexConversion(table, entities[index])
        entities[index].uniqueConstraints = conversion.uniqueConstraints
        entities[index].indexes = conversion.indexes
        remarks += conversion.remarks
    }
}
