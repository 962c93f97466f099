import ContextCore

/// Assigns every entity, property and relationship of a model its name in the database.
struct MappingBuilder {
    private let model: ObjectModel
    private let maximumNameLength: Int?
    private var tableNames: NameAllocation
    private var tables: [Int: String] = [:]
    /// The column names of each tree, by the entity that declares the property and the column's name there.
    private var columns: [Declaration: String] = [:]
    private var positions: [Declaration: String] = [:]
    private var collections: [Declaration: CollectionMapping] = [:]
    /// The names of the stamp columns of external values.
    private var stamps: [Declaration: String] = [:]
    /// The tables and stamp columns of external values.
    private var externals: [Declaration: ExternalColumn] = [:]
    private var joinTables: [JoinTable] = []

    private struct Declaration: Hashable {
        let entityIndex: Int
        let name: String
    }

    init(_ model: ObjectModel, maximumNameLength: Int?) {
        self.model = model
        self.maximumNameLength = maximumNameLength
        tableNames = NameAllocation(maximumLength: maximumNameLength)
    }

    mutating func mapping(numbers: [String: Int]) -> StoreMapping {
        for root in model.layouts where root.rootIndex == root.index {
            tables[root.index] = tableNames.allocate(SnakeCase.name(root.name))
        }
        for root in model.layouts where root.rootIndex == root.index { nameColumns(of: root) }
        for layout in model.layouts { mapCollections(of: layout) }
        for layout in model.layouts { mapExternalValues(of: layout) }
        let entities = model.layouts.map { entity($0, number: numbers[$0.name] ?? $0.index + 1) }
        return StoreMapping(model: model, entities: entities, joinTables: joinTables)
    }

    // MARK: Columns

