/// What is known about types by their names alone.
enum StandardTypes {
    /// The library types that an attribute can have.
    static let values: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Double", "Float",
        "Decimal",
        "String", "Data", "Date", "UUID", "URL",
    ]

    /// Says what to use in place of a library type that no attribute can have; nil for every other type.
    static func remedy(for name: String) -> String? {
        remedies[name]
    }

    /// The type to use in place of a library type, where there is just one.
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

    /// The name of a standard type that a program may well have given to a class of its own; nil where the type mentions none.
    static func nameOfClass(in type: String) -> String? {
        if type.contains(":") { return nil }
        let words = type.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init)
        return words.first(where: namesOfClasses.contains)
    }

    private static let namesOfClasses: Set<String> = ["Character", "Data", "Date", "URL", "UUID"]

    /// Protocols that are often written first in a class's inheritance clause, where a superclass should stand.
    static let protocols: Set<String> = [
        "Codable", "Encodable", "Decodable", "Equatable", "Hashable", "Comparable", "Identifiable",
        "Sendable",
        "Observable", "AnyObject", "CustomStringConvertible", "CustomDebugStringConvertible", "Error",
    ]
}
