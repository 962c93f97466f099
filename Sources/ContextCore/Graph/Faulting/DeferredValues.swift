/// Externally stored values of one column that were not fetched with their rows.
struct DeferredValues: Sendable {
    /// One missing value, with its key and version.
    struct Item: Sendable {
        let key: Int64
        /// The version of the row that was fetched.
        let rowVersion: Int64
        /// The row version at which the value was saved.
        let stamp: Int64
    }

    let entityIndex: Int
    let column: Int
    let items: [Item]

    /// A fetch of the current values.
    fileprivate var plan: FetchPlan {
        FetchPlan(
            entityIndex: entityIndex,
            predicate: .isMember(.ownKey(entityIndex), of: items.map(\.key).sorted().map { .int($0) }),
            columns: [column])
    }
}

extension ContextParent {
    /// The default fetches the values like rows, which suffices for a parent without pending changes.
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        try withSnapshot {
            let rows = try fetch(wanted.plan)
            var found: [Int64: (version: Int64, value: StoredValue)] = [:]
            for row in 0..<rows.count {
                found[rows.key(at: row)] = (rows.version(at: row), rows.value(wanted.column, at: row))
            }
            var values: [Int64: StoredValue] = [:]
            var changed: [Int64: StoredValue] = [:]
            for item in wanted.items {
                guard let (version, value) = found[item.key] else { continue }
                if version == item.rowVersion { values[item.key] = value } else { changed[item.key] = value }
            }
            if changed.isEmpty { return values }
            // These rows have been saved again; the stamp shows whether this value or another one changed.
            let newer = try self.rows(changed.keys.sorted(), entityIndex: wanted.entityIndex)
            let saved = Dictionary(wanted.items.map { ($0.key, $0.stamp) }) { first, _ in first }
            for row in 0..<newer.count {
                let key = newer.key(at: row)
                if newer.stamp(wanted.column, at: row) == saved[key] { values[key] = changed[key] }
            }
            return values
        }
    }
}

/// Loads externally stored values on first access.
struct DeferredValueLoader {
    /// The maximum number of values to fetch at once.
    private static let batchSize = 500

    let graph: ObjectGraph

    /// Returns the committed value of a column, and loads it first if it was not fetched with its row.
    ///
    /// - Throws: ``StoreError/Code/conflict`` if the value was replaced or deleted since.
    func value(_ column: Int, at row: Int, of group: RowGroup) throws -> StoredValue {
        if !group.batch.isDeferred(column, at: row) { return group.batch.value(column, at: row) }
        if let value = group.loadedValue(column, at: row) { return value }
        try load(column, at: [row], of: group) { try graph.parent.externalValues($0) }
        if let value = group.loadedValue(column, at: row) { return value }
        let layout = graph.model.layouts[group.batch.entityIndex(at: row)]
        let id = graph.parent.identifiers.id(of: group.batch.key(at: row), in: layout)
        throw StoreError(
            .conflict,
            "\(layout.columns[column].name) of \(id) was replaced or deleted after the object was fetched.",
            remedy: "Refresh the object, or read the property in the block that fetches the object.")
    }

    /// Loads the missing values of a column for the given rows of a group; values that the store no longer has stay
    /// missing.
    ///
    /// - Parameter answer: Fetches the values.
    func load(
        _ column: Int, at rows: some Sequence<Int>, of group: RowGroup,
        _ answer: (DeferredValues) throws -> [Int64: StoredValue]
    ) throws {
        var rowsByEntity: [Int: [Int]] = [:]
        for row in rows where isMissing(column, at: row, of: group) {
            rowsByEntity[group.batch.entityIndex(at: row), default: []].append(row)
        }
        for (entityIndex, rows) in rowsByEntity.sorted(by: { $0.key < $1.key }) {
            for part in rows.chunks(ofCount: Self.batchSize) {
                let values = try answer(
                    DeferredValues(
                        entityIndex: entityIndex, column: column,
                        items: part.map { item(column, at: $0, of: group.batch) }))
                for row in part {
                    group.storeLoadedValue(values[group.batch.key(at: row)], column, at: row)
                }
            }
        }
    }

    /// Whether every committed value of an object is loaded or has been assigned a new value.
    func hasAllValues(of object: ManagedObject) -> Bool { missingColumns(of: object).isEmpty }

    /// Loads all values of objects that the save deletes.
    ///
    /// Values that the store no longer has stay missing, and the save reports the conflict.
    func loadAll(of objects: some Sequence<ManagedObject>) throws {
        var places: [ObjectIdentifier: (group: RowGroup, rowsByColumn: [Int: [Int]])] = [:]
        for object in objects where object.row >= 0 {
            guard let group = object.group else { continue }
            for column in missingColumns(of: object) {
                places[ObjectIdentifier(group), default: (group, [:])].rowsByColumn[column, default: []]
                    .append(Int(object.row))
            }
        }
        for (group, rowsByColumn) in places.values {
            for (column, rows) in rowsByColumn {
                try load(column, at: rows, of: group) { try graph.parent.externalValues($0) }
            }
        }
    }

    private func missingColumns(of object: ManagedObject) -> [Int] {
        guard object.row >= 0, let group = object.group else { return [] }
        return object.entity.fields.externalColumns.filter { column in
            let slot = object.entity.columns[column].slot
            return isMissing(column, at: Int(object.row), of: group)
                && object.overlay?.slots[slot].isDirty != true
        }
    }

