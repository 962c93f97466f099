package import ContextCore

/// Builds the tables of a mapping.
package struct SchemaBuilder {
    private let mapping: StoreMapping
    private let maximumNameLength: Int?

    package init(_ mapping: StoreMapping, maximumNameLength: Int?) {
        self.mapping = mapping
        self.maximumNameLength = maximumNameLength
    }

    /// Returns the tables, starting with those of objects.
    package func tables() throws(StoreError) -> [TableSchema] {
        let values = mapping.roots.flatMap { tablesOfValues(of: $0.table) }
        let reserved = mapping.roots.map(\.table) + mapping.joinTables.map(\.name) + values.map(\.name)
        var names = NameAllocation(maximumLength: maximumNameLength, reserved: Set(reserved))
        var tables: [TableSchema] = []
        for root in mapping.roots { tables.append(try table(of: root, &names)) }
        return tables + mapping.joinTables.map { table(of: $0, &names) } + values
    }

    /// Returns all tables of a store: first those with its metadata and history, then those of the mapping.
    package func storeTables() throws(StoreError) -> [TableSchema] { try StoreTables.all + tables() }

    // MARK: Objects

    private func table(
        of root: EntityMapping, _ names: inout NameAllocation
    ) throws(StoreError) -> TableSchema {
        var columns = [
            ColumnSchema(StoreNames.key, .key, isPrimaryKey: true),
            ColumnSchema(StoreNames.version, .integer(bits: 64)),
        ]
        if root.hasEntityColumn { columns.append(ColumnSchema(StoreNames.entity, .integer(bits: 32))) }
        var seen: Set<String> = []
        for entity in family(of: root) {
            for (column, mapped) in zip(entity.layout.columns, entity.columns)
            where seen.insert(mapped.name).inserted {
                columns.append(
                    ColumnSchema(
                        mapped.name, mapped.type, isNullable: mapped.isNullable,
                        reference: reference(of: column, in: entity)))
            }
        }
        columns += mapping.positionColumns(of: root.table).map {
            ColumnSchema($0, .integer(bits: 64), isNullable: true)
        }
        columns += mapping.externalColumns(of: root.table).compactMap(\.external).map {
            ColumnSchema($0.stamp, .integer(bits: 64), isNullable: true)
        }
        var table = TableSchema(root.table, columns: columns)
        table.indexes = try indexes(of: root, &names)
        return table
    }

    private func family(of root: EntityMapping) -> [EntityMapping] {
        root.layout.familyIndices.map { mapping.entities[$0] }.sorted {
            ($0.layout.index == root.layout.index ? 0 : 1, $0.layout.index)
                < ($1.layout.index == root.layout.index ? 0 : 1, $1.layout.index)
        }
    }

    private func reference(of column: ColumnLayout, in entity: EntityMapping) -> ColumnSchema.Reference? {
        guard case .reference(let destination) = column.kind,
            entity.layout.properties[column.slot].relationship.map(mapping.isChecked) == true
        else { return nil }
        return ColumnSchema.Reference(
            table: mapping.entities[destination].table, column: StoreNames.key, cascades: false)
    }

    // MARK: Values

    /// Returns the tables of external values, which are deleted with their rows.
    private func tablesOfValues(of table: String) -> [TableSchema] {
        mapping.externalColumns(of: table).compactMap { column in
            column.external.map { external in
                TableSchema(
                    external.table,
                    columns: [
                        ColumnSchema(
                            StoreNames.owner, .key, isPrimaryKey: true,
                            reference: .init(table: table, column: StoreNames.key, cascades: true)),
                        ColumnSchema(StoreNames.stamp, .integer(bits: 64)),
                        ColumnSchema(StoreNames.externalValue, column.type),
                    ])
            }
        }
    }

    // MARK: Links

    private func table(of links: JoinTable, _ names: inout NameAllocation) -> TableSchema {
        func reference(_ table: String) -> ColumnSchema.Reference {
            ColumnSchema.Reference(table: table, column: StoreNames.key, cascades: false)
        }
        var table = TableSchema(
            links.name,
            columns: [
                ColumnSchema(links.owner, .key, reference: reference(links.ownerTable)),
                ColumnSchema(links.target, .key, reference: reference(links.targetTable)),
            ],
            primaryKey: [links.owner, links.target])
        for position in [links.position, links.inversePosition].compactMap({ $0 }) {
            table.columns.append(ColumnSchema(position, .integer(bits: 64), isNullable: true))
        }
        table.indexes = [
            IndexSchema(
                names.allocate("\(links.name)_\(links.target)"),
                columns: [.init(links.target), .init(links.owner)])
        ]
        return table
    }
}

// MARK: - Indexes

extension SchemaBuilder {
    private func indexes(
        of root: EntityMapping, _ names: inout NameAllocation
    ) throws(StoreError) -> [IndexSchema] {
        var indexes: [IndexSchema] = []
        for entity in family(of: root) {
            indexes += uniqueIndexes(declaredAt: entity, &names)
            indexes += try declaredIndexes(of: entity, &names)
        }
        var covered = Set(
            indexes.filter { $0.entities == nil && $0.predicate == nil }.compactMap(\.columns.first?.name))
        for entity in family(of: root) {
            for column in entity.columns where column.type == .key && covered.insert(column.name).inserted {
                indexes.append(
                    IndexSchema(
                        names.allocate("\(root.table)_\(column.name)"), columns: [.init(column.name)]))
            }
        }
        return indexes
    }

    private func uniqueIndexes(declaredAt entity: EntityMapping, _ names: inout NameAllocation)
        -> [IndexSchema]
    {
        entity.layout.uniqueConstraints.filter { $0.entityIndex == entity.layout.index }.map { constraint in
            let columns = constraint.columns.map { entity.columns[$0].name }
            return IndexSchema(
                names.allocate("\(entity.table)_\(columns.joined(separator: "_"))_unique"),
                columns: columns.map { .init($0) }, isUnique: true, entities: entities(of: entity))
        }
    }

    private func declaredIndexes(
        of entity: EntityMapping, _ names: inout NameAllocation
    ) throws(StoreError) -> [IndexSchema] {
        var indexes: [IndexSchema] = []
        for index in entity.layout.description.indexes {
            let columns = index.elements.flatMap { element in
                self.columns(named: element.property, in: entity).map {
                    IndexSchema.Column($0, isDescending: element.isDescending)
                }
            }
            if columns.isEmpty { continue }
            indexes.append(
                IndexSchema(
                    names.allocate("\(entity.table)_\(columns.map(\.name).joined(separator: "_"))"),
                    columns: columns, entities: entities(of: entity),
                    predicate: try IndexPredicateCompiler(mapping).condition(of: index, in: entity)))
        }
        return indexes
    }

    private func columns(named name: String, in entity: EntityMapping) -> [String] {
        if let column = entity.layout.columns.firstIndex(where: { $0.name == name }) {
            return [entity.columns[column].name]
        }
        return entity.layout.property(named: name)?.columns.map { entity.columns[$0].name } ?? []
    }

    /// Returns the numbers of the entities that a constraint covers, or nil if it covers all entities of the table.
    private func entities(of entity: EntityMapping) -> [Int]? {
        entity.layout.rootIndex == entity.layout.index
            ? nil : entity.layout.familyIndices.map { mapping.entities[$0].number }.sorted()
    }
}
