import ContextCore
import Foundation

/// A rule that a condition of a table imposes on a column.
struct ConditionRule: Hashable {
    let column: String
    let rule: ColumnRule
    /// Whether the rule allows values that the condition denies.
    var isWeaker = false
}

/// Finds the rules of columns in the conditions of a table.
struct ConditionReader {
    let structure: TableStructure
    /// The column that the condition calls `VALUE`.
    let valueColumn: String?

    /// Returns the rules that an expression imposes; nil if rules don't express it.
    func rules(_ expression: SQLExpression) -> [ConditionRule]? {
        switch expression {
        case .and(let members):
            let rules = members.map(rules)
            return rules.contains { $0 == nil } ? nil : rules.flatMap { $0 ?? [] }
        case .or(let members): return rules(alternatives: members)
        case .compare(let left, let comparison, let right):
            if right.isLiteral { return rules(left, comparison, right) }
            return left.isLiteral ? rules(right, comparison.mirrored, left) : nil
        case .isMember(let value, let members): return rules(value, oneOf: members)
        case .matches(let value, let pattern):
            guard let column = column(value), column.type == .string, let pattern = Self.pattern(pattern)
            else {
                return nil
            }
            return [.init(column: column.name, rule: .pattern(pattern))]
        case .call("json_valid", let arguments):
            // An attribute with JSON satisfies it anyway.
            return arguments.first.flatMap(column)?.type == .codable ? [] : nil
        case .not(.isNull(let value)):
            return column(value).map { [.init(column: $0.name, rule: .required)] }
        default: return nil
        }
    }

    // MARK: Columns

    /// Returns the column that an expression is, in a type that compares like its own.
    func column(_ expression: SQLExpression) -> TableStructure.Column? {
        switch expression {
        case .column(let name): return column(named: name)
        case .cast(let inner, let type):
            guard let column = column(inner), Self.types(like: column.type).contains(type) else { return nil }
            return column
        default: return nil
        }
    }

    private func column(named name: String) -> TableStructure.Column? {
        if let valueColumn, name.lowercased() == "value" { return column(named: valueColumn, isExact: true) }
        return column(named: name, isExact: true) ?? column(named: name, isExact: false)
    }

    private func column(named name: String, isExact: Bool) -> TableStructure.Column? {
        structure.columns.first { isExact ? $0.name == name : $0.name.lowercased() == name.lowercased() }
    }

    /// The types to which a column can be cast without a change that a comparison shows.
    private static func types(like type: AttributeType?) -> Set<String> {
        switch type {
        case .string?: ["text", "varchar", "character varying"]
        case .int16?, .int32?, .int64?: ["integer", "bigint", "numeric", "double precision"]
        case .decimal?: ["numeric", "double precision"]
        case .float?, .double?: ["double precision"]
        default: []
        }
    }

    // MARK: Comparisons

    private func rules(
        _ value: SQLExpression, _ comparison: SQLExpression.Comparison, _ literal: SQLExpression
    ) -> [ConditionRule]? {
        if case .call(let function, let arguments) = value {
            return rules(lengthBy: function, arguments, comparison, literal)
        }
        guard let column = column(value) else { return nil }
        if column.type == .string, case .text(let text) = literal {
            switch comparison {
            case .equal: return rules(column, oneOf: [text])
            case .notEqual where text.isEmpty:
                return [.init(column: column.name, rule: .length(minimum: 1, maximum: nil))]
            default: return nil
            }
        }
        return NumericBound(column, literal)?.rules(comparison)
    }

