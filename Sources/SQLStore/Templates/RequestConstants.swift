import ContextCore

/// Takes the constants out of a request, so that what is left is the same for every request of its shape.
///
/// What the text of a statement may depend on stays where it is: nulls, decimal numbers (which decide in which form a column is
/// compared), patterns, and the prefix that no text comes after.
struct RequestConstants {
    /// The values, in the order of their marks.
    private(set) var values: [StoredValue] = []
    /// The lists, in the order of their marks.
    private(set) var lists: [[StoredValue]] = []
    /// The marks of values that were met before; nil where equal values needn't have the same mark.
    private var marks: [StoredValue: ConstantMark]?

    /// - Parameter unitesEqual: Whether equal constants get the same mark, as they must where a statement groups by what it
    ///   selects, and the database has to see that the two are one.
    init(unitesEqual: Bool) {
        marks = unitesEqual ? [:] : nil
    }

    mutating func mark(_ value: StoredValue) -> StoredValue {
        switch value {
        case .null, .decimal, .composite: return value
        default: break
        }
        if let known = marks?[value] { return known.stored }
        let mark = ConstantMark.value(values.count)
        marks?[value] = mark
        values.append(value)
        return mark.stored
    }

    /// The mark of a number of rows.
    mutating func mark(rows count: Int) -> SQLBinding {
        .value(mark(.int(Int64(count))), .integer(bits: 64))
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

    private static func isPartOfShape(_ test: TextTest, _ other: ResolvedExpression) -> Bool {
        guard test == .beginsWith, let prefix = other.constant else { return false }
        return ComparisonCompiler.end(ofTextsBeginningWith: prefix) == nil
    }

    /// A short list is as many values, a long one is one value; see ``ComparisonCompiler/longestList``.
    private mutating func shape(of members: [StoredValue]) -> [StoredValue] {
        let hasDecimals = members.contains { if case .decimal = $0 { true } else { false } }
        if hasDecimals { return members }
        if members.count <= ComparisonCompiler.longestList { return members.map { mark($0) } }
        defer { lists.append(members) }
        return Array(
            repeating: ConstantMark.list(lists.count).stored, count: ComparisonCompiler.longestList + 1)
    }

    // MARK: Expressions

    mutating func shape(of expression: ResolvedExpression) -> ResolvedExpression {
        let node: ResolvedExpression.Node =
            switch expression.node {
            case .constant(let value): .constant(mark(value))
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