    private func isMissing(_ column: Int, at row: Int, of group: RowGroup) -> Bool {
        let entity = graph.model.layouts[group.batch.entityIndex(at: row)]
        return column < entity.columns.count && group.batch.isDeferred(column, at: row)
            && group.loadedValue(column, at: row) == nil
    }

    private func item(_ column: Int, at row: Int, of batch: RowBatch) -> DeferredValues.Item {
        DeferredValues.Item(
            key: batch.key(at: row), rowVersion: batch.version(at: row),
            stamp: batch.stamp(column, at: row) ?? 0)
    }
}

extension ObjectGraph {
    /// Returns the committed value of a property, a reference as its key; null if it can't be read.
    ///
    /// The next fetch or save throws the error.
    func committedRawValue(of object: ManagedObject, _ property: PropertyLayout) -> StoredValue {
        guard object.row >= 0, let group = object.group else { return .null }
        return rawValue(of: property, at: Int(object.row), in: group, isDeleted: object.state == .detached)
    }

    /// Returns a property's value in a row of a group; null if it can't be read, and then the next fetch or save throws
    /// the error.
    ///
    /// - Parameter isGone: Whether the store has deleted the row.
    func rawValue(
        of property: PropertyLayout, at row: Int, in group: RowGroup, isDeleted: Bool = false
    ) -> StoredValue {
        guard property.attribute != nil, let column = property.columns.first,
            group.batch.isDeferred(column, at: row)
        else { return group.batch.rawValue(of: property, at: row) }
        do {
            if isDeleted, group.loadedValue(column, at: row) == nil { throw deletedValueError(of: property) }
            return try DeferredValueLoader(graph: self).value(column, at: row, of: group)
        } catch {
            deferError(error)
            return .null
        }
    }

    private func deletedValueError(of property: PropertyLayout) -> StoreError {
        StoreError(
            .objectNotFound,
            "The property \(property.name) can't be read, because its object was deleted before the value was loaded.",
            remedy: "Read externally stored values before the object is deleted.")
    }

    /// Whether a value equals the committed one of an attribute; false if the committed value can't be loaded.
    func isCommitted(_ value: StoredValue, of object: ManagedObject, slot: Int) -> Bool {
        let property = object.mayHaveDeferredValues ? object.entity.properties[slot] : nil
        guard let property, isDeferred(property, inRowOf: object), let group = object.group else {
            return committedValue(of: object, slot: slot) == value
        }
        // Externally stored values are never null.
        if value.isNull { return false }
        let loader = DeferredValueLoader(graph: self)
        return (try? loader.value(property.columns.lowerBound, at: Int(object.row), of: group)) == value
    }

    /// Whether a newer row has the same value of a property as an object's base row.
    ///
    /// An externally stored value with another stamp was saved again. It is compared only if the object's own value was
    /// loaded; otherwise it counts as different.
    func hasSameValue(_ property: PropertyLayout, of object: ManagedObject, as group: RowGroup, at row: Int)
        -> Bool
    {
        guard object.row >= 0, let known = object.group else { return false }
        let place = Int(object.row)
        let areStored = !parent.needsBaseRows
        if known.batch.hasSameValue(property, at: place, as: group.batch, at: row, areStored: areStored) {
            return true
        }
        guard property.attribute != nil, let column = property.columns.first,
            known.batch.isDeferred(column, at: place) || group.batch.isDeferred(column, at: row)
        else { return false }
        let isExternal = known.batch.isDeferred(column, at: place)
        let base = isExternal ? known.loadedValue(column, at: place) : known.batch.value(column, at: place)
        return base.map { $0 == rawValue(of: property, at: row, in: group) } ?? false
    }

    /// Whether an attribute's committed value is loaded or can be loaded.
    func canLoad(_ property: PropertyLayout, of object: ManagedObject) -> Bool {
        guard isDeferred(property, of: object), let group = object.group else { return true }
        let loader = DeferredValueLoader(graph: self)
        return (try? loader.value(property.columns.lowerBound, at: Int(object.row), of: group)) != nil
    }

    /// Whether the value of a property was not fetched with an object's row.
    func isDeferred(_ property: PropertyLayout, inRowOf object: ManagedObject) -> Bool {
        guard object.row >= 0, let group = object.group else { return false }
        return group.batch.isDeferred(property, at: Int(object.row))
    }

    /// Copies the externally stored values that were loaded for another group's row to the object's row, if they are the same version.
    func copyLoadedValues(of group: RowGroup, _ row: Int32, in object: ManagedObject) {
        guard let known = object.group, known !== group, object.row >= 0 else { return }
        for column in object.entity.fields.externalColumns {
            guard let value = group.loadedValue(column, at: Int(row)),
                let stamp = known.batch.stamp(column, at: Int(object.row)),
                stamp == group.batch.stamp(column, at: Int(row))
            else { continue }
            known.storeLoadedValue(value, column, at: Int(object.row))
        }
    }

    /// Whether an object's property is unchanged and its value was not fetched.
    func isDeferred(_ property: PropertyLayout, of object: ManagedObject) -> Bool {
        guard isDeferred(property, inRowOf: object) else { return false }
        return object.overlay?.slots[property.slot].isDirty != true
    }
}
