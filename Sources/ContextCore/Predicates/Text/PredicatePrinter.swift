import Foundation

/// Formats a tree as text that parses to the same tree.
struct PredicatePrinter {
    /// Whether constants are replaced by `…`, for logs and errors.
    var hidesValues = false

    func text(_ predicate: FetchPredicate) -> String {
        switch predicate {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): text(comparison)
        case .quantified(let quantifier, in: let path, variable: let variable, let inner):
            "\(quantifier.rawValue)(\(text(path)), $\(variable), \(text(inner)))"
        case .isEntity(let path, name: let name): "\(text(path)) IS \(Self.name(name))"
        case .truth(let inner, is: let truth): "(\(text(inner))) IS \(truth.rawValue)"
        case .and(let members): joined(members, " AND ", whenEmpty: "TRUEPREDICATE")
        case .or(let members): joined(members, " OR ", whenEmpty: "FALSEPREDICATE")
        case .not(let inner): "NOT \(text(inner, inside: .negation))"
        }
    }

    private func text(_ comparison: PredicateComparison) -> String {
        let quantifier = comparison.quantifier.map { "\($0.rawValue) " } ?? ""
        let options = Self.text(comparison.options)
        let left = text(comparison.left)
        return "\(quantifier)\(left) \(comparison.operator.rawValue)\(options) \(text(comparison.right))"
    }

    static func text(_ options: TextOptions) -> String {
        let letters =
            (options.contains(.caseInsensitive) ? "c" : "")
            + (options.contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }

    private func joined(_ members: [FetchPredicate], _ word: String, whenEmpty: String) -> String {
        if members.isEmpty { return whenEmpty }
        let enclosing: EnclosingOperator = word == " OR " ? .disjunction : .conjunction
        return members.map { text($0, inside: members.count == 1 ? .alone : enclosing) }.joined(
            separator: word)
    }
}

// MARK: - Parentheses

extension PredicatePrinter {
    /// The operator that encloses a condition, which decides whether it needs parentheses.
    private enum EnclosingOperator {
        case alone, disjunction, conjunction, negation
    }

    private func text(_ predicate: FetchPredicate, inside enclosing: EnclosingOperator) -> String {
        let needsParentheses =
            switch (predicate, enclosing) {
            case (_, .alone): false
            case (.or(let members), _): members.count > 1
            case (.and(let members), .conjunction), (.and(let members), .negation): members.count > 1
            default: false
            }
        return needsParentheses ? "(\(text(predicate)))" : text(predicate)
    }
}

// MARK: - Values

extension PredicatePrinter {
    func text(_ expression: FetchExpression) -> String {
        switch expression {
        case .literal(let value): hidesValues && !value.isNull ? "…" : Self.text(value)
        case .object(let id): hidesValues ? "…" : "object(\(Self.quoted(id.uri)))"
        case .list(let members): "{\(members.map { text($0) }.joined(separator: ", "))}"
        case .path(let path): text(path)
        case .arithmetic(let sign, let left, let right): text(sign, left, right)
        case .function(.negate, let arguments) where arguments.count == 1: "-(\(text(arguments[0])))"
        case .function(let function, let arguments):
            "\(function.rawValue)(\(arguments.map { text($0) }.joined(separator: ", ")))"
        case .conditional(let test, then: let first, else: let second):
            "TERNARY(\(text(test)), \(text(first)), \(text(second)))"
        case .aggregate(let aggregate): text(aggregate)
        }
    }

    private func text(
        _ sign: ArithmeticOperator, _ left: FetchExpression, _ right: FetchExpression
    ) -> String {
        let first = level(left) < level(sign) ? "(\(text(left)))" : text(left)
        let second = level(right) <= level(sign) ? "(\(text(right)))" : text(right)
        return "\(first) \(sign.rawValue) \(second)"
    }

    private func level(_ sign: ArithmeticOperator) -> Int {
        sign == .add || sign == .subtract ? 1 : 2
    }

    private func level(_ expression: FetchExpression) -> Int {
        if case .arithmetic(let sign, _, _) = expression { level(sign) } else { 3 }
    }

    private func text(_ aggregate: FetchAggregate) -> String {
        var pieces: [String] = []
        if let filter = aggregate.filter {
            let condition = text(filter.predicate)
            pieces.append("SUBQUERY(\(text(aggregate.collection)), $\(filter.variable), \(condition))")
        } else if !aggregate.collection.isItself {
            pieces.append(text(aggregate.collection))
        }
        pieces.append("@\(aggregate.function.rawValue)")
        return (pieces + aggregate.tail.map(Self.name)).joined(separator: ".")
    }

    /// Formats a path, with a `#` before names that are not plain identifiers.
    func text(_ path: PropertyPath) -> String {
        if path.isItself { return "SELF" }
        let start = path.variable.map { ["$\($0)"] } ?? []
        return (start + path.names.map(Self.name)).joined(separator: ".")
    }

    static func name(_ name: String) -> String {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, PredicateLexer.beginsName(first),
            bytes.allSatisfy(PredicateLexer.continuesName)
        else { return "#\(quoted(name))" }
        let isReserved =
            PredicateKeyword(word: name) != nil || ["entity", "unknown"].contains(name.lowercased())
        return isReserved ? "#\(name)" : name
    }
}

// MARK: - Constants

extension PredicatePrinter {
    static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "NIL"
        case .bool(let value): value ? "YES" : "NO"
        case .int(let value): String(value)
        case .double(let value): value.isFinite ? "\(value)" : "double(\"\(value)\")"
        case .decimal(let value): "decimal(\"\(value)\")"
        case .string(let value): quoted(value)
        case .data(let value): "data(\"\(value.base64EncodedString())\")"
        case .timestamp(let value): "date(\"\(CivilTime(microseconds: value).text)\")"
        case .uuid(let value): "uuid(\"\(value.uuidString)\")"
        case .composite(let values): "composite(\(values.map { text($0) }.joined(separator: ", ")))"
        }
    }

    /// Formats a string in double quotes, with escapes for invisible and control characters.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
