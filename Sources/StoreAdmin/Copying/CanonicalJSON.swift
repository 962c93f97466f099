import ContextCore
import Foundation

/// Normalizes JSON for comparisons: PostgreSQL's `jsonb` doesn't preserve spaces and the order of names, while other stores do.
enum CanonicalJSON {
    /// Returns JSON without spaces, with sorted names and normalized numbers, and other values unchanged.
    static func value(_ value: StoredValue, _ kind: ColumnLayout.Kind) -> StoredValue {
        guard case .attribute(.codable) = kind, case .string(let text) = value,
            let document = try? JSONDocument(text)
        else { return value }
        return .string(normalized(JSONValue(document.root)).text)
    }

    private static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number(let text): .number(number(text))
        case .array(let values): .array(values.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        }
    }

    /// Returns the normalized text of a number, which is `1.5` for `1.50` and `15e-1`.
    private static func number(_ text: String) -> String {
        guard case .number(let number)? = (try? JSONDocument(text))?.root.content else { return text }
        guard var decimal = number.decimal else { return number.double.map { "\($0)" } ?? text }
        NSDecimalCompact(&decimal)
        return decimal.description
    }
}
