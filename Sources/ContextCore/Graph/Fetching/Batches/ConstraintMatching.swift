/// The unique constraint by which an upsert finds objects, and the properties that it sets in them.
struct ConstraintMatching {
    let constraint: UniqueColumns
    private let entity: EntityLayout
    /// The columns to set in an object that exists; nil for all that a row assigns.
    private let settableColumns: Set<Int>?

    init(_ keys: [PropertyPath], setting properties: [PropertyPath], of entity: EntityLayout) throws {
        self.entity = entity
        let names = keys.map { $0.names.joined(separator: ".") }
        if names.isEmpty {
            throw StoreError(
                .unsupportedRequest,
                "The upsert of \(entity.name) names no properties by which it finds its objects.",
                remedy: "Pass the properties of a unique constraint as matching:.")
        }
        let matching = entity.uniqueConstraints.filter { Set($0.names) == Set(names) }
        guard let constraint = matching.first(where: { $0.entityIndex == entity.index }) ?? matching.first
        else { throw Self.missingConstraintError(names, entity) }
        for column in constraint.columns where entity.derivedColumns.contains(column) {
            throw StoreError(
                .unsupportedRequest,
                "\(entity.name).\(entity.columns[column].name) is derived, so an upsert can't find its objects by it.",
                remedy: "Match by a unique constraint of attributes that the rows assign.")
        }
        let settable = Set(try properties.flatMap { try AssignmentTarget($0, of: entity).columns })
        if let column = constraint.columns.first(where: settable.contains) {
            throw StoreError(
                .unsupportedRequest,
                "An upsert can't set \(entity.name).\(entity.columns[column].name), by which it finds its objects.",
                remedy: "Leave it out of setting:. A found object has the value already.")
        }
        self.constraint = constraint
        settableColumns = properties.isEmpty ? nil : settable
    }

    private static func missingConstraintError(_ names: [String], _ entity: EntityLayout) -> StoreError {
        let constraints = entity.uniqueConstraints.map { $0.names.joined(separator: ", ") }
        return StoreError(
            .unsupportedRequest,
            "\(entity.name) has no unique constraint over \(names.joined(separator: ", ")), so an upsert can't find its objects by that.",
            remedy: constraints.isEmpty
                ? "Declare the property with @Attribute(.unique), or several with @Entity(unique:)."
                : "Match by one of its constraints: \(constraints.joined(separator: "; ")).")
    }

    /// Throws unless all rows assign the properties of the constraint, and some rows each property to set.
    func checkColumns(of shapes: [RowShape]) throws(StoreError) {
        for shape in shapes { try checkIsComplete(shape) }
        guard let settableColumns, !shapes.isEmpty else { return }
        let assigned = shapes.reduce(into: Set<Int>()) { $0.formUnion($1.columns) }
        guard let column = settableColumns.subtracting(assigned).min() else { return }
        throw StoreError(
            .unsupportedRequest,
            "No row assigns \(entity.name).\(entity.columns[column].name), which the upsert should set.",
            remedy: "Assign it in the rows, or leave it out of setting:.")
    }

    /// Throws unless the rows of a shape assign all properties of the constraint.
    private func checkIsComplete(_ shape: RowShape) throws(StoreError) {
        guard let column = constraint.columns.first(where: { !shape.columns.contains($0) }) else { return }
        throw StoreError(
            .unsupportedRequest,
            "A row doesn't assign \(entity.name).\(entity.columns[column].name), by which the upsert finds its object.",
            remedy: "Assign it in every row; nil matches no object.")
    }

    /// Returns where the rows of a shape have the values of the constraint; nil if they don't assign all of them.
    func places(in shape: RowShape) -> [Place]? {
        let places = constraint.columns.compactMap { column in
            // The last assignment of a property counts.
            shape.targets.lastIndex { $0.columns.contains(column) }.map {
                Place(index: $0, target: shape.targets[$0], column: column)
            }
        }
        return places.count == constraint.columns.count ? places : nil
    }

    /// The assignment that has the value of one of the constraint's columns.
    struct Place {
        fileprivate let index: Int
        fileprivate let target: AssignmentTarget
        fileprivate let column: Int

        /// Returns the column's value in a row.
        func value(in row: [PropertyAssignment], _ graph: ObjectGraph) throws -> StoredValue {
            target.part(column, of: try target.storedValue(of: row[index].value, in: graph))
        }
    }

    /// Returns the columns that the rows of a shape set in an object that exists, sorted.
    func columnsToSet(_ shape: RowShape) -> [Int] {
        let columns = settableColumns.map { shape.columns.intersection($0) } ?? shape.columns
        return columns.subtracting(constraint.columns).sorted()
    }

    /// Returns the assignments of a row that apply to an object that exists.
    func settable(_ row: [PropertyAssignment], _ shape: RowShape) -> [PropertyAssignment] {
        guard let settableColumns else { return row }
        return zip(row, shape.targets).flatMap { assignment, target -> [PropertyAssignment] in
            let columns = target.columns.filter(settableColumns.contains)
            if columns.count == target.columns.count { return [assignment] }
            guard case .stored(let value) = assignment.value else { return [] }
            return columns.map {
                PropertyAssignment(PropertyPath(entity.columns[$0].name), .stored(target.part($0, of: value)))
            }
        }
    }

    /// Returns the condition that an object has the given values of the constraint.
    func predicate(_ values: [StoredValue], in graph: ObjectGraph) -> FetchPredicate {
        .and(
            zip(constraint.columns, values).map { column, value in
                .comparing(
                    .path(PropertyPath(entity.columns[column].name)), .equal,
                    constant(value, of: entity.columns[column], in: graph))
            })
    }

    private func constant(
        _ value: StoredValue, of column: ColumnLayout, in graph: ObjectGraph
    ) -> FetchExpression {
        guard case .reference(let destination) = column.kind, case .int(let key) = value else {
            return .literal(value)
        }
        return .object(graph.parent.identifiers.id(of: key, in: graph.model.layouts[destination]))
    }
}
