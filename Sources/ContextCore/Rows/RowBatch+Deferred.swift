// Deferred values are stored outside their row and were not fetched with it. Such a column is null, and its field holds the version
// at which the value was saved, its stamp.
extension RowBatch {
    /// Returns the version at which a deferred value was saved; nil for values that are not deferred.
    package func stamp(_ column: Int, at index: Int) -> Int64? {
        // Unretained, because the model owns the layout. Called often; most entities have no deferred values.
        let layout = Unmanaged.passUnretained(model.layouts[entityIndex(at: index)])
        guard layout.withUnretained({ $0.mayHaveDeferredValues }) else { return nil }
        let fields = layout.withUnretained { $0.fields }
        guard fields.externalColumns.contains(column) else { return nil }
        let row = row(index)
        guard Self.isNull(row, column) else { return nil }
        let version = row.load(fromByteOffset: fields.offsets[column], as: Int64.self)
        return version == 0 ? nil : version
    }

    /// Whether a column's value is deferred: stored outside the row and not fetched with it.
    package func isDeferred(_ column: Int, at index: Int) -> Bool {
        stamp(column, at: index) != nil
    }

    /// Whether any column of a property is deferred.
    func isDeferred(_ property: PropertyLayout, at index: Int) -> Bool {
        property.columns.contains { isDeferred($0, at: index) }
    }

    /// Whether two rows of one object have the same value of a property, as far as the rows show without fetching deferred values.
    ///
    /// Deferred values are the same if they were saved at the same version.
    ///
    /// - Parameter areStored: Whether both rows are as the store has them. A row with a context's pending changes still has the version
    ///   that it was fetched with.
    func hasSameValue(
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
    /// Marks a column of the current row as deferred, with the version at which its value was saved; 0 makes it an ordinary null.
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
    /// Marks a null field as deferred, with the version at which its value was saved; a field that isn't null stays as it is.
    @inlinable
    @inline(__always)
    package func set(_ location: FieldLocation, stamp: Int64) {
        let bits = memory.load(fromByteOffset: location.nullWord, as: UInt64.self)
        // A field with a value holds the range of its bytes.
        guard bits & ~location.otherBits != 0 else { return }
        memory.storeBytes(of: stamp, toByteOffset: location.offset, as: Int64.self)
    }
}
