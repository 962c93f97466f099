import ContextCore

/// An attribute that a step fills, and the columns that keep its values meanwhile.
struct FillTarget {
    let property: PropertyLayout
    let type: AttributeType
    private let entityName: String
    private let columns: [(name: String, type: SQLType)]

    /// - Parameter prefix: What the columns' names begin with meanwhile.
    /// - Throws: `StoreError.Code.unknownProperty` where the entity has no such attribute.
    init(_ name: String, of entity: EntityMapping, prefix: String) throws(StoreError) {
        entityName = entity.layout.name
        guard let property = entity.layout.property(named: name), !property.columns.isEmpty,
            let type = property.attribute?.type
        else {
            throw StoreError(
                .unknownProperty, "\(entityName) has no attribute “\(name)” that is stored.",
                remedy: "Correct the conversion or the stage.")
        }
        self.property = property
        self.type = type
        columns = property.columns.map { (prefix + entity.columns[$0].name, entity.columns[$0].type) }
    }

    /// The attribute's name with its entity's: `Product.price`.
    var path: String { "\(entityName).\(property.name)" }
    var columnNames: [String] { columns.map(\.name) }

    /// The error where the attribute can't keep a value.
    var refusal: StoreError {
        StoreError(
            .migrationRefused, "\(path) can't keep what is worked out for an object.",
            remedy: "Correct the conversion or the stage.")
    }

    /// The error where the attribute can't keep what a conversion works out for an object, which was saved after all were looked at.
    func refusal(_ problem: ConversionProblem, ofRow key: Int64) -> StoreError {
        StoreError(
            .migrationRefused,
            "The conversion of \(path) can't be used. \(problem.sentence(path, "\(entityName)/\(key)"))",
            remedy: "\(problem.remedy).")
    }

    /// Sets the columns to a value, as the attribute keeps it.
    func assignments(_ value: StoredValue) throws(StoreError) -> [SQLFragment] {
        guard let fitting = value.converted(to: type) else { throw refusal }
        var parts = [fitting]
        if case .composite(let several) = fitting { parts = several }
        return columns.enumerated().map { index, column in
            let part = parts.count == columns.count ? parts[index] : .null
            return "\(name: column.name) = \(.value(part, column.type))"
        }
    }
}

/// Sets columns of a table's rows.
struct FillWriting {
    let table: String
    let dialect: SQLDialect

    func update(_ assignments: [SQLFragment], ofRow key: Int64) -> SQLText {
        SQLText(
            """
            UPDATE \(name: table) SET \(assignments.joined()) \
            WHERE \(name: StoreNames.key) = \(.value(.int(key), .key))
            """, dialect)
    }
}
