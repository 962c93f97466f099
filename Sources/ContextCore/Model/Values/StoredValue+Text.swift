import Foundation

extension StoredValue: CustomStringConvertible, CustomDebugStringConvertible {
    /// The value as unlocalized text: `Ann`, `12`, `true`, `2026-08-01T12:00:00Z`; `nil` for null, and the number of bytes for data.
    ///
    /// It contains the value, so log it only where values may be logged.
    public var description: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): value
        case .data(let value): value.count.counted("byte", "bytes")
        case .timestamp(let microseconds): CivilTime(microseconds: microseconds).text
        case .uuid(let value): value.uuidString
        case .composite(let parts): "(\(parts.map(\.debugDescription).joined(separator: ", ")))"
        }
    }

    /// The value as unlocalized text, with quotation marks around text: `"Ann"`, `12`.
    public var debugDescription: String {
        if case .string(let text) = self { text.debugDescription } else { description }
    }
}
