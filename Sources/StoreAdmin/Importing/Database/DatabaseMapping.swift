import ContextCore

/// Where the values of a model's objects are in the tables of another program's database.
struct DatabaseMapping {
    /// The tables of the entities that the database has, by their index in the model.
    private(set) var tables: [Int: DatabaseTable] = [:]
    private(set) var links: [DatabaseLinks] = []
    /// What the database has and the model doesn't, as `--accept-loss` names it: `Book`, or `Book.title`.
    private(set) var missing: [String] = []
    /// Sentences about parts of the model that can't be filled from the database.
    private(set) var mismatches: [String] = []

    private let model: ObjectModel
    private let spelling: ForeignSpelling
    private var keys: [String: TableKeys] = [:]

    /// Finds the place of each table and column in a model, by the names that the import gives them.
    ///
    /// - Parameter model: The model that the import makes, or the one of a store that exists.
    init(_ imported: ModelImport, _ model: ObjectModel, _ reader: any ForeignTableReader) throws {
        self.model = model
        spelling = reader.spelling
        for (number, table) in imported.tables.enumerated() {
            keys[table.structure.name] = try TableKeys(table, number: number, reader)
        }
        for table in imported.tables {
            guard let layout = model.layout(named: table.entity), let keys = keys[table.structure.name]
            else {
                missing.append(table.entity)
                continue
            }
            tables[layout.index] = DatabaseTable(
                structure: table.structure, layout: layout, keys: keys,
                values: table.structure.columns.map { spelling.value($0, "s") })
            addAttributes(of: table, layout)
        }
        for table in imported.tables {
            guard let layout = model.layout(named: table.entity) else { continue }
            for reference in table.references { addReference(reference, of: table, layout) }
        }
        for link in imported.links { addLinks(link) }
        checkModel()
    }

    /// The names that `--accept-loss` may have: of attributes, references, tables of links, and of what the model lacks.
    var lossNames: Set<String> {
        let properties = tables.values.flatMap { table in
            (table.attributes.map(\.name) + table.references.map(\.name)).map { "\(table.layout.name).\($0)" }
        }
        return Set(properties + links.map(\.structure.name) + missing)
    }

    // MARK: Columns

    private mutating func addAttributes(of table: ImportedTable, _ layout: EntityLayout) {
        for (index, column) in table.structure.columns.enumerated()
        where !table.isReference(column.name)
            && (!table.omittedColumns.contains(column.name) || table.keepsKey(column.name))
        {
            // An edited model may also have an attribute for an integer key, or for a column that isn't imported.
            let name = table.properties[column.name] ?? ImportedNames.property(column.name)
            guard let property = layout.property(named: name), let attribute = property.attribute,
                let validation = property.validation, property.columns.count == 1
            else {
                if table.properties[column.name] != nil { missing.append("\(layout.name).\(name)") }
                continue
            }
            if table.properties.contains(where: { $0.value == name && $0.key != column.name }) { continue }
            tables[layout.index]?.attributes.append(
                .init(
                    name: name, column: property.columns.lowerBound, source: index, type: attribute.type,
                    validation: validation))
        }
    }

