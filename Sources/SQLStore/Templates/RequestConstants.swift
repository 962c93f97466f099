import ContextCore

/// Replaces the constants of a request by placeholders, so that requests of the same shape become equal.
///
/// Constants that may affect the SQL stay in place: nulls, decimal numbers (which determine the type of a comparison), patterns, and
/// a prefix without a text that sorts after all texts that begin with it.
struct RequestConstants {
    /// The values, in the order of their placeholders.
    private(set) var values: [StoredValue] = []
    /// The lists, in the order of their placeholders.
    private(set) var lists: [[StoredValue]] = []
    /// The placeholders by value; nil if equal values have separate placeholders.
    private var placeholders: [StoredValue: ConstantPlaceholder]?

    /// - Parameter unitesEqual: Whether equal constants share a placeholder, as they must if a statement groups by an expression that it
    ///   also selects, so that the database recognizes the two as equal.
    init(sharesEqualConstants: Bool) {
        placeholders = sharesEqualConstants ? [:] : nil
    }

    mutating func placeholder(_ value: StoredValue) -> StoredValue {
        switch value {
        case .null, .decimal, .composite: return value
        default: break
        }
        if let known = placeholders?[value] { return known.stored }
        let placeholder = ConstantPlaceholder.value(values.count)
        placeholders?[value] = placeholder
        values.append(value)
        return placeholder.stored
    }

    /// Returns the placeholder of a number of rows.
    mutating func placeholder(rows count: Int) -> SQLBinding {
        .value(placeholder(.int(Int64(count))), .integer(bits: 64))
    }

    // MARK: Predicates

    mutating func shape(of predicate: ResolvedPredicate) -> ResolvedPredicate {
        switch predicate {
        case .constant, .isEntity: predicate
        case .compare(let left, let comparison, let right):
            .compare(shape(of: left), comparison, shape(of: right))
        case .text(let text, let test, let other):
            .text(shape(of: text), test, Self.isPartOfShape(test, other) ? other : shape(of: other))
        case .like(let text, let pattern): .like(shape(of: text), pattern)
        case .matches(let text, let expression): .matches(shape(of: text), expression)
        case .isNull(let value): .isNull(shape(of: value))
        case .isMember(let value, let members): .isMember(shape(of: value), of: shape(of: members))
        case .exists(let collection, let condition): .exists(collection, where: shape(of: condition))
        case .truth(let condition, let truth): .truth(shape(of: condition), is: truth)
        case .not(let condition): .not(shape(of: condition))
        case .and(let members): .and(members.map { shape(of: $0) })
        case .or(let members): .or(members.map { shape(of: $0) })
        }
    }

    private static func isPartOfShape(_ test: SubstringTest, _ other: ResolvedExpression) -> Bool {
        guard test == .beginsWith, let prefix = other.constant else { return false }
        return ComparisonCompiler.end(ofTextsBeginningWith: prefix) == nil
    }

    /// Replaces each value of a short list, and a long list as a whole; see ``ComparisonCompiler/longestList``.
    private mutating func shape(of members: [StoredValue]) -> [StoredValue] {
        let hasDecimals = members.contains { if case .decimal = $0 { true } else { false } }
        if hasDecimals { return members }
        if members.count <= ComparisonCompiler.maximumInlineListLength {
            return members.map { placeholder($0) }
        }
        defer { lists.append(members) }
        return Array(
            repeating: ConstantPlaceholder.list(lists.count).stored,
            count: ComparisonCompiler.maximumInlineListLength + 1
        )
    }

    // MARK: Expressions

    mutating func shape(of expression: ResolvedExpression) -> ResolvedExpression {
        let node: ResolvedExpression.Node =
            switch expression.node {
            case .constant(let value): .constant(placeholder(value))
            case .property: expression.node
            case .arithmetic(let sign, let left, let right):
                .arithmetic(sign, shape(of: left), shape(of: right))
            case .function(let function, let arguments):
                .function(function, arguments.map { shape(of: $0) })
            case .conditional(let condition, let then, let otherwise):
                .conditional(shape(of: condition), then: shape(of: then), else: shape(of: otherwise))
            case .aggregate(let aggregate): .aggregate(shape(of: aggregate))
            }
        return ResolvedExpression(node, type: expression.type, isNullable: expression.isNullable)
    }

    private mutating func shape(of aggregate: ResolvedAggregate) -> ResolvedAggregate {
        ResolvedAggregate(
            function: aggregate.function, collection: aggregate.collection,
            filter: aggregate.filter.map { shape(of: $0) }, value: aggregate.value.map { shape(of: $0) })
    }

    mutating func shape(of key: ResolvedSortKey) -> ResolvedSortKey {
        ResolvedSortKey(
            shape(of: key.expression), isDescending: key.isDescending, nullsFirst: key.nullsFirst)
    }
}
