#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Encodes many values as one JSON array, which SQLite expands into a table.
///
/// Integers and texts are encoded as themselves, doubles as the integer with the same bits, and data as hexadecimal digits.
enum ValueList {
    static func json(_ values: [StoredValue], _ type: SQLType) throws(StoreError) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        bytes.reserveCapacity(values.count * 12 + 2)
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            try append(value, type, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(
        _ value: StoredValue, _ type: SQLType, to bytes: inout [UInt8]
    ) throws(StoreError) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes.append(UInt8(ascii: value ? "1" : "0"))
        case .int(let value), .timestamp(let value): bytes += String(value).utf8
        case .double(let value): bytes += String(Int64(bitPattern: (value + 0).bitPattern)).utf8
        case .decimal(let value):
            if case .decimal(let precision, let scale) = type,
                precision <= ScaledDecimal.maximumIntegerPrecision
            {
                bytes += String(try ScaledDecimal.exactInteger(value, scale: scale)).utf8
            } else {
                append(text: SortableDecimal.text(of: value), to: &bytes)
            }
        case .string(let value): append(text: value, to: &bytes)
        case .data(let value): append(data: value, to: &bytes)
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { append(data: $0, to: &bytes) }
        case .composite:
            throw StoreError(
                .unsupportedRequest, "A composite can't be compared as a whole.",
                remedy: "Compare its properties instead.")
        }
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(data: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in data {
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
#endif
