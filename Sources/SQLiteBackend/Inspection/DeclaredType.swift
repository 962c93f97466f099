#if SQLite
import ContextCore

/// A declared column type; SQLite allows any words.
struct DeclaredType {
    private let words: String
    private let numbers: [Int]

    init(_ declaration: String) {
        let parts = declaration.uppercased().split(separator: "(", maxSplits: 1)
        words = parts.first.map(String.init) ?? ""
        numbers =
            parts.count < 2
            ? []
            : parts[1].split { $0 == "," || $0 == ")" }.compactMap { Int($0.filter { $0 != " " }) }
    }

    /// The matching attribute type, by common type names and then by SQLite's affinity rules (https://sqlite.org/datatype3.html).
    var attributeType: AttributeType? {
        if has("BOOL") { return .bool }
        // A time of day is no date.
        if let first = words.split(separator: " ").first, ["TIME", "TIMETZ"].contains(first) {
            return .string
        }
        if has("DATE", "TIME") { return .date }
        if has("UUID", "GUID") { return .uuid }
        if has("JSON") { return .codable }
        if has("SMALLINT", "TINYINT", "INT2") { return .int16 }
        if has("INT", "SERIAL") { return .int64 }
        if has("CHAR", "CLOB", "TEXT", "STRING") { return .string }
        if has("BLOB", "BINARY") { return .data }
        if has("REAL", "FLOA", "DOUB") { return .double }
        if has("NUMERIC", "DECIMAL", "MONEY") { return decimal }
        return nil
    }

    /// Whether it is a decimal number without a number of digits that an attribute can have.
    var assumesScale: Bool {
        if case .decimal? = attributeType { declaredDecimal == nil } else { false }
    }

    /// The number of characters in the parentheses of a type of text, which SQLite doesn't enforce.
    var maximumLength: Int? {
        guard attributeType == .string, words.contains("CHAR"), numbers.count == 1, numbers[0] > 0 else {
            return nil
        }
        return numbers[0]
    }

    private var decimal: AttributeType { declaredDecimal ?? .decimal(precision: 38, scale: 10) }

    private var declaredDecimal: AttributeType? {
        guard let precision = numbers.first, (1...38).contains(precision) else { return nil }
        let scale = numbers.count > 1 ? numbers[1] : 0
        return (0...precision).contains(scale) ? .decimal(precision: precision, scale: scale) : nil
    }

    private func has(_ names: String...) -> Bool { names.contains { words.contains($0) } }
}
#endif
