package import ContextCore

/// An SQL value or condition as a syntax tree.
package indirect enum SQLExpression: Hashable, Sendable {
    /// A column of the table with an alias; an empty alias stands for the statement's only table.
    case column(of: String, String)
    /// A bound value.
    case binding(SQLBinding)
    /// NULL.
    case null
    /// TRUE or FALSE.
    case truth(Bool)
    /// A number that the library chose, such as an entity number.
    case number(Int)
    /// A comparison of two values.
    case comparison(SQLExpression, SQLComparison, SQLExpression)
    /// Whether a value is null.
    case isNull(SQLExpression)
    /// Whether a value is not null.
    case isNotNull(SQLExpression)
    /// Whether a value equals one of several expressions.
    case isAmong(SQLExpression, [SQLExpression])
    /// Whether a value equals one of many values, which are bound as one parameter.
    case isListed(SQLExpression, [StoredValue], SQLType)
    /// The negation of a condition.
    case not(SQLExpression)
    /// The conjunction of one or more conditions.
    case and([SQLExpression])
    /// The disjunction of one or more conditions.
    case or([SQLExpression])
    /// Whether the result of a condition is true, false or unknown.
    case truthTest(SQLExpression, PredicateTruth)
    /// Whether a query returns a row.
    case exists(SelectStatement)
    /// A subquery that returns one value.
    case scalar(SelectStatement)
    /// One value if a condition is true, another if it is not.
    case conditional(SQLExpression, then: SQLExpression, else: SQLExpression)
    /// A function call, rendered by the dialect.
    case call(SQLFunction, [SQLExpression])
    /// The number of a row in its partition, counted from 1.
    case rowNumber(partition: [SQLExpression], order: [SelectStatement.Order])
}

/// A comparison operator.
package enum SQLComparison: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Equal or both null; never unknown.
    case same
    /// The negation of ``same``.
    case different
}
