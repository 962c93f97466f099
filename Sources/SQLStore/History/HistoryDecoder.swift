package import ContextCore

/// Unpacks what a ``HistoryEncoder`` packed.
package struct HistoryDecoder {
    private struct Row: Hashable {
        let entityIndex: Int
        let key: Int64
    }

    private let mapping: StoreMapping
    private let longestLine: Int64
    private var left: Int64 = 0
    /// Whether rows are counted, and not kept.
    private var isCounting = false
    private var changes: [Row: HistoryChange] = [:]
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
        changes = [:]
        process = nil
        left = longestLine
        isCounting = false
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard let kind = reader.byte(), readPart(kind, &reader) != nil else {
                throw StoreError(
                    .corrupt, "A line of the store's history can't be read.",
                    remedy: "Forget the history up to it, or restore a backup.")
            }
        }
        return changes.values.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
    }

    private mutating func readPart(_ byte: UInt8, _ reader: inout ByteReader) -> Void? {
        if byte == HistoryChange.rowsByte { return readRows(&reader) }
        guard byte == HistoryChange.processByte else { return readGroup(byte, &reader) }
        guard let name = reader.text(), let number = reader.number() else { return nil }
        process = HistoryProcess(name: name, identifier: Int32(truncatingIfNeeded: number))
        return ()
    }

    /// Reads how many rows follow, and counts them before any is kept.
    private mutating func readRows(_ reader: inout ByteReader) -> Void? {
        guard !isCounting, let number = reader.number(), let rows = Int64(exactly: number) else { return nil }
        left = rows
        isCounting = true
        var groups = reader
        while !groups.isAtEnd {
            guard let kind = groups.byte(), readPart(kind, &groups) != nil else { return nil }
        }
        guard left == 0 else { return nil }
        left = rows
        isCounting = false
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
        guard let runs = reader.count() else { return nil }
        var end: Int64 = 0
        for _ in 0..<runs {
            guard let distance = reader.signed(), let length = reader.number(), length > 0,
                length <= UInt64(left)
            else { return nil }
            left -= Int64(length)
            let first = end &+ distance
            let (last, overflow) = first.addingReportingOverflow(Int64(length) - 1)
            if overflow { return nil }
            end = last &+ 1
            guard let entity, !isCounting else { continue }
            for key in first...last { note(kind, entity, key, properties) }
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
        if let entity, !isCounting {
            changes[Row(entityIndex: entity.layout.index, key: key)] = HistoryChange(
                kind: .delete, entityIndex: entity.layout.index, key: key, tombstone: values)
        }
        return ()
    }

    /// A row that was inserted or deleted stays so, whatever else was done to it; updates come together.
    private mutating func note(
        _ kind: HistoryChange.Kind, _ entity: EntityMapping, _ key: Int64, _ properties: [String]
    ) {
        let row = Row(entityIndex: entity.layout.index, key: key)
        guard let known = changes[row], kind == .update else {
            changes[row] = HistoryChange(
                kind: kind, entityIndex: row.entityIndex, key: key, changedProperties: properties)
            return
        }
        if known.kind != .update { return }
        let all = Set(known.changedProperties).union(properties)
        changes[row]?.changedProperties = all.sorted { $0.precedes($1) }
    }
}
