import ContextCore
import Foundation

/// Puts JSON into one form: PostgreSQL keeps its meaning, other stores its letters.
enum CanonicalJSON {
    /// A value as it is compared: JSON without spaces, with sorted names and plain numbers; everything else as it is.
    static func value(_ value: StoredValue, _ kind: ColumnLayout.Kind) -> StoredValue {
        guard case .attribute(.codable) = kind, case .string(let text) = value,
            let document = try? JSONDocument(text)
        else { return value }
        return .string(plain(JSONValue(document.root)).text)
    }

    private static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number(let text): .number(number(text))
        case .array(let values): .array(values.map(plain))
        case .object(let members): .object(members.mapValues(plain))
        }
    }

    /// `1.50`, `15e-1` and `1.5` are one number.
    private static func number(_ text: String) -> String {
        guard case .number(let number)? = (try? JSONDocument(text))?.root.content else { return text }
        guard var decimal = number.decimal else { return number.double.map { "\($0)" } ?? text }
        NSDecimalCompact(&decimal)
        return decimal.description
    }
}
