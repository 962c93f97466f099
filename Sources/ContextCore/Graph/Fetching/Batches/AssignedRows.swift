/// The rows of a batch insertion: lists of assignments, resolved to the columns of an entity.
struct AssignedRows {
    private let entity: EntityLayout
    private let graph: ObjectGraph
    private var rows: [[PropertyAssignment]]
    /// The index of each row in the list that the caller passed; merging removes rows.
    private(set) var originalIndices: [Int]
    /// The kinds of rows, each of which assigns the same properties in the same order; most batches have one.
    private var shapes: [RowShape] = []
    /// The index of each row's shape.
    private var shapeIndices: [Int] = []

    init(_ rows: [[PropertyAssignment]], of entity: EntityLayout, in graph: ObjectGraph) throws {
        self.rows = rows
        originalIndices = Array(rows.indices)
        self.entity = entity
        self.graph = graph
        try findShapes()
    }

    var count: Int { rows.count }

    private mutating func findShapes() throws {
        shapeIndices.removeAll(keepingCapacity: true)
        shapeIndices.reserveCapacity(rows.count)
        for row in rows {
            let last = shapeIndices.last.flatMap { shapes[$0].accepts(row) ? $0 : nil }
            if let known = last ?? shapes.firstIndex(where: { $0.accepts(row) }) {
                shapeIndices.append(known)
            } else {
                shapes.append(try RowShape(row, of: entity))
                shapeIndices.append(shapes.count - 1)
            }
        }
    }

    // MARK: Packing

    /// Returns all rows, with the given keys.
    func batch(keys: Range<Int64>) throws -> RowBatch { try batch(of: Array(rows.indices), keys: keys) }

    private func batch(of indices: [Int], keys: Range<Int64>) throws -> RowBatch {
        var builder = RowBatchBuilder(
            model: graph.model, expecting: indices.count, entityIndex: entity.index)
        for index in indices {
            builder.beginRow(
                key: keys.lowerBound + Int64(index), version: RowBatch.firstVersion, entityIndex: entity.index
            )
            // Indexed, because iterating would copy each target.
            let shape = shapeIndices[index]
            for (property, initial) in shapes[shape].defaults {
                builder.set(property, to: initial.storedValue)
            }
            for place in rows[index].indices {
                try shapes[shape].targets[place].set(rows[index][place].value, in: &builder, graph)
            }
        }
        return try builder.finish()
    }

    // MARK: Upserting

    /// Merges rows with the same values of a constraint, as if they were upserted one after the other.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if a row doesn't assign the constraint's properties, or no row those to set.
    ///   ``StoreError/Code/validation`` if there are rows to merge, and a row isn't valid as a new object.
    mutating func mergeDuplicates(_ matching: ConstraintMatching) throws {
        try matching.checkColumns(of: shapes)
        let duplicates = try findDuplicates(matching)
        if duplicates.isEmpty { return }
        try checkRows()
        for (index, earlier) in duplicates {
            rows[earlier] += matching.settable(rows[index], shapes[shapeIndices[index]])
        }
        let merged = Set(duplicates.map(\.index))
        let kept = rows.indices.filter { !merged.contains($0) }
        rows = kept.map { rows[$0] }
        originalIndices = kept.map { originalIndices[$0] }
        try findShapes()
    }

    /// Returns the rows with the values of an earlier row, and the first row with these values.
    private func findDuplicates(_ matching: ConstraintMatching) throws -> [(index: Int, earlier: Int)] {
        let places = shapes.map(matching.places)
        var first: [StoredValue: Int] = [:]
        first.reserveCapacity(rows.count)
        var duplicates: [(index: Int, earlier: Int)] = []
        for index in rows.indices {
            guard let places = places[shapeIndices[index]], let value = try uniqueValue(at: places, of: index)
            else { continue }
            if let earlier = first.updateValue(index, forKey: value) {
                first[value] = earlier
                duplicates.append((index, earlier))
            }
        }
        return duplicates
    }

    /// Returns the values of a row at places of a constraint as one value; nil if one is null.
    private func uniqueValue(at places: [ConstraintMatching.Place], of index: Int) throws -> StoredValue? {
        let row = rows[index]
        // Most constraints have one column; a list for its value would be the main cost of the search for duplicates.
        if places.count == 1 {
            let value = try places[0].value(in: row, graph)
            return value.isNull ? nil : value
        }
        let values = try places.map { try $0.value(in: row, graph) }
        return values.contains(where: \.isNull) ? nil : .composite(values)
    }

    /// Validates each row as a new object; the store doesn't see the values that a merge drops.
    private func checkRows() throws {
        let newRows = try batch(keys: 1..<Int64(rows.count) + 1)
        try BatchPlan(entityIndex: entity.index, operation: .insert(newRows)).check(newRows, graph.model)
    }

    /// Returns the upsert of all rows, with the given keys; no two of them have the same values of the constraint.
    func upsert(_ matching: ConstraintMatching, keys: Range<Int64>) throws -> BatchUpsert {
        let columns = shapes.map(matching.columnsToSet)
        var groups: [[Int]: [Int]] = [:]
        if Set(columns).count == 1 {
            groups[columns[0]] = Array(rows.indices)
        } else {
            for index in rows.indices { groups[columns[shapeIndices[index]], default: []].append(index) }
        }
        return BatchUpsert(
            updating: try groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { columns, indices in
                BatchUpsert.Group(rows: try batch(of: indices, keys: keys), columns: columns)
            },
            matching: matching.constraint)
    }
}

/// The properties that rows of a batch assign, in the order of the assignments.
struct RowShape {
    let targets: [AssignmentTarget]
    /// The default values of attributes that the rows don't assign.
    let defaults: [(property: PropertyLayout, initial: AttributeDefault)]
    /// The assigned columns.
    let columns: Set<Int>

    init(_ row: [PropertyAssignment], of entity: EntityLayout) throws {
        targets = try row.map { try AssignmentTarget($0.path, of: entity) }
        let columns = Set(targets.flatMap(\.columns))
        self.columns = columns
        defaults = entity.defaults.compactMap { slot, initial in
            let property = entity.properties[slot]
            return property.columns.allSatisfy(columns.contains) ? nil : (property, initial)
        }
    }

    /// Whether a row assigns the same properties in the same order.
    func accepts(_ row: [PropertyAssignment]) -> Bool {
        guard row.count == targets.count else { return false }
        for (assignment, target) in zip(row, targets) where assignment.path != target.path { return false }
        return true
    }
}
