/// Conditions on rows that follow from a predicate, so that a source can find rows with an index.
public struct RowCriteria: Sendable, Hashable {
    /// A condition that all of the rows satisfy.
    public enum Condition: Sendable, Hashable {
        /// The key is in a set.
        case keys(Set<Int64>)
        /// A column's value is in a set, which may contain null.
        case values(column: Int, Set<StoredValue>)
        /// A column's value is not null and lies within inclusive bounds.
        case range(column: Int, lower: StoredValue?, upper: StoredValue?)
    }

    /// The indices in the model of the entities of the rows, all of one inheritance tree.
    public let entityIndices: [Int]
    /// The conditions that all of the rows satisfy.
    public let conditions: [Condition]

    /// Creates criteria.
    public init(entityIndices: [Int], conditions: [Condition] = []) {
        self.entityIndices = entityIndices
        self.conditions = conditions
    }
}

extension RowCriteria {
    /// Creates criteria from a predicate.
    init(_ layout: EntityLayout, includesSubentities: Bool, _ predicate: ResolvedPredicate?) {
        self.init(
            entityIndices: includesSubentities ? layout.familyIndices : [layout.index],
            conditions: predicate.map(Self.conditions) ?? [])
    }

    private static func conditions(_ predicate: ResolvedPredicate) -> [Condition] {
        switch predicate {
        case .and(let members): members.flatMap(conditions)
        case .compare(let left, let sign, let right): comparison(left, sign, right).map { [$0] } ?? []
        case .isNull(let expression): condition(expression, isOneOf: [.null]).map { [$0] } ?? []
        case .isMember(let expression, let values):
            condition(expression, isOneOf: Set(values)).map { [$0] } ?? []
        default: []
        }
    }

    private static func comparison(
        _ left: ResolvedExpression, _ sign: OrderOperator, _ right: ResolvedExpression
    ) -> Condition? {
        if let value = right.constant { return comparison(left, sign, value) }
        return left.constant.flatMap { comparison(right, sign.mirrored, $0) }
    }

    private static func comparison(
        _ expression: ResolvedExpression, _ sign: OrderOperator, _ value: StoredValue
    ) -> Condition? {
        if sign == .equal { return condition(expression, isOneOf: [value]) }
        guard !value.isNull, let column = expression.ownColumn else { return nil }
        switch sign {
        case .less, .lessOrEqual: return .range(column: column, lower: nil, upper: value)
        case .greater, .greaterOrEqual: return .range(column: column, lower: value, upper: nil)
        case .equal, .notEqual: return nil
        }
    }

    private static func condition(
        _ expression: ResolvedExpression, isOneOf values: Set<StoredValue>
    ) -> Condition? {
        if let column = expression.ownColumn { return .values(column: column, values) }
        guard expression.isOwnKey else { return nil }
        return .keys(
            Set(values.compactMap { value in if case .int(let key) = value { key } else { nil } }))
    }
}

extension ResolvedExpression {
    /// The column of the row itself that the expression consists of; nil for any other expression.
    package var ownColumn: Int? {
        guard case .property(let property) = node, property.scope == 0, property.hops.isEmpty,
            case .column(let column) = property.target
        else { return nil }
        return column
    }

    /// Whether the expression is the row's own key.
    package var isOwnKey: Bool {
        guard case .property(let property) = node else { return false }
        return property.scope == 0 && property.hops.isEmpty && property.target == .key
    }
}
