import ContextCore

/// Reads rows of an entity of the older model and its subentities as values for stages.
struct OlderRows: Hashable {
    /// The names of the query's result columns, in their order.
    let columns: [String]
    private let externals: [String: ExternalColumn]
    /// The types of the columns.
    let types: [SQLType]
    private let shapes: [Shape]
    private let hasEntityColumn: Bool

    /// The positions of the values of one entity's objects.
    private struct Shape: Hashable {
        let number: Int
        let entityName: String
        let fields: [Field]
    }

    /// The positions of the values of one property.
    private struct Field: Hashable {
        let property: PropertyLayout
        let places: [Int]

        static func == (a: Field, b: Field) -> Bool { a.property === b.property && a.places == b.places }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(property))
            hasher.combine(places)
        }
    }

    init(_ mapping: StoreMapping, _ source: BackfillSource) {
        let selection = SelectedColumns(
            mapping, entityIndex: source.index, includesSubentities: source.includesSubentities)
        columns = selection.columns
        externals = selection.externals
        hasEntityColumn = selection.hasEntityColumn
        var types: [SQLType] = [.key, .integer(bits: 64)]
        if hasEntityColumn { types.append(.integer(bits: 32)) }
        types += Array(repeating: .text, count: columns.count - types.count)
        for field in selection.shapes.flatMap(\.fields) { types[field.resultIndex] = field.type }
        self.types = types
        shapes = selection.shapes.map { shape in
            let layout = mapping.entities[shape.entityIndex].layout
            let places = Dictionary(uniqueKeysWithValues: shape.fields.map { ($0.column, $0.resultIndex) })
            return Shape(
                number: shape.number, entityName: layout.name,
                fields: layout.properties.filter { !$0.columns.isEmpty }.map { property in
                    Field(property: property, places: property.columns.compactMap { places[$0] })
                })
        }
    }

    /// Returns the result columns for the table with an alias.
    func expressions(of alias: String) -> [SQLExpression] {
        columns.map { .value($0, externals[$0], of: alias) }
    }

    /// Decodes a row, or returns nil if it belongs to none of the entities.
    func object(_ row: some Collection<StoredValue>) -> OlderObject? {
        let row = Array(row)
        let shape = hasEntityColumn ? shapes.first { $0.number == row[2].number } : shapes.first
        guard let shape else { return nil }
        var values: [String: StoredValue] = [:]
        for field in shape.fields {
            values[field.property.name] = field.property.value(ofColumns: field.places.map { row[$0] })
        }
        return OlderObject(key: Int64(row[0].number), entityName: shape.entityName, values: values)
    }
}
