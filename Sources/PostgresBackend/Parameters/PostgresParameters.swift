#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The parameters of a statement in binary format, in one buffer.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private(set) var bytes: [UInt8] = []
    /// The offset of each value; negative for null.
    private(set) var starts: [Int] = []
    private(set) var lengths: [Int32] = []

    init() {}

    /// Creates the parameters of a compiled statement.
    init(_ bindings: [SQLBinding]) throws(StoreError) {
        // All occurrences of the current date in a request have the same value.
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
            case .now: append(timestamp: now.microseconds)
            case .parameter: programmingError("A placeholder of a statement has no value.")
            }
        }
    }

    private static func check(_ value: StoredValue) throws(StoreError) {
        if case .timestamp(let microseconds) = value, !PostgresTimestamp.isRepresentable(microseconds) {
            throw .dateTooEarlyError("A date in the request")
        }
    }

    var count: Int { types.count }

    /// The total size of the values.
    var byteCount: Int { bytes.count }

    /// The largest size of the values of a statement; the server limits messages to 1 GiB.
    static let maximumBytes = 1_073_000_000
    /// The largest number of values, which the protocol counts with 16 bits.
    static let maximumValues = 65_535

    /// Throws if the values exceed the limits of a message, for which the server would close the connection.
    func check() throws(StoreError) {
        if bytes.count <= Self.maximumBytes, types.count <= Self.maximumValues { return }
        throw StoreError(
            .unsupportedRequest, "The values of a statement exceed PostgreSQL's limits.",
            remedy: "Save, delete or fetch fewer objects at a time.",
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

    mutating func append(timestamp microseconds: Int64?) {
        guard let microseconds else { return appendNull(.timestamp) }
        append(.timestamp) { $0.append(bigEndian: PostgresTimestamp.encoded(microseconds)) }
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
        case .timestamp(let microseconds): append(timestamp: microseconds)
        case .uuid(let value):
            append(.uuid) { bytes in withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) } }
        case .composite:
            throw StoreError(
                .unsupportedRequest, "A composite can't be compared as a whole.",
                remedy: "Compare its properties instead.")
        }
    }

    mutating func appendNull(_ type: PostgresType) {
        types.append(type.oid)
        starts.append(-1)
        lengths.append(0)
    }

    /// Appends a value; `write` appends its binary form to the buffer.
    mutating func append(_ type: PostgresType, _ write: (inout [UInt8]) -> Void) {
        types.append(type.oid)
        starts.append(bytes.count)
        write(&bytes)
        // `check` rejects statements whose values don't fit into 32 bits.
        lengths.append(Int32(truncatingIfNeeded: bytes.count - (starts.last ?? 0)))
    }

    /// The version byte at the beginning of a binary `jsonb` value.
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

    /// Appends an array of values of one type, which contains no composites.
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
        case .timestamp(let microseconds): bytes.append(bigEndian: PostgresTimestamp.encoded(microseconds))
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        }
    }

    /// Appends an array; `write` must append `count` elements.
    mutating func appendArray(
        _ type: PostgresType, count: Int, _ write: (inout ArrayWriter) -> Void
    ) {
        types.append(type.arrayOID)
        starts.append(bytes.count)
        var writer = ArrayWriter(bytes: bytes, type: type, count: count)
        bytes = []
        write(&writer)
        bytes = writer.bytes
        // `check` rejects statements whose values don't fit into 32 bits.
        lengths.append(Int32(truncatingIfNeeded: bytes.count - (starts.last ?? 0)))
    }

    /// Appends the elements of an array.
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
            bytes.replaceBytes(withBigEndian: Int32(1), at: flag)
            bytes.append(bigEndian: Int32(-1))
        }

        mutating func append(_ write: (inout [UInt8]) -> Void) {
            let place = bytes.count
            bytes.append(bigEndian: Int32(0))
            write(&bytes)
            bytes.replaceBytes(withBigEndian: Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
        }
    }

    // MARK: Passing to libpq

    /// The format codes of 64 binary values, which is enough for nearly all statements.
    private static let formats = [Int32](repeating: 1, count: 64)

    /// Calls a closure with pointers to the values, their lengths and formats, which are valid until it returns.
    func withValues<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) ->
            Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            // Safe: the type has the same layout, and libpq reads binary values by their lengths.
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            // A null pointer means null, so an empty value needs another pointer, which libpq doesn't read.
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
