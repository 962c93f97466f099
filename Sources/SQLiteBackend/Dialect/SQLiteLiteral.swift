#if SQLite
import ContextCore
import Foundation
import SQLStore

/// Renders values as literals, encoded as in columns.
enum SQLiteLiteral {
    /// Renders a value of a type, or returns nil for a text with a NUL, which would end the statement.
    static func spelling(of value: StoredValue, _ type: SQLType) -> SQLFragment? {
        switch value {
        case .null: return "NULL"
        case .bool(let value): return value ? "1" : "0"
        case .int(let value), .timestamp(let value): return "\(number: value)"
        case .double(let value): return spelling(of: value)
        case .decimal(let value): return spelling(of: value, type)
        case .string(let value): return value.utf8.contains(0) ? nil : "\(quoted: value)"
        case .data(let value): return "x\(quoted: hexadecimal(value))"
        case .uuid(let value): return "x\(quoted: withUnsafeBytes(of: value.uuid) { hexadecimal($0) })"
        case .composite: return nil
        }
    }

    /// Renders a double; infinity is a literal that is too large for a double.
    private static func spelling(of value: Double) -> SQLFragment? {
        if value.isNaN { return nil }
        if value.isInfinite { return value > 0 ? "9e999" : "-9e999" }
        return "\(number: value + 0)"
    }

    private static func spelling(of value: Decimal, _ type: SQLType) -> SQLFragment? {
        guard case .decimal(let precision, let scale) = type,
            precision <= ScaledDecimal.maximumIntegerPrecision
        else { return "\(quoted: SortableDecimal.text(of: value))" }
        guard let number = try? ScaledDecimal.exactInteger(value, scale: scale) else { return nil }
        return "\(number: number)"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}
#endif
