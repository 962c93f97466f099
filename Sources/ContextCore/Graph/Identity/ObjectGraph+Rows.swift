// Encodes objects as rows.
extension ObjectGraph {
    /// The version of an object's row when it was fetched; 0 if it was never fetched.
    func version(of object: ManagedObject) -> Int64 {
        guard object.row >= 0, let group = object.groupReference else { return 0 }
        return group.withUnretained { $0.batch.version(at: Int(object.row)) }
    }

    /// Returns the version of an object's row when it is inserted.
    ///
    /// An object that is inserted again after its deletion gets a higher version than its deleted row, so that a save
    /// based on the deleted row conflicts.
    func firstVersion(of object: ManagedObject) -> Int64 {
        lastVersions[object.objectID].map { $0 &+ Self.skippedVersionCount } ?? RowBatch.firstVersion
    }

    /// Whether an object is inserted under the identifier of a deleted row, which another context may also do.
    func isReinserted(_ object: ManagedObject) -> Bool {
        object.state == .inserted && !lastVersions.isEmpty && lastVersions[object.objectID] != nil
    }

    /// The number of versions to skip after the last known version of a deleted row, which other contexts may have
    /// saved since.
    private static let skippedVersionCount: Int64 = 1 << 20

    /// Appends a row with an object's current values.
    func appendRow(of object: ManagedObject, version: Int64, to builder: inout RowBatchBuilder) {
        if object.row >= 0, let group = object.groupReference {
            group.withUnretained {
                builder.append(Int(object.row), of: $0.batch, version: version)
            }
        } else {
            builder.beginRow(key: object.key, version: version, entityIndex: object.entityIndex)
        }
        object.overlayReference?.withUnretained { set($0, of: object, in: &builder) }
    }

    /// Sets columns of the last row to the object's committed values.
    func setCommittedValues(_ columns: [Int], of object: ManagedObject, in builder: inout RowBatchBuilder) {
        guard object.row >= 0, let group = object.group else { return }
        for column in columns { builder.set(column, to: group.batch.value(column, at: Int(object.row))) }
    }

    /// Sets the columns of the last row that have a value in the overlay.
    private func set(_ overlay: Overlay, of object: ManagedObject, in builder: inout RowBatchBuilder) {
        for slot in overlay.occupied {
            overlay.slots.withValue(at: slot) { set(slot, of: object, to: $0, in: &builder) }
        }
    }

    @inline(__always)
    private func set(
        _ slot: Int, of object: ManagedObject, to value: SlotValue, in builder: inout RowBatchBuilder
    ) {
        let place = object.location(of: slot)
        switch value {
        case .value(.composite(let parts)):
            builder.set(object.entity.properties[slot], to: .composite(parts))
        case .value(let value):
            if place.hasSingleColumn {
                builder.set(place.column, to: value)
            } else {
                builder.set(object.entity.properties[slot], to: value)
            }
        case .object(let target):
            if place.column < 0 { return }
            if let target, target.isLive {
                builder.set(place.column, integer: target.key)
            } else {
                builder.setNull(place.column)
            }
        case .unchanged, .clean, .collection: break
        }
    }

    /// Returns a property's current value in the form of a row: a reference as its key.
    func currentRawValue(of object: ManagedObject, _ property: PropertyLayout) -> StoredValue {
        switch object.overlay?.slots[property.slot] {
        case .value(let value): return value
        case .clean(let value) where property.columns.isEmpty: return value
        case .object(let target): return target.map { .int($0.key) } ?? .null
        case .unchanged, .clean, .collection, nil:
            if property.columns.isEmpty { return property.valueWithoutColumn }
            return committedRawValue(of: object, property)
        }
    }
}

extension ObjectGraph {
    /// Returns a column's current value in the form of a row.
    func currentValue(of object: ManagedObject, column: Int) -> StoredValue {
        let property = object.entity.properties[object.entity.columns[column].slot]
        let value = currentRawValue(of: object, property)
        guard case .composite(let parts) = value else { return value }
        return parts[column - property.columns.lowerBound]
    }
}

extension PropertyLayout {
    /// The value of a transient attribute in an object that comes from a store.
    var valueWithoutColumn: StoredValue {
        if case .value(let value)? = attribute?.defaultValue { value } else { .null }
    }
}

extension RowBatch {
    /// Returns a property's value in a row, a reference as its key; the column must have been fetched.
    func rawValue(of property: PropertyLayout, at index: Int) -> StoredValue {
        if property.relationship == nil { return storedValue(of: property, at: index) }
        return property.columns.first.map { value($0, at: index) } ?? .null
    }
}
