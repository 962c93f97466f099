import ContextCore

/// Writes the condition of a partial index as a predicate of the model.
struct IndexPredicate {
    let reader: ConditionReader
    /// The attributes by column.
    let attributes: [String: AttributeDescription]

    /// Returns the text of a predicate; nil if it can't express the condition.
    func text(_ expression: SQLExpression) -> String? {
        switch expression {
        case .and(let members): joined(members, " AND ")
        case .or(let members): joined(members, " OR ")
        case .not(.isNull(let value)): attribute(value).map { "\(Self.name($0)) != nil" }
        case .isNull(let value): attribute(value).map { "\(Self.name($0)) == nil" }
        case .not(let inner):
            // A condition that is null excludes the row, and so does its negation.
            isFlag(inner) ? attribute(inner).map { "\(Self.name($0)) == false" } : nil
        case .column: isFlag(expression) ? attribute(expression).map { "\(Self.name($0)) == true" } : nil
        case .compare(let left, let comparison, let right): self.comparison(left, comparison, right)
        case .isMember(let value, let members): membership(value, members)
        default: nil
        }
    }

    private func joined(_ members: [SQLExpression], _ separator: String) -> String? {
        let texts = members.compactMap { member in text(member).map { "(\($0))" } }
        return texts.count == members.count ? texts.joined(separator: separator) : nil
    }

    private func attribute(_ expression: SQLExpression) -> AttributeDescription? {
        reader.column(expression).flatMap { attributes[$0.name] }
    }

    private static func name(_ attribute: AttributeDescription) -> String {
        PropertyPath(attribute.name).description
    }

    private func isFlag(_ expression: SQLExpression) -> Bool { attribute(expression)?.type == .bool }

    private func comparison(
        _ left: SQLExpression, _ comparison: SQLExpression.Comparison, _ right: SQLExpression
    ) -> String? {
        if left.isLiteral, !right.isLiteral { return self.comparison(right, comparison.mirrored, left) }
        // Comparing with a value excludes rows with null in the database, but not in a predicate.
        guard let attribute = attribute(left), right != .null,
            comparison != .notEqual || !attribute.isOptional, let value = literal(right, of: attribute)
        else { return nil }
        return "\(Self.name(attribute)) \(comparison.rawValue) \(value)"
    }

    private func membership(_ value: SQLExpression, _ members: [SQLExpression]) -> String? {
        guard let attribute = attribute(value), !members.isEmpty else { return nil }
        let values = members.compactMap { literal($0, of: attribute) }
        guard values.count == members.count else { return nil }
        return "\(Self.name(attribute)) IN {\(values.joined(separator: ", "))}"
    }

    /// Returns a constant in the form of a predicate, of types whose literals predicates have.
    private func literal(_ expression: SQLExpression, of attribute: AttributeDescription) -> String? {
        switch (attribute.type, expression) {
        case (.bool, .bool(let value)): return value ? "true" : "false"
        case (.bool, .number("1")): return "true"
        case (.bool, .number("0")): return "false"
        case (.int16, .number(let text)), (.int32, .number(let text)), (.int64, .number(let text)),
            (.int16, .text(let text)), (.int32, .text(let text)), (.int64, .text(let text)):
            return Int64(text).map(String.init)
        case (.string, .text(let text)):
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
            return isPlain ? "\"\(text)\"" : nil
        default: return nil
        }
    }
}
