package import ContextCore

/// The columns that a query returns for rows: key, version, entity number if the table has several entities, then the attributes.
package struct SelectedColumns: Sendable {
    /// The position of one column in a query's result.
    package struct Field: Hashable, Sendable {
        /// The index in the result row, counted from 0.
        package let resultIndex: Int
        /// The index of the column in the entity's layout.
        package let column: Int
        /// The position of the value in a packed row.
        package let location: FieldLocation
        package let type: SQLType
        /// The type's kind, on which readers branch for each value.
        package let kind: SQLType.Kind

        init(resultIndex: Int, column: Int, location: FieldLocation, type: SQLType) {
            self.resultIndex = resultIndex
            self.column = column
            self.location = location
            self.type = type
            kind = type.kind
        }

        /// Creates the field for the version of a value that is not loaded because it is stored outside of its row.
        init(stampAt resultIndex: Int, of column: Int, location: FieldLocation) {
            self.resultIndex = resultIndex
            self.column = column
            self.location = location
            type = .integer(bits: 64)
            kind = .stamp
        }
    }

    /// The fields of one entity's rows.
    package struct Shape: Sendable {
        /// The entity's number in the store.
        package let number: Int
        package let entityIndex: Int
        package let fields: [Field]
    }

    /// The names of the columns in the order of the result: the key is at 0, the version at 1, the entity's number at 2.
    ///
    /// Row readers repeat these numbers as literals, because a constant of another module is read through a call each time.
    package let columns: [String]
    /// Whether the result contains the entity's number.
    package let hasEntityColumn: Bool
    /// The fields of the rows of each entity.
    package let shapes: [Shape]
    /// The columns whose values may be stored outside of their row, by name.
    let externals: [String: ExternalColumn]
    /// Whether values stored outside of the rows are not loaded.
    package let defersExternalValues: Bool
    /// The columns of the layout that are read; nil for all.
    package let loadedColumns: Set<Int>?

    /// Selects columns of the rows of an entity and of its subentities.
    ///
    /// - Parameter defersExternalValues: Whether the query reads the version of a value stored outside of its row instead of the value.
    package init(
        _ mapping: StoreMapping, entityIndex: Int, includesSubentities: Bool = true,
        columns wanted: Set<Int>? = nil, defersExternalValues: Bool = false
    ) {
        let entity = mapping.entities[entityIndex]
        var names = [StoreNames.key, StoreNames.version]
        if entity.hasEntityColumn { names.append(StoreNames.entity) }
        var indices: [String: Int] = [:]
        func indexOfColumn(named name: String) -> Int {
            if let index = indices[name] { return index }
            indices[name] = names.count
            names.append(name)
            return names.count - 1
        }
        var externals: [String: ExternalColumn] = [:]
        let family = includesSubentities ? entity.layout.familyIndices : [entityIndex]
        var shapes: [Shape] = []
        for index in family where !mapping.entities[index].layout.isAbstract {
            let member = mapping.entities[index]
            var fields: [Field] = []
            for (column, mapped) in member.columns.enumerated() where wanted?.contains(column) ?? true {
                let location = member.layout.fields.location(of: column)
                let resultIndex = indexOfColumn(named: mapped.name)
                fields.append(
                    Field(resultIndex: resultIndex, column: column, location: location, type: mapped.type))
                guard let external = mapped.external else { continue }
                if defersExternalValues {
                    let stamp = indexOfColumn(named: external.stamp)
                    fields.append(Field(stampAt: stamp, of: column, location: location))
                } else {
                    externals[mapped.name] = external
                }
            }
            shapes.append(Shape(number: member.number, entityIndex: index, fields: fields))
        }
        columns = names
        hasEntityColumn = entity.hasEntityColumn
        self.shapes = shapes
        self.externals = externals
        loadedColumns = wanted
        self.defersExternalValues = defersExternalValues
    }

    /// Returns the result columns for the table with an alias.
    func expressions(of alias: String) -> [SQLExpression] {
        columns.map { .value($0, externals[$0], of: alias) }
    }

    /// The result columns of a query that has one table without an alias.
    var fragments: [SQLFragment] {
        columns.map { externals[$0]?.includingExternalValue($0) ?? "\(name: $0)" }
    }
}