    private mutating func addReference(
        _ reference: ImportedTable.Reference, of table: ImportedTable, _ layout: EntityLayout
    ) {
        let name = "\(layout.name).\(reference.property)"
        guard let property = layout.property(named: reference.property) else { return missing.append(name) }
        guard let relationship = property.relationship, let column = property.columns.first,
            let target = tables[relationship.destinationIndex],
            target.structure.name == reference.reference.table,
            relationship.isOneToOne == reference.isOneToOne
        else {
            return mismatches.append(
                "\(name) is not the relationship that the foreign key to \(reference.reference.table) needs.")
        }
        let columns = reference.reference.columns
        let referenced = target.referencedColumns(reference.reference)
        // SQLite accepts a foreign key to a table without the key that it needs.
        guard referenced.count == columns.count else { return missing.append(name) }
        let pairs = zip(referenced, columns)
        func condition(_ target: String, _ source: String) -> String {
            pairs.map { "\(target).\(ForeignSpelling.quoted($0)) = \(source).\(ForeignSpelling.quoted($1))" }
                .joined(separator: " AND ")
        }
        let isPresent = columns.map { "s.\(ForeignSpelling.quoted($0)) IS NOT NULL" }.joined(
            separator: " AND ")
        tables[layout.index]?.references.append(
            .init(
                name: reference.property, column: column, isRequired: !relationship.description.isOptional,
                targetIndex: relationship.destinationIndex, targetTable: target.structure.name,
                key:
                    "(SELECT min(\(target.keys.key("d"))) FROM \(target.keys.rows("d")) WHERE \(condition("d", "s")))",
                presence: "CASE WHEN \(isPresent) THEN 1 END",
                join: target.keys.join("d", on: condition("d", "s")), joinedKey: target.keys.key("d")))
        // Both objects of a one-to-one relationship have a reference.
        guard let slot = relationship.inverseSlot, relationship.isOneToOne,
            let back = model.layouts[relationship.destinationIndex].properties[slot].columns.first,
            let own = tables[layout.index]
        else { return }
        tables[relationship.destinationIndex]?.inverses.append(
            .init(
                column: back, sourceIndex: layout.index,
                key:
                    "(SELECT min(\(own.keys.key("d"))) FROM \(own.keys.rows("d")) WHERE \(condition("s", "d")))"
            ))
    }

    // MARK: Links

    private mutating func addLinks(_ links: ImportedLinks) {
        guard let first = model.layout(named: links.first.entity).flatMap({ tables[$0.index] }),
            let second = model.layout(named: links.second.entity).flatMap({ tables[$0.index] })
        else { return missing.append("\(links.first.entity).\(links.first.property)") }
        guard let forward = first.layout.property(named: links.first.property),
            let backward = second.layout.property(named: links.second.property)
        else { return missing.append("\(first.layout.name).\(links.first.property)") }
        guard let relationship = forward.relationship, relationship.isManyToMany,
            relationship.destinationIndex == second.layout.index, relationship.inverseSlot == backward.slot
        else {
            return mismatches.append(
                "\(first.layout.name).\(forward.name) is not the relationship that the table \(links.structure.name) needs."
            )
        }
        for (number, end) in [first, second].enumerated() {
            let reference = links.structure.references[number]
            guard end.referencedColumns(reference).count == reference.columns.count else {
                return missing.append("\(first.layout.name).\(forward.name)")
            }
        }
        self.links.append(
            DatabaseLinks(
                structure: links.structure, spelling: spelling, first: (first, forward.slot),
                second: (second, backward.slot)))
    }

    // MARK: Checking

    /// Finds parts of a model that the copy can't fill.
    private mutating func checkModel() {
        var trees: [Int: String] = [:]
        for (index, table) in tables.sorted(by: { $0.key < $1.key }) {
            let layout = model.layouts[index]
            if layout.isAbstract { mismatches.append("\(layout.name) is abstract.") }
            if let other = trees.updateValue(layout.name, forKey: layout.rootIndex) {
                mismatches.append("\(other) and \(layout.name) share keys, which two tables don't.")
            }
            for property in layout.properties {
                let name = "\(layout.name).\(property.name)"
                if case .derived? = property.attribute?.storage {
                    mismatches.append("\(name) is derived, which an import doesn't compute.")
                }
                if property.relationship?.description.isOrdered == true {
                    mismatches.append("\(name) is ordered, and the rows of a table aren't.")
                }
            }
            tables[index]?.defaults = Self.defaults(of: layout, unfilledBy: table)
        }
    }

    /// Returns the default values of the attributes that no column of a table fills.
    private static func defaults(
        of layout: EntityLayout, unfilledBy table: DatabaseTable
    ) -> [(column: Int, value: StoredValue)] {
        let filled = Set(table.attributes.map(\.column))
        return layout.defaults.flatMap { slot, initial -> [(column: Int, value: StoredValue)] in
            let columns = layout.properties[slot].columns.filter { !filled.contains($0) }
            if case .composite(let parts) = initial.storedValue {
                return columns.count == parts.count ? zip(columns, parts).map { ($0, $1) } : []
            }
            return columns.map { ($0, initial.storedValue) }
        }
    }
}