    private func rules(
        lengthBy function: String, _ arguments: [SQLExpression], _ comparison: SQLExpression.Comparison,
        _ literal: SQLExpression
    ) -> [ConditionRule]? {
        guard ["length", "char_length", "character_length", "octet_length"].contains(function),
            arguments.count == 1, let column = column(arguments[0]), case .number(let text) = literal,
            let number = Int(text), (0..<Int(Int32.max)).contains(number),
            column.type == (function == "octet_length" ? .data : column.type),
            column.type == .string || column.type == .data
        else { return nil }
        let rule: ColumnRule
        switch comparison {
        case .equal: rule = .length(minimum: number, maximum: number)
        case .notEqual where number == 0: rule = .length(minimum: 1, maximum: nil)
        case .notEqual: return nil
        case .less: rule = .length(minimum: nil, maximum: number - 1)
        case .atMost: rule = .length(minimum: nil, maximum: number)
        case .greater: rule = .length(minimum: number + 1, maximum: nil)
        case .atLeast: rule = .length(minimum: number, maximum: nil)
        }
        return [.init(column: column.name, rule: rule)]
    }

    // MARK: Lists

    private func rules(_ value: SQLExpression, oneOf members: [SQLExpression]) -> [ConditionRule]? {
        guard let column = column(value) else { return nil }
        if column.type == .string {
            let texts = members.compactMap { if case .text(let text) = $0 { text } else { nil } }
            guard !texts.isEmpty, texts.count == members.count else { return nil }
            return rules(column, oneOf: texts)
        }
        let bounds = members.compactMap { NumericBound(column, $0) }
        guard !bounds.isEmpty, bounds.count == members.count else { return nil }
        if column.type == .bool { return Set(bounds.map(\.number)) == [0, 1] ? [] : nil }
        let numbers = Set(bounds.map(\.number)).sorted()
        let isWhole = [.int16, .int32, .int64].contains(column.type)
        let isGapless = isWhole && zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == 1 }
        return NumericBound.rules(
            column, minimum: numbers.first, maximum: numbers.last, isWeaker: !isGapless && numbers.count > 1)
    }

    /// Returns the rule for one of several texts; nil if the database also accepts texts that differ from them.
    private func rules(_ column: TableStructure.Column, oneOf texts: [String]) -> [ConditionRule]? {
        column.looseComparison != nil ? nil : [.init(column: column.name, rule: .texts(texts))]
    }

    /// Returns the rules of alternatives: a condition or null, or several values of one column.
    private func rules(alternatives: [SQLExpression]) -> [ConditionRule]? {
        var nullable: Set<String> = []
        var others: [SQLExpression] = []
        for member in alternatives {
            if case .isNull(let value) = member, let column = column(value) {
                nullable.insert(column.name)
            } else {
                others.append(member)
            }
        }
        guard let rules = others.count == 1 ? rules(others[0]) : rules(equalities: others) else { return nil }
        // A rule doesn't apply to null, so only an alternative for the same column changes nothing.
        let isSame = nullable.isEmpty || nullable.isSuperset(of: rules.map(\.column))
        return isSame && !(rules.contains { $0.rule == .required }) ? rules : nil
    }

    private func rules(equalities members: [SQLExpression]) -> [ConditionRule]? {
        var values: [SQLExpression] = []
        var operand: SQLExpression?
        for member in members {
            switch member {
            case .compare(let left, .equal, let right) where right.isLiteral && (operand ?? left) == left:
                operand = left
                values.append(right)
            case .isMember(let left, let more) where (operand ?? left) == left:
                operand = left
                values += more
            default: return nil
            }
        }
        return operand.flatMap { rules($0, oneOf: values) }
    }

    // MARK: Patterns

    /// Returns the pattern that matches the same texts as a regular expression of PostgreSQL; nil if it may differ.
    private static func pattern(_ text: String) -> String? {
        guard text.hasPrefix("^"), text.hasSuffix("$"), !text.hasSuffix(#"\$"#), text.count > 2 else {
            return nil
        }
        let inner = text.dropFirst().dropLast()
        // These depend on the locale, match a line feed, or end the anchors.
        let differs =
            ["[[", "[:", "[.", "[=", "(?", "\n"].contains(where: inner.contains) || hasOpenParts(inner)
        return differs || RegularExpression(reading: String(inner), options: []) == nil ? nil : String(inner)
    }

    /// Whether an expression has an alternative outside of groups, a point outside of classes, or an escaped letter other than `\d`.
    private static func hasOpenParts(_ text: Substring) -> Bool {
        var (depth, isClass, isEscaped) = (0, false, false)
        for character in text {
            if isEscaped {
                isEscaped = false
                if (character.isLetter || character.isNumber) && character != "d" || isClass { return true }
                continue
            }
            switch character {
            case "\\": isEscaped = true
            case "[" where !isClass: isClass = true
            case "]": isClass = false
            case "(" where !isClass: depth += 1
            case ")" where !isClass: depth -= 1
            case "|" where !isClass && depth == 0: return true
            case "." where !isClass: return true
            case "^" where !isClass, "$" where !isClass: return true
            default: break
            }
        }
        return isEscaped || isClass
    }
}

