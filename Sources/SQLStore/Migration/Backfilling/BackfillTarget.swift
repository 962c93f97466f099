import ContextCore

/// An attribute that a step fills, and the temporary columns with its values.
struct BackfillTarget {
    let property: PropertyLayout
    let type: AttributeType
    private let entityName: String
    private let columns: [(name: String, type: SQLType)]

    /// - Parameter prefix: The prefix of the temporary columns' names.
    /// - Throws: `StoreError.Code.unknownProperty` if the entity has no such attribute.
    init(_ name: String, of entity: EntityMapping, prefix: String) throws(StoreError) {
        entityName = entity.layout.name
        guard let property = entity.layout.property(named: name), !property.columns.isEmpty,
            let type = property.attribute?.type
        else {
            throw StoreError(
                .unknownProperty,
                "The migration can't use \(entityName).\(name): \(entityName) has no stored attribute with that name.",
                remedy: "Correct the name in the migration's conversion or stage.")
        }
        self.property = property
        self.type = type
        columns = property.columns.map { (prefix + entity.columns[$0].name, entity.columns[$0].type) }
    }

    /// The path of the attribute, such as `Product.price`.
    var path: String { "\(entityName).\(property.name)" }
    var columnNames: [String] { columns.map(\.name) }

    /// The error for a value that the attribute can't store.
    var refusalError: StoreError {
        StoreError(
            .migrationRefused, "\(path) can't store the value that was computed for an object.",
            remedy: "Correct the migration's conversion or stage.")
    }

    /// Returns the error for a conversion problem of an object that was saved after all objects were checked.
    func refusalError(_ problem: ConversionProblem, ofRow key: Int64) -> StoreError {
        StoreError(
            .migrationRefused,
            "The conversion of \(path) can't be used. \(problem.sentence(path, "\(entityName)/\(key)"))",
            remedy: "\(problem.remedy).")
    }

    /// Returns the assignments that set the columns to a value.
    func assignments(_ value: StoredValue) throws(StoreError) -> [SQLFragment] {
        guard let fitting = value.converted(to: type) else { throw refusalError }
        var parts = [fitting]
        if case .composite(let several) = fitting { parts = several }
        return columns.enumerated().map { index, column in
            let part = parts.count == columns.count ? parts[index] : .null
            return "\(name: column.name) = \(.value(part, column.type))"
        }
    }
}

/// Updates columns of a table's rows.
struct BackfillWriter {
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
