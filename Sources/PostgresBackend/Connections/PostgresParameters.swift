#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The values of one statement, packed as they cross: in binary, one after the other.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private(set) var bytes: [UInt8] = []
    /// Where each value begins; negative for null.
    private(set) var starts: [Int] = []
    private(set) var lengths: [Int32] = []

    init() {}

    /// The values of a statement that a compiler made.
    init(_ bindings: [SQLBinding]) throws(StoreError) {
        // A request has one now, however often it speaks of it.
        let now = Date()
        for binding in bindings {
            switch binding {
            case .value(let value, let type):
                try Self.check(value)
                try append(value, as: PostgresType(type))
            case .list(let values, let type):
                for value in values { try Self.check(value) }
                append(list: values, as: PostgresType(type))
            case .keys(let keys): append(keys: keys)
            case .now: append(moment: now.microseconds)
            case .place: programmingError("A statement's place was left without a value.")
            }
        }
    }

    private static func check(_ value: StoredValue) throws(StoreError) {
        if case .timestamp(let moment) = value, !PostgresMoment.isKnown(moment) {
            throw .beforeCalendar("A moment that is compared")
        }
    }

    var count: Int { types.count }

    /// How many bytes they are together.
    var byteCount: Int { bytes.count }

    /// The most bytes that a server takes in one message, but for some that the message itself has.
    static let mostBytes = 1_073_000_000
    /// The most values that the protocol can count.
    static let mostValues = 65_535

    /// Refuses values that can't be sent: the server would end the connection, and libpq would give up.
    func check() throws(StoreError) {
        if bytes.count <= Self.mostBytes, types.count <= Self.mostValues { return }
        throw StoreError(
            .unsupportedRequest, "A statement has more values than PostgreSQL takes at once.",
            remedy: "Save, delete or ask for fewer objects at a time.",
            detail: "It has \(types.count) values of \(bytes.count) bytes.")
    }

    // MARK: Single values

    mutating func append(_ value: Int64?) {
        guard let value else { return appendNull(.integer) }
        append(.integer) { $0.append(bigEndian: value) }
    }

    mutating func append(_ value: String?) {
        guard let value else { return appendNull(.text) }
        append(.text) { $0.append(contentsOf: value.utf8) }
    }

    mutating func append(moment microseconds: Int64?) {
        guard let microseconds else { return appendNull(.moment) }
        append(.moment) { $0.append(bigEndian: PostgresMoment.sent(microseconds)) }
    }

    mutating func append(_ data: [UInt8]?) {
        guard let data else { return appendNull(.bytes) }
        append(.bytes) { $0.append(contentsOf: data) }
    }

    mutating func append(_ value: StoredValue, as type: PostgresType) throws(StoreError) {
        switch value {
        case .null: appendNull(type)
        case .bool(let value): append(.bool) { $0.append(value ? 1 : 0) }
        case .int(let value): append(value)
        case .double(let value): append(.double) { $0.append(bigEndian: value.bitPattern) }
        case .decimal(let value): append(.numeric) { PostgresNumeric.write(value, to: &$0) }
        case .string(let value):
            append(type == .json ? .json : .text) {
                if type == .json { $0.append(Self.jsonVersion) }
                $0.append(contentsOf: value.utf8)
            }
        case .data(let value): append([UInt8](value))
        case .timestamp(let microseconds): append(moment: microseconds)
        case .uuid(let value):
            append(.uuid) { bytes in withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) } }
        case .composite:
            throw StoreError(.unsupportedRequest, "A composite can't be compared as a whole.")
        }
    }

    mutating func appendNull(_ type: PostgresType) {
        types.append(type.oid)
        starts.append(-1)
        lengths.append(0)
    }

    /// Appends a value that `write` spells in binary.
    mutating func append(_ type: PostgresType, _ write: (inout [UInt8]) -> Void) {
        types.append(type.oid)
        starts.append(bytes.count)
        write(&bytes)
        // A statement whose values are larger than this can say is refused as a whole.
        lengths.append(Int32(truncatingIfNeeded: bytes.count - (starts.last ?? 0)))
    }

    /// What jsonb begins with when it crosses in binary.
    static let jsonVersion: UInt8 = 1

    // MARK: Arrays

    mutating func append(keys: some Collection<Int64>) {
        appendArray(.integer, count: keys.count) { array in
            for key in keys { array.append { $0.append(bigEndian: key) } }
        }
    }

    mutating func append(_ texts: [String?]) {
        append(texts, .text) { text, bytes in bytes.append(contentsOf: text.utf8) }
    }

    mutating func append(_ data: [[UInt8]?]) {
        append(data, .bytes) { data, bytes in bytes.append(contentsOf: data) }
    }

    private mutating func append<Element>(
        _ elements: [Element?], _ type: PostgresType, _ write: (Element, inout [UInt8]) -> Void
    ) {
        appendArray(type, count: elements.count) { array in
            for element in elements {
                if let element { array.append { write(element, &$0) } } else { array.appendNull() }
            }
        }
    }

    /// Appends values of one type; composites are in no list.
    private mutating func append(list values: [StoredValue], as type: PostgresType) {
        appendArray(type, count: values.count) { array in
            for value in values {
                if value.isNull {
                    array.appendNull()
                } else {
                    array.append { Self.write(value, type, to: &$0) }
                }
            }
        }
    }

    private static func write(_ value: StoredValue, _ type: PostgresType, to bytes: inout [UInt8]) {
        switch value {
        case .null, .composite: break
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .int(let value): bytes.append(bigEndian: value)
        case .double(let value): bytes.append(bigEndian: value.bitPattern)
        case .decimal(let value): PostgresNumeric.write(value, to: &bytes)
        case .string(let value):
            if type == .json { bytes.append(jsonVersion) }
            bytes.append(contentsOf: value.utf8)
        case .data(let value): bytes.append(contentsOf: value)
        case .timestamp(let microseconds): bytes.append(bigEndian: PostgresMoment.sent(microseconds))
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        }
    }

    /// Appends an array, whose elements `write` must append in that number.
    mutating func appendArray(
        _ type: PostgresType, count: Int, _ write: (inout ArrayWriter) -> Void
    ) {
        types.append(type.arrayOID)
        starts.append(bytes.count)
        var writer = ArrayWriter(bytes: bytes, type: type, count: count)
        bytes = []
        write(&writer)
        bytes = writer.bytes
        // A statement whose values are larger than this can say is refused as a whole.
        lengths.append(Int32(truncatingIfNeeded: bytes.count - (starts.last ?? 0)))
    }

    /// Writes the elements of an array, one after the other.
    struct ArrayWriter {
        fileprivate var bytes: [UInt8]
        private let flag: Int

        fileprivate init(bytes: consuming [UInt8], type: PostgresType, count: Int) {
            self.bytes = bytes
            self.bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
            flag = self.bytes.count
            self.bytes.append(bigEndian: Int32(0))
            self.bytes.append(bigEndian: UInt32(type.oid))
            if count == 0 { return }
            self.bytes.append(bigEndian: Int32(truncatingIfNeeded: count))
            self.bytes.append(bigEndian: Int32(1))
        }

        mutating func appendNull() {
            bytes.put(bigEndian: Int32(1), at: flag)
            bytes.append(bigEndian: Int32(-1))
        }

        mutating func append(_ write: (inout [UInt8]) -> Void) {
            let place = bytes.count
            bytes.append(bigEndian: Int32(0))
            write(&bytes)
            bytes.put(bigEndian: Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
        }
    }

    // MARK: Handing over

    /// The formats of as many values as nearly all statements have: all in binary.
    private static let formats = [Int32](repeating: 1, count: 64)

    /// Calls a function with the values as libpq takes them; they are there until it returns.
    func withValues<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) ->
            Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            // Bytes by another name: libpq calls every value a string, and reads these by their lengths.
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            // An empty value is a pointer too: to nothing that is read. Null is none.
            let empty = UnsafePointer<CChar>(bitPattern: 1)
            let pointers = starts.map { start in start < 0 ? nil : base.map { $0 + start } ?? empty }
            let formats =
                types.count <= Self.formats.count ? Self.formats : [Int32](repeating: 1, count: types.count)
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
#endif
