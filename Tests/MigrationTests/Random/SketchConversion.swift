import ContextCore
import Foundation

/// The conversion of an attribute in a migration: an expression of the library, and its expected result in plain Swift.
enum SketchConversion: Sendable {
    /// The value converted to another type.
    case plain
    /// A quarter of an integer.
    case quarter
    /// Twice an integer.
    case twice

    /// - Parameter name: The older name of the attribute.
    func expression(_ name: String) -> String {
        switch self {
        case .plain: name
        case .quarter: "\(name) / 4"
        case .twice: "\(name) * 2"
        }
    }

    /// Returns the converted value; nil if the attribute can't store it, so that the migration is refused.
    func value(_ value: StoredValue, as type: AttributeType) -> StoredValue? {
        switch (self, value, type) {
        case (_, .null, _): .null
        case (.plain, .int(let number), .string): .string(String(number))
        case (.plain, .int(let number), .int16): Int16(exactly: number) == nil ? nil : value
        case (.plain, .int(let number), .double): .double(Double(number))
        // The type was changed and changed back.
        case (.plain, .int, .int64), (.plain, .string, .string): value
        case (.plain, .string(let text), .int16): Int16(text).map { .int(Int64($0)) }
        case (.plain, .string(let text), .int64): Int64(text).map(StoredValue.int)
        case (.twice, .int(let number), .int64): .int(number * 2)
        case (.quarter, .int(let number), .decimal(_, let scale)):
            // With one fractional digit, only halves and integers are exact.
            scale >= 2 || number % 2 == 0 ? .decimal(Decimal(number) * 25 / 100) : nil
        case (.quarter, .int(let number), .double): .double(Double(number) / 4)
        default: nil
        }
    }
}
