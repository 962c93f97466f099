package import ContextCore

/// Decodes the records of a ``HistoryEncoder``.
///
/// Consecutive keys stay runs until all bytes are read and the number of rows is validated, so corrupt bytes can't exhaust time
/// or memory.
package struct HistoryDecoder {
    /// A change that the rows of several runs share.
    private struct Group {
        let kind: HistoryChange.Kind
        let entityIndex: Int
        var properties: [String] = []
        var tombstone: [String: StoredValue] = [:]
    }

    /// Rows with consecutive keys.
    private struct Run {
        let group: Int
        let first: Int64
        let last: Int64
    }

    private let mapping: StoreMapping
    private let maximumUncountedRows: Int64
    private var groups: [Group] = []
    /// The rows of entities that the model has, in the order in which they were encoded.
    private var runs: [Run] = []
    /// How many more rows the runs may contain.
    private var remainingRows: Int64 = 0
    /// Whether the record contains its number of rows, which must then be exact.
    private var hasRowCount = false
    /// The process that wrote the last decoded record, if the record contains it.
    package private(set) var process: HistoryProcess?

    /// - Parameter longestLine: The maximum number of rows of a record that doesn't contain its number of rows, so that a corrupt
    ///   record can't exhaust memory.
    package init(
        _ mapping: StoreMapping, maximumUncountedRows: Int64 = Int64(HistoryChange.uncountedRowLimit)
    ) {
        self.mapping = mapping
        self.maximumUncountedRows = maximumUncountedRows
    }

    /// Decodes a record into changes, one per row, sorted by entity and key.
    ///
    /// Rows of entities that the model no longer has are skipped.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when the bytes are invalid.
    package mutating func changes(_ bytes: [UInt8]) throws(StoreError) -> [HistoryChange] {
        groups.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        process = nil
        remainingRows = maximumUncountedRows
        hasRowCount = false
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard let kind = reader.byte(), readPart(kind, &reader) != nil else {
                throw Self.damagedRecordError
            }
        }
        if hasRowCount, remainingRows > 0 { throw Self.damagedRecordError }
        return changes(of: runs.sorted { (entityIndex($0), $0.first) < (entityIndex($1), $1.first) })
    }

    private static let damagedRecordError = StoreError(
        .corrupt, "A record of the store's history is damaged.",
        remedy: "Delete the history with 'storectl history prune', or restore a backup.")

    private func entityIndex(_ run: Run) -> Int { groups[run.group].entityIndex }

    // MARK: Reading

    private mutating func readPart(_ byte: UInt8, _ reader: inout ByteReader) -> Void? {
        if byte == HistoryChange.rowsByte { return readRows(&reader) }
        guard byte == HistoryChange.processByte else { return readGroup(byte, &reader) }
        guard let name = reader.text(), let number = reader.number() else { return nil }
        process = HistoryProcess(name: name, identifier: Int32(truncatingIfNeeded: number))
        return ()
    }

    /// Reads the number of rows of the record, which precedes the first row and occurs once.
    private mutating func readRows(_ reader: inout ByteReader) -> Void? {
        guard !hasRowCount, remainingRows == maximumUncountedRows, let number = reader.number(),
            number <= UInt64(HistoryChange.maximumRows)
        else { return nil }
        remainingRows = Int64(number)
        hasRowCount = true
        return ()
    }

    private mutating func readGroup(_ byte: UInt8, _ reader: inout ByteReader) -> Void? {
        guard let number = reader.number() else { return nil }
        let entity = mapping.entity(number: Int(truncatingIfNeeded: number))
        if byte == HistoryChange.tombstoneByte { return readTombstone(of: entity, &reader) }
        guard let kind = HistoryChange.Kind(byte: byte), let count = reader.count() else { return nil }
        var properties: [String] = []
        for _ in 0..<count {
            guard let property = reader.text() else { return nil }
            properties.append(property)
        }
        if let entity {
            groups.append(Group(kind: kind, entityIndex: entity.layout.index, properties: properties))
        }
        return readRuns(isKept: entity != nil, &reader)
    }

    private mutating func readRuns(isKept: Bool, _ reader: inout ByteReader) -> Void? {
        guard let count = reader.count() else { return nil }
        var end: Int64 = 0
        for _ in 0..<count {
            guard let distance = reader.signed(), let length = reader.number(), length > 0,
                length <= UInt64(remainingRows)
            else { return nil }
            remainingRows -= Int64(length)
            let first = end &+ distance
            let (last, overflow) = first.addingReportingOverflow(Int64(length) - 1)
            if overflow { return nil }
            end = last &+ 1
            if isKept { runs.append(Run(group: groups.count - 1, first: first, last: last)) }
        }
        return ()
    }

    private mutating func readTombstone(of entity: EntityMapping?, _ reader: inout ByteReader) -> Void? {
        guard let key = reader.signed(), let count = reader.count() else { return nil }
        var values: [String: StoredValue] = [:]
        for _ in 0..<count {
            guard let name = reader.text(), let value = reader.value() else { return nil }
            values[name] = value
        }
        if let entity {
            runs.append(Run(group: groups.count, first: key, last: key))
            groups.append(Group(kind: .delete, entityIndex: entity.layout.index, tombstone: values))
        }
        return ()
    }

    // MARK: Rows

    /// Expands runs that are sorted by entity and key.
    private func changes(of sorted: [Run]) -> [HistoryChange] {
        let isDisjoint = zip(sorted, sorted.dropFirst()).allSatisfy {
            entityIndex($0) != entityIndex($1) || $0.last < $1.first
        }
        guard isDisjoint else { return mergedChanges() }
        var changes: [HistoryChange] = []
        changes.reserveCapacity(sorted.reduce(0) { $0 + Int($1.last - $1.first) + 1 })
        for run in sorted {
            for key in run.first...run.last { changes.append(change(groups[run.group], key)) }
        }
        return changes
    }

    /// Expands runs that share rows, in the order in which they were encoded.
    private func mergedChanges() -> [HistoryChange] {
        var changes: [Row: HistoryChange] = [:]
        for run in runs {
            let group = groups[run.group]
            for key in run.first...run.last {
                let row = Row(entityIndex: group.entityIndex, key: key)
                guard let known = changes[row], group.kind == .update else {
                    changes[row] = change(group, key)
                    continue
                }
                // Updates of a row are merged; an insertion or deletion takes precedence over updates.
                if known.kind != .update { continue }
                let all = Set(known.changedProperties).union(group.properties)
                changes[row]?.changedProperties = all.sorted { $0.precedesByBytes($1) }
            }
        }
        return changes.values.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
    }

    private struct Row: Hashable {
        let entityIndex: Int
        let key: Int64
    }

    private func change(_ group: Group, _ key: Int64) -> HistoryChange {
        HistoryChange(
            kind: group.kind, entityIndex: group.entityIndex, key: key, changedProperties: group.properties,
            tombstone: group.tombstone)
    }
}
