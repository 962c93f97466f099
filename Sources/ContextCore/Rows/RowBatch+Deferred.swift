// Values that lie outside of their row and were not fetched with it. Such a column counts as null, and its field holds the version at
// which the value was saved.
extension RowBatch {
    /// The version at which a value was saved that lies outside of its row and was not fetched with it; nil for any other value.
    package func deferredVersion(_ column: Int, at index: Int) -> Int64? {
        let fields = model.layouts[entityIndex(at: index)].fields
        guard fields.externalColumns.contains(column) else { return nil }
        let row = row(index)
        guard Self.isNull(row, column) else { return nil }
        let version = row.load(fromByteOffset: fields.offsets[column], as: Int64.self)
        return version == 0 ? nil : version
    }

    /// Whether a column holds a value that lies outside of its row and was not fetched with it.
    package func isDeferred(_ column: Int, at index: Int) -> Bool {
        deferredVersion(column, at: index) != nil
    }

    /// Whether a part of a property's value was not fetched.
    func isDeferred(_ property: PropertyLayout, at index: Int) -> Bool {
        property.columns.contains { isDeferred($0, at: index) }
    }

    /// Whether a row holds the same value of a property as another row of its object, as far as can be told without fetching it.
    ///
    /// A value that was not fetched is the same as long as it was not saved again.
    func holdsSame(_ property: PropertyLayout, at index: Int, as other: RowBatch, at otherIndex: Int) -> Bool
    {
        if !isDeferred(property, at: index), !other.isDeferred(property, at: otherIndex) {
            return rawValue(of: property, at: index) == other.rawValue(of: property, at: otherIndex)
        }
        if version(at: index) == other.version(at: otherIndex) { return true }
        return property.columns.allSatisfy { column in
            switch (deferredVersion(column, at: index), other.deferredVersion(column, at: otherIndex)) {
            case (nil, nil): value(column, at: index) == other.value(column, at: otherIndex)
            case (let mine?, let theirs?): mine == theirs
            case (nil, let saved?): isOlder(index, other, otherIndex) && saved <= version(at: index)
            case (let saved?, nil):
                other.isOlder(otherIndex, self, index) && saved <= other.version(at: otherIndex)
            }
        }
    }

    private func isOlder(_ index: Int, _ other: RowBatch, _ otherIndex: Int) -> Bool {
        version(at: index) < other.version(at: otherIndex)
    }
}

extension RowBatchBuilder {
    /// Records that a column's value was not fetched, with the version at which it was saved; 0 takes that back.
    mutating func setDeferredVersion(_ version: Int64, of column: Int) {
        guard let fields = layout?.fields, fields.externalColumns.contains(column) else { return }
        currentRow.storeBytes(of: version, toByteOffset: fields.offsets[column], as: Int64.self)
    }

    @inline(never)
    mutating func clearDeferredVersions() {
        guard let fields = layout?.fields else { return }
        for column in fields.externalColumns { setDeferredVersion(0, of: column) }
    }
}

extension OpenRow {
    /// Records that a value was not fetched, with the version at which it was saved.
    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, deferredVersion version: Int64) {
        memory.storeBytes(of: version, toByteOffset: place.offset, as: Int64.self)
    }
}
