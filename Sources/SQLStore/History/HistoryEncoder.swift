package import ContextCore

/// Encodes the changes of a save compactly: changes of one kind share a header, and consecutive keys form a run.
///
/// ```
/// process: 5, name, number
/// rows: 6, number; only in a record of more rows than ``HistoryChange/uncountedRowLimit``
/// group: kind, entity's number, [names of properties], runs: [distance from the end of the last one, length]
/// ```
///
/// Records of older versions have no process and begin with a group.
package struct HistoryEncoder {
    private var writer = ByteWriter()
    /// The number of rows of all groups.
    private var rows = 0

    package init() {}

    /// Encodes updates that changed the same properties of all rows.
    ///
    /// - Parameter keys: The keys of the rows by entity number.
    package init(updates keys: [Int: [Int64]], properties: [String]) {
        for (number, keys) in keys.sorted(by: { $0.key < $1.key }) {
            append(.update, entity: number, properties: properties, keys: keys.sorted())
        }
    }

    /// The encoded groups.
    package var bytes: [UInt8] { writer.bytes }

    /// Returns the whole record: the process that saved, then the encoded groups.
    ///
    /// - Parameter limit: The number of rows above which the record contains its number of rows.
    package func bytes(
        by process: HistoryProcess, includingCountAbove limit: Int = HistoryChange.uncountedRowLimit
    ) -> [UInt8] {
        var head = ByteWriter()
        head.write(HistoryChange.processByte)
        head.write(process.name)
        head.write(number: UInt64(UInt32(bitPattern: process.identifier)))
        if rows > limit {
            head.write(HistoryChange.rowsByte)
            head.write(number: UInt64(rows))
        }
        return head.bytes + writer.bytes
    }

    /// Throws if the changes have more rows than a record may contain.
    package func checkRows(limit: Int = HistoryChange.maximumRows) throws(StoreError) {
        guard rows > limit else { return }
        throw StoreError(
            .unsupportedRequest,
            "The batch would change \(rows.groupedDigits) rows, and one save can change at most \(limit.groupedDigits).",
            remedy: "Split it into several batches with narrower predicates. Nothing was changed.")
    }

    /// Whether nothing is encoded yet.
    package var isEmpty: Bool { writer.bytes.isEmpty }

    /// Appends rows with the same kind of change.
    package mutating func append(
        _ kind: HistoryChange.Kind, entity number: Int, properties: [String] = [],
        keys: [Int64]
    ) {
        append(kind, entity: number, properties: properties, runs: Self.runs(keys))
    }

    // Not generic, because a generic function isn't specialized for the modules that call it.
    package mutating func append(
        _ kind: HistoryChange.Kind, entity number: Int, properties: [String] = [],
        keys: BatchKeys
    ) {
        append(kind, entity: number, properties: properties, runs: Self.runs(keys))
    }

    private mutating func append(
        _ kind: HistoryChange.Kind, entity number: Int, properties: [String],
        runs: [(first: Int64, count: Int)]
    ) {
        if runs.isEmpty { return }
        writer.write(kind.byte)
        writer.write(number: UInt64(number))
        writer.write(number: UInt64(properties.count))
        for property in properties { writer.write(property) }
        writer.write(number: UInt64(runs.count))
        var end: Int64 = 0
        for run in runs {
            writer.write(signed: run.first &- end)
            writer.write(number: UInt64(run.count))
            rows += run.count
            end = run.first &+ Int64(run.count)
        }
    }

    /// Appends inserted rows.
    package mutating func append(_ insertion: ChangeSet.Insertion, _ mapping: StoreMapping) {
        let number = mapping.entities[insertion.entityIndex].number
        append(.insert, entity: number, keys: BatchKeys(insertion.rows))
    }

    /// Appends updated rows.
    package mutating func append(_ update: ChangeSet.Update, _ mapping: StoreMapping) {
        let entity = mapping.entities[update.entityIndex]
        append(
            .update, entity: entity.number, properties: entity.propertyNames(ofColumns: update.columns),
            keys: BatchKeys(update.rows))
    }

    /// Appends a deleted row with its tombstone values.
    package mutating func append(tombstone: [String: StoredValue], entity number: Int, key: Int64) {
        writer.write(HistoryChange.tombstoneByte)
        writer.write(number: UInt64(number))
        writer.write(signed: key)
        writer.write(number: UInt64(tombstone.count))
        for (name, value) in tombstone.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            writer.write(name)
            writer.write(value)
        }
    }

    private static func runs(_ keys: some Collection<Int64>) -> [(first: Int64, count: Int)] {
        var runs: [(first: Int64, count: Int)] = []
        for key in keys {
            if let last = runs.last, last.first &+ Int64(last.count) == key {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((key, 1))
            }
        }
        return runs
    }
}

extension HistoryChange {
    /// The tag of a deleted row with its tombstone values.
    static let tombstoneByte: UInt8 = 4
    /// The tag of the process that saved.
    static let processByte: UInt8 = 5
    /// The tag of the number of rows.
    static let rowsByte: UInt8 = 6
    /// The maximum number of rows of a record that doesn't contain its number of rows.
    package static let uncountedRowLimit = 1 << 24
    /// The maximum number of rows of a record; larger saves are refused, so a record with a larger number is corrupt.
    package static let maximumRows = 1 << 28
}

extension HistoryChange.Kind {
    var byte: UInt8 {
        switch self {
        case .insert: 1
        case .update: 2
        case .delete: 3
        }
    }

    init?(byte: UInt8) {
        switch byte {
        case 1: self = .insert
        case 2: self = .update
        case 3: self = .delete
        default: return nil
        }
    }
}