/// A number that a column is compared with.
private struct NumericBound {
    let column: TableStructure.Column
    let number: Decimal

    init?(_ column: TableStructure.Column, _ literal: SQLExpression) {
        switch (column.type, literal) {
        case (.bool?, .bool(let value)): number = value ? 1 : 0
        case (_, .number(let text)), (_, .text(let text)):
            // A number in quotation marks is how PostgreSQL writes a negative one.
            guard text.allSatisfy({ "0123456789+-.eE".contains($0) }), let number = Decimal(string: text)
            else {
                return nil
            }
            self.number = number
        default: return nil
        }
        self.column = column
    }

    func rules(_ comparison: SQLExpression.Comparison) -> [ConditionRule]? {
        switch comparison {
        case .equal: Self.rules(column, minimum: number, maximum: number)
        case .notEqual: nil
        case .atLeast: Self.rules(column, minimum: number, maximum: nil)
        case .atMost: Self.rules(column, minimum: nil, maximum: number)
        case .greater:
            Self.rules(column, minimum: next(.up, 1), maximum: nil, isWeaker: scale == nil)
        case .less:
            Self.rules(column, minimum: nil, maximum: next(.down, -1), isWeaker: scale == nil)
        }
    }

    /// Returns the nearest number of the column's type that differs from the bound; the bound itself of a floating-point number.
    private func next(_ rounding: NSDecimalNumber.RoundingMode, _ sign: Decimal) -> Decimal {
        guard let scale else { return number }
        let rounded = Self.rounded(number, scale, rounding)
        return rounded == number ? number + sign * pow(10, -scale) : rounded
    }

    /// The number of fractional digits of the column's type; nil for floating-point numbers.
    private var scale: Int? {
        switch column.type {
        case .int16?, .int32?, .int64?: 0
        case .decimal(_, let scale)?: scale
        default: nil
        }
    }

    /// Returns the rule of inclusive bounds in the column's type; nil if the type has none.
    static func rules(
        _ column: TableStructure.Column, minimum: Decimal?, maximum: Decimal?, isWeaker: Bool = false
    ) -> [ConditionRule]? {
        let (low, high) = (minimum.map { value($0, column, .up) }, maximum.map { value($0, column, .down) })
        if low == .some(nil) || high == .some(nil) { return nil }
        let rule = ColumnRule.range(minimum: low ?? nil, maximum: high ?? nil)
        return [.init(column: column.name, rule: rule, isWeaker: isWeaker)]
    }

    private static func value(
        _ number: Decimal, _ column: TableStructure.Column, _ rounding: NSDecimalNumber.RoundingMode
    ) -> StoredValue? {
        switch column.type {
        case .int16?, .int32?, .int64?: rounded(number, 0, rounding).int64.map { .int($0) }
        case .decimal(_, let scale)?: .decimal(rounded(number, scale, rounding))
        case .float?, .double?: Double("\(number)").map { .double($0) }
        default: nil
        }
    }

    private static func rounded(
        _ number: Decimal, _ scale: Int, _ rounding: NSDecimalNumber.RoundingMode
    ) -> Decimal {
        var (exact, result) = (number, Decimal())
        NSDecimalRound(&result, &exact, scale, rounding)
        return result
    }
}

extension Decimal {
    /// The number as an integer of 64 bits; nil if it doesn't fit.
    fileprivate var int64: Int64? { Int64(description) }
}
