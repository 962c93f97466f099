/// Facts about standard types, by name.
enum StandardTypes {
    /// The standard types that an attribute can have.
    static let values: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Double", "Float",
        "Decimal",
        "String", "Data", "Date", "UUID", "URL",
    ]

    /// Returns advice for a standard type that an attribute can't have; nil for other types.
    static func remedy(for name: String) -> String? {
        remedies[name]
    }

    /// Returns the type to use instead of a standard type; nil if there is none, or if there are several.
    static func replacement(for name: String) -> String? {
        guard let remedy = remedies[name]?.dropFirst("use ".count), !remedy.contains(" ") else { return nil }
        return String(remedy)
    }

    private static let remedies: [String: String] = [
        "UInt": "use Int",
        "UInt64": "use Int64",
        "Int128": "use Int64, or Decimal",
        "UInt128": "use Int64, or Decimal",
        "Float16": "use Float",
        "Float80": "use Double",
        "CGFloat": "use Double",
        "Character": "use String",
        "Substring": "use String",
        "NSString": "use String",
        "NSNumber": "use Int, Double or Decimal",
        "NSDate": "use Date",
        "NSData": "use Data",
        "NSSet": "use a Set of managed objects",
        "NSOrderedSet": "use an array of managed objects",
        "Any": "use the type of the value",
        "AnyObject": "use a class of managed objects",
        "Void": "use the type of a value",
        "Never": "use the type of a value",
    ]

    /// Returns the first name in a type that could be a standard type or a class of the program, such as `Date`; nil if there is none.
    static func ambiguousName(in type: String) -> String? {
        if type.contains(":") { return nil }
        let words = type.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init)
        return words.first(where: ambiguousNames.contains)
    }

    private static let ambiguousNames: Set<String> = ["Character", "Data", "Date", "URL", "UUID"]

    /// Protocols that often come first in an inheritance clause without a superclass.
    static let protocols: Set<String> = [
        "Codable", "Encodable", "Decodable", "Equatable", "Hashable", "Comparable", "Identifiable",
        "Sendable",
        "Observable", "AnyObject", "CustomStringConvertible", "CustomDebugStringConvertible", "Error",
    ]
}
