package import ContextCore

/// Unpacks what a ``HistoryEncoder`` packed.
///
/// Keys that follow each other stay a run until all bytes are read and the number of rows is known to be one that a store writes, so bytes
/// that nobody wrote take neither time nor memory.
package struct HistoryDecoder {
    /// What was done to the rows of some runs.
    private struct Group {
        let kind: HistoryChange.Kind
        let entityIndex: Int
        var properties: [String] = []
        var tombstone: [String: StoredValue] = [:]
    }

    /// Rows whose keys follow each other.
    private struct Run {
        let group: Int
        let first: Int64
        let last: Int64
    }

    private let mapping: StoreMapping
    private let longestLine: Int64
    private var groups: [Group] = []
    /// The rows of entities that the model has, in the order in which they were written.
    private var runs: [Run] = []
    /// How many rows runs may still name.
    private var left: Int64 = 0
    /// Whether the record says how many rows it names, which must then be there.
    private var isAnnounced = false
    /// The process that wrote the line that was read last, as far as the line says.
    package private(set) var process: HistoryProcess?

    /// - Parameter longestLine: How many rows a record may name that doesn't say how many there are: a damaged one could name more than
    ///   memory has room for.
    package init(_ mapping: StoreMapping, longestLine: Int64 = Int64(HistoryChange.usualRows)) {
        self.mapping = mapping
        self.longestLine = longestLine
    }

    /// The changes, each row once, sorted by entity and key.
    ///
    /// Rows of entities that the model no longer has are left out.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when the bytes make no sense.
    package mutating func changes(_ bytes: [UInt8]) throws(StoreError) -> [HistoryChange] {
        groups.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        process = nil
        left = longestLine
        isAnnounced = false
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard let kind = reader.byte(), readPart(kind, &reader) != nil else { throw Self.damage }
        }
        if isAnnounced, left > 0 { throw Self.damage }
        return rows(of: runs.sorted { (entityIndex($0), $0.first) < (entityIndex($1), $1.first) })
    }

    private static let damage = StoreError(
        .corrupt, "A line of the store's history can't be read.",
        remedy: "Forget the history up to it, or restore a backup.")

    private func entityIndex(_ run: Run) -> Int { groups[run.group].entityIndex }

    // MARK: Reading

    private mutating func readPart(_ byte: UInt8, _ reader: inout ByteReader) -> Void? {
        if byte == HistoryChange.rowsByte { return readRows(&reader) }
        guard byte == HistoryChange.processByte else { return readGroup(byte, &reader) }
        guard let name = reader.text(), let number = reader.number() else { return nil }
        process = HistoryProcess(name: name, identifier: Int32(truncatingIfNeeded: number))
        return ()
    }

    /// Reads how many rows follow, which is said before the first of them, and once.
    private mutating func readRows(_ reader: inout ByteReader) -> Void? {
        guard !isAnnounced, left == longestLine, let number = reader.number(),
            number <= UInt64(HistoryChange.mostRows)
        else { return nil }
        left = Int64(number)
        isAnnounced = true
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
                length <= UInt64(left)
            else { return nil }
            left -= Int64(length)
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

    /// Makes the rows of runs that are sorted by entity and key.
    private func rows(of sorted: [Run]) -> [HistoryChange] {
        let isDisjoint = zip(sorted, sorted.dropFirst()).allSatisfy {
            entityIndex($0) != entityIndex($1) || $0.last < $1.first
        }
        guard isDisjoint else { return mergedRows() }
        var changes: [HistoryChange] = []
        changes.reserveCapacity(sorted.reduce(0) { $0 + Int($1.last - $1.first) + 1 })
        for run in sorted {
            for key in run.first...run.last { changes.append(change(groups[run.group], key)) }
        }
        return changes
    }

    /// Makes the rows of runs that have rows in common, in the order in which they were written.
    private func mergedRows() -> [HistoryChange] {
        var changes: [Row: HistoryChange] = [:]
        for run in runs {
            let group = groups[run.group]
            for key in run.first...run.last {
                let row = Row(entityIndex: group.entityIndex, key: key)
                guard let known = changes[row], group.kind == .update else {
                    changes[row] = change(group, key)
                    continue
                }
                // A row that was inserted or deleted stays so, whatever else was done to it; updates come together.
                if known.kind != .update { continue }
                let all = Set(known.changedProperties).union(group.properties)
                changes[row]?.changedProperties = all.sorted { $0.precedes($1) }
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