    /// Names the columns of a tree; its entities share a table, so the entity that declares a column names it.
    private mutating func nameColumns(of root: EntityLayout) {
        var names = NameAllocation(maximumLength: maximumNameLength)
        for index in root.familyIndices {
            let layout = model.layouts[index]
            for column in layout.columns {
                let declaration = declaration(of: column, in: layout)
                if columns[declaration] != nil { continue }
                columns[declaration] = names.allocate(Self.name(of: column))
            }
            for property in layout.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany,
                    let inverse = inverse(of: relationship), inverse.description.isOrdered
                else { continue }
                let declaration = Declaration(entityIndex: relationship.sourceIndex, name: property.name)
                if positions[declaration] != nil { continue }
                positions[declaration] = names.allocate(SnakeCase.name(property.name) + "_order")
            }
        }
        for layout in root.familyIndices.map({ model.layouts[$0] }) {
            for column in layout.columns where Self.threshold(of: column, in: layout) != nil {
                let declaration = declaration(of: column, in: layout)
                if stamps[declaration] != nil { continue }
                stamps[declaration] = names.allocate(Self.name(of: column) + "_external")
            }
        }
    }

    private static func threshold(of column: ColumnLayout, in layout: EntityLayout) -> Int? {
        layout.properties[column.slot].attribute?.externalThreshold
    }

    /// Names the tables of external values last, so that they don't change the names of other tables.
    private mutating func mapExternalValues(of layout: EntityLayout) {
        for column in layout.columns {
            let declaration = declaration(of: column, in: layout)
            guard let threshold = Self.threshold(of: column, in: layout), externals[declaration] == nil,
                let stamp = stamps[declaration], let name = columns[declaration]
            else { continue }
            externals[declaration] = ExternalColumn(
                table: tableNames.allocate("\(table(of: layout.index))_\(name)"), stamp: stamp,
                threshold: threshold)
        }
    }

    private static func name(of column: ColumnLayout) -> String {
        switch column.kind {
        case .reference: SnakeCase.name(column.name) + "_id"
        case .attribute:
            column.name.split(separator: ".").map { SnakeCase.name(String($0)) }.joined(separator: "_")
        }
    }

    private func declaration(of column: ColumnLayout, in layout: EntityLayout) -> Declaration {
        var declaring = layout
        while let above = declaring.superentityIndex, column.slot < model.layouts[above].properties.count {
            declaring = model.layouts[above]
        }
        return Declaration(entityIndex: declaring.index, name: column.name)
    }

    private func entity(_ layout: EntityLayout, number: Int) -> EntityMapping {
        let root = model.layouts[layout.rootIndex]
        let mapped = layout.columns.map { column in
            let declaration = declaration(of: column, in: layout)
            return ColumnMapping(
                name: columns[declaration] ?? column.name, type: SQLType(column.kind),
                isNullable: column.isOptional || declaration.entityIndex != root.index
                    || externals[declaration] != nil, external: externals[declaration])
        }
        var places: [Int: CollectionMapping] = [:]
        for property in layout.properties {
            guard let relationship = property.relationship, relationship.description.isToMany else {
                continue
            }
            places[property.slot] =
                collections[
                    Declaration(entityIndex: relationship.sourceIndex, name: property.name)]
        }
        return EntityMapping(
            layout: layout, table: tables[root.index] ?? root.name, number: number,
            hasEntityColumn: root.hasSubentities, columns: mapped, collections: places,
            narrowReferences: narrowReferences(of: layout),
            hasExternalColumns: mapped.contains { $0.external != nil })
    }

    private func narrowReferences(of layout: EntityLayout) -> [(column: Int, destinationIndex: Int)] {
        layout.properties.compactMap { property in
            guard let relationship = property.relationship, let column = property.columns.first,
                model.isChecked(relationship)
            else { return nil }
            let destination = model.layouts[relationship.destinationIndex]
            return destination.index == destination.rootIndex ? nil : (column, destination.index)
        }
    }

    // MARK: Relationships

    private func inverse(of relationship: RelationshipLayout) -> RelationshipLayout? {
        relationship.inverseSlot.flatMap {
            model.layouts[relationship.destinationIndex].properties[$0].relationship
        }
    }

    private func table(of index: Int) -> String {
        tables[model.layouts[index].rootIndex] ?? model.layouts[index].name
    }

    private mutating func mapCollections(of layout: EntityLayout) {
        for property in layout.properties {
            guard let relationship = property.relationship, relationship.description.isToMany,
                relationship.sourceIndex == layout.index, let inverseSlot = relationship.inverseSlot
            else { continue }
            let declaration = Declaration(entityIndex: layout.index, name: property.name)
            let inverse = model.layouts[relationship.destinationIndex].properties[inverseSlot]
            let inverseDeclaration = Declaration(
                entityIndex: relationship.destinationIndex, name: inverse.name)
            if !relationship.inverseIsToMany {
                collections[declaration] = .children(
                    .init(
                        table: table(of: relationship.destinationIndex),
                        reference: columns[inverseDeclaration] ?? inverse.name,
                        position: positions[inverseDeclaration]))
            } else if relationship.isLinkOwner(in: model, slot: property.slot) {
                let links = linkTable(
                    of: property.name, relationship, inverse: self.inverse(of: relationship))
                joinTables.append(links)
                collections[inverseDeclaration] = .links(
                    .init(
                        table: links.name, owner: links.target, target: links.owner,
                        position: links.inversePosition))
                collections[declaration] = .links(
                    .init(
                        table: links.name, owner: links.owner, target: links.target, position: links.position)
                )
            }
        }
    }

    /// Creates a join table with natural names: `Author.books` gets `author_books` with `author_id` and `book_id`.
    private mutating func linkTable(
        of name: String, _ relationship: RelationshipLayout, inverse: RelationshipLayout?
    ) -> JoinTable {
        let source = SnakeCase.name(model.layouts[relationship.sourceIndex].name)
        let destination = SnakeCase.name(model.layouts[relationship.destinationIndex].name)
        var names = NameAllocation(maximumLength: maximumNameLength)
        let owner = names.allocate(source + "_id")
        let target = names.allocate((source == destination ? SnakeCase.name(name) : destination) + "_id")
        let isOwnInverse = inverse?.description.name == name && source == destination
        return JoinTable(
            name: tableNames.allocate(source + "_" + SnakeCase.name(name)), owner: owner,
            ownerTable: table(of: relationship.sourceIndex), target: target,
            targetTable: table(of: relationship.destinationIndex),
            position: relationship.description.isOrdered ? StoreNames.position : nil,
            inversePosition: inverse?.description.isOrdered == true && !isOwnInverse
                ? StoreNames.inversePosition : nil)
    }
}
