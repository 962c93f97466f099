#if Postgres
import ContextCore
import Foundation
import SQLStore

/// SQL literals with explicit types, for statements that can't have parameters.
enum PostgresLiteral {
    /// Returns the literal of a value; nil if the value has none, such as NaN or a text with a null character.
    ///
    /// Sessions set `standard_conforming_strings`, so backslashes need no escape.
    static func spelling(of value: StoredValue, _ type: SQLType) -> SQLFragment? {
        switch value {
        case .null: return "NULL"
        case .bool(let value): return value ? "TRUE" : "FALSE"
        case .int(let value): return "\(quoted: String(value))::int8"
        case .double(let value): return spelling(of: value)
        case .decimal(let value): return "\(quoted: value.description)::numeric"
        case .string(let value): return spelling(of: value, type)
        case .data(let value): return "\(quoted: "\\x" + hexadecimal(value))::bytea"
        case .timestamp(let microseconds): return spelling(of: CivilTime(microseconds: microseconds))
        case .uuid(let value): return "\(quoted: value.uuidString)::uuid"
        case .composite: return nil
        }
    }

    /// Returns the literal of an array of keys.
    static func spelling(of keys: some Collection<Int64>) -> SQLFragment {
        "\(quoted: "{\(keys.map(String.init).joined(separator: ","))}")::bigint[]"
    }

    private static func spelling(of value: Double) -> SQLFragment? {
        if value.isNaN { return nil }
        let digits = value.isInfinite ? (value > 0 ? "Infinity" : "-Infinity") : String(value + 0)
        return "\(quoted: digits)::float8"
    }

    private static func spelling(of value: String, _ type: SQLType) -> SQLFragment? {
        if value.utf8.contains(0) { return nil }
        return type == .json ? "\(quoted: value)::jsonb" : "\(quoted: value)::text"
    }

    /// Returns the literal of a timestamp; nil for years without four digits, whose notation differs.
    private static func spelling(of time: CivilTime) -> SQLFragment? {
        (1...9999).contains(time.year) ? "\(quoted: time.text)::timestamptz" : nil
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}
#endif
