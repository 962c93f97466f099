// Values that lie outside of their row and were not fetched with it. Such a column counts as null, and its field holds the version at
// which the value was saved.
extension RowBatch {
    /// The version at which a value was saved that lies outside of its row and was not fetched with it; nil for any other value.
    package func stamp(_ column: Int, at index: Int) -> Int64? {
        // Unretained: the model keeps it. Most entities have no such values, and are asked about often.
        let layout = Unmanaged.passUnretained(model.layouts[entityIndex(at: index)])
        guard layout.withUncounted({ $0.mayHaveDeferredValues }) else { return nil }
        let fields = layout.withUncounted { $0.fields }
        guard fields.externalColumns.contains(column) else { return nil }
        let row = row(index)
        guard Self.isNull(row, column) else { return nil }
        let version = row.load(fromByteOffset: fields.offsets[column], as: Int64.self)
        return version == 0 ? nil : version
    }

    /// Whether a column holds a value that lies outside of its row and was not fetched with it.
    package func isDeferred(_ column: Int, at index: Int) -> Bool {
        stamp(column, at: index) != nil
    }

    /// Whether a part of a property's value was not fetched.
    func isDeferred(_ property: PropertyLayout, at index: Int) -> Bool {
        property.columns.contains { isDeferred($0, at: index) }
    }

    /// Whether a row holds the same value of a property as another row of its object, as far as can be told without fetching it.
    ///
    /// A value that was not fetched is the same as long as it was not saved again.
    ///
    /// - Parameter areStored: Whether both rows are as the store has them. Those of a context may have what is pending there, under the
    ///   version that it was changed from.
    func holdsSame(
        _ property: PropertyLayout, at index: Int, as other: RowBatch, at otherIndex: Int, areStored: Bool
    ) -> Bool {
        if !isDeferred(property, at: index), !other.isDeferred(property, at: otherIndex) {
            return rawValue(of: property, at: index) == other.rawValue(of: property, at: otherIndex)
        }
        if areStored, version(at: index) == other.version(at: otherIndex) { return true }
        return property.columns.allSatisfy { column in
            switch (stamp(column, at: index), other.stamp(column, at: otherIndex)) {
            case (nil, nil): value(column, at: index) == other.value(column, at: otherIndex)
            case (let mine?, let theirs?): mine == theirs
            case (nil, let saved?):
                areStored && isOlder(index, other, otherIndex) && saved <= version(at: index)
            case (let saved?, nil):
                areStored && other.isOlder(otherIndex, self, index) && saved <= other.version(at: otherIndex)
            }
        }
    }

    private func isOlder(_ index: Int, _ other: RowBatch, _ otherIndex: Int) -> Bool {
        version(at: index) < other.version(at: otherIndex)
    }
}

extension RowBatchBuilder {
    /// Records that a column's value was not fetched, with the version at which it was saved; 0 takes that back.
    mutating func setStamp(_ version: Int64, of column: Int) {
        guard let fields = layout?.fields, fields.externalColumns.contains(column) else { return }
        currentRow.storeBytes(of: version, toByteOffset: fields.offsets[column], as: Int64.self)
    }

    @inline(never)
    mutating func clearStamps() {
        guard let fields = layout?.fields else { return }
        for column in fields.externalColumns { setStamp(0, of: column) }
    }
}

extension OpenRow {
    /// Records that a value was not fetched, with the version at which it was saved; nothing where the row has a value itself.
    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, stamp: Int64) {
        let bits = memory.load(fromByteOffset: place.nullWord, as: UInt64.self)
        // The field of a value says where its bytes are.
        guard bits & ~place.others != 0 else { return }
        memory.storeBytes(of: stamp, toByteOffset: place.offset, as: Int64.self)
    }
}
