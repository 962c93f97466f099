package import ContextCore

/// Packs what a save changed into few bytes: rows of one kind share a head, and keys that follow each other are a run.
///
/// ```
/// process: 5, name, number
/// rows: 6, number; only in a record of more rows than ``HistoryChange/usualRows``
/// group: kind, entity's number, [names of properties], runs: [distance from the end of the last one, length]
/// ```
///
/// Lines that were written before processes were begin with a group.
package struct HistoryEncoder {
    private var writer = ByteWriter()
    /// How many rows the groups name.
    private var rows = 0

    package init() {}

    /// Packs rows of which the same properties were changed.
    ///
    /// - Parameter keys: Their keys, by the numbers of their entities.
    package init(updates keys: [Int: [Int64]], properties: [String]) {
        for (number, keys) in keys.sorted(by: { $0.key < $1.key }) {
            append(.update, entity: number, properties: properties, keys: keys.sorted())
        }
    }

    /// What was packed so far.
    package var bytes: [UInt8] { writer.bytes }

    /// What was packed so far, and which process did it.
    ///
    /// - Parameter limit: How many rows a record may name that doesn't say how many there are.
    package func bytes(
        by process: HistoryProcess, announcedAbove limit: Int = HistoryChange.usualRows
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

    /// Refuses more rows than a record names.
    package func checkRows(most: Int = HistoryChange.mostRows) throws(StoreError) {
        guard rows > most else { return }
        throw StoreError(
            .unsupportedRequest,
            "\(rows.groupedDigits) rows would be changed at once, more than the \(most.groupedDigits) that one save can change.",
            remedy: "Change them in several batches, each with a predicate of its own; nothing was changed.")
    }

    /// Whether nothing was packed yet.
    package var isEmpty: Bool { writer.bytes.isEmpty }

    /// Packs rows to which the same was done.
    package mutating func append(
        _ kind: HistoryChange.Kind, entity number: Int, properties: [String] = [],
        keys: [Int64]
    ) {
        append(kind, entity: number, properties: properties, runs: Self.runs(keys))
    }

    // Apart from the other, as a generic function would not be made anew for the modules that call it.
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

    /// Packs a deleted row with the values that are kept of it.
    package mutating func append(tombstone: [String: StoredValue], entity number: Int, key: Int64) {
        writer.write(HistoryChange.tombstoneByte)
        writer.write(number: UInt64(number))
        writer.write(signed: key)
        writer.write(number: UInt64(tombstone.count))
        for (name, value) in tombstone.sorted(by: { $0.key.precedes($1.key) }) {
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
    /// The byte of a deleted row with its values.
    static let tombstoneByte: UInt8 = 4
    /// The byte of the process that saved.
    static let processByte: UInt8 = 5
    /// The byte of the number of rows.
    static let rowsByte: UInt8 = 6
    /// How many rows a record names at most that doesn't say how many there are.
    package static let usualRows = 1 << 24
    /// How many rows a record names at most: a save of more is refused, so bytes that name more are damaged.
    package static let mostRows = 1 << 28
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
