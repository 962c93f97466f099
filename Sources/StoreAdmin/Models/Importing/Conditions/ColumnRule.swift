import ContextCore
import Foundation

/// A condition on the values of one column that an attribute can have as a rule.
enum ColumnRule: Hashable {
    case range(minimum: StoredValue?, maximum: StoredValue?)
    case length(minimum: Int?, maximum: Int?)
    /// One of several texts.
    case texts([String])
    case pattern(String)
    /// A value that isn't null.
    case required

    /// Returns the condition of a query for the rows that violate the rule.
    func violation(of column: String, _ spelling: ForeignSpelling) -> String {
        switch self {
        case .range(let minimum, let maximum):
            let bounds = [
                minimum.map { "\(column) < \($0.literal)" }, maximum.map { "\(column) > \($0.literal)" },
            ]
            return "\(spelling.isNumber(column)) AND (\(bounds.compactMap { $0 }.joined(separator: " OR ")))"
        case .length(let minimum, let maximum):
            let bounds = [
                minimum.map { "length(\(column)) < \($0)" }, maximum.map { "length(\(column)) > \($0)" },
            ]
            return bounds.compactMap { $0 }.joined(separator: " OR ")
        case .texts(let texts):
            let list = texts.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ", ")
            return "\(column) NOT IN (\(list))"
        case .pattern(let pattern):
            return "NOT \(column) ~ '" + pattern.replacing("'", with: "''") + "'"
        case .required: return "\(column) IS NULL"
        }
    }

    /// Adds the rule to an attribute; false if the attribute can't have it, or has a rule that contradicts it.
    func add(to attribute: inout AttributeDescription) -> Bool {
        switch self {
        case .required:
            attribute.isOptional = false
            return true
        case .range(let minimum, let maximum):
            return attribute.restrict(minimum: minimum, maximum: maximum)
        case .length(let minimum, let maximum):
            return attribute.restrictLength(minimum: minimum, maximum: maximum)
        case .texts(let texts):
            return attribute.addPattern(texts.map(Self.escaped).joined(separator: "|"))
        case .pattern(let pattern): return attribute.addPattern(pattern)
        }
    }

    /// Returns a pattern that matches a text and nothing else.
    private static func escaped(_ text: String) -> String {
        text.map { #"\^$.|?*+()[]{}"#.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

extension StoredValue {
    fileprivate var literal: String {
        switch self {
        case .int(let value): String(value)
        case .double(let value): "\(value)"
        case .decimal(let value): value.description
        default: "NULL"
        }
    }
}

extension AttributeDescription {
    fileprivate mutating func restrict(minimum: StoredValue?, maximum: StoredValue?) -> Bool {
        let validation = ValueValidation(AttributeDescription(name, type))
        var (low, high) = (minimum, maximum)
        for bound in [minimum, maximum] {
            if let bound, !validation.failures(of: bound).isEmpty { return false }
        }
        for case .range(let first, let last) in rules {
            low = Self.tighter(low, first) { $1.precedes($0) }
            high = Self.tighter(high, last) { $0.precedes($1) }
        }
        if let low, let high, high.precedes(low) { return false }
        rules.removeAll { if case .range = $0 { true } else { false } }
        rules.append(.range(minimum: low, maximum: high))
        return true
    }

    /// Returns the first of two bounds if there is only one, or if it is tighter.
    private static func tighter(
        _ one: StoredValue?, _ other: StoredValue?, _ isTighter: (StoredValue, StoredValue) -> Bool
    ) -> StoredValue? {
        guard let one, let other else { return one ?? other }
        return isTighter(one, other) ? one : other
    }

    fileprivate mutating func restrictLength(minimum: Int?, maximum: Int?) -> Bool {
        guard type == .string || type == .data else { return false }
        var (low, high) = (minimum, maximum)
        for case .length(let first, let last) in rules {
            low = [low, first].compactMap { $0 }.max()
            high = [high, last].compactMap { $0 }.min()
        }
        guard low ?? 0 >= 0, low ?? 0 <= high ?? .max else { return false }
        rules.removeAll { if case .length = $0 { true } else { false } }
        rules.append(.length(minimum: low, maximum: high))
        return true
    }

    fileprivate mutating func addPattern(_ pattern: String) -> Bool {
        guard type == .string, RegularExpression(reading: pattern, options: []) != nil else { return false }
        if rules.contains(.pattern(pattern)) { return true }
        if rules.contains(where: { if case .pattern = $0 { true } else { false } }) { return false }
        rules.append(.pattern(pattern))
        return true
    }
}

extension StoredValue {
    /// Whether a number is less than another of the same type.
    fileprivate func precedes(_ other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let one), .int(let two)): one < two
        case (.double(let one), .double(let two)): one < two
        case (.decimal(let one), .decimal(let two)): one < two
        default: false
        }
    }
}
