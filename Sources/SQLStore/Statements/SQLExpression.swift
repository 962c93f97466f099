package import ContextCore

/// A value or a condition in SQL, as a value.
package indirect enum SQLExpression: Hashable, Sendable {
    /// A column of the table with this alias; an empty one is that of the only table there is.
    case column(of: String, String)
    /// A value that is bound.
    case binding(SQLBinding)
    /// NULL.
    case null
    /// TRUE or FALSE.
    case truth(Bool)
    /// A number that the code itself chose, an entity's for instance.
    case number(Int)
    /// Two values compared.
    case comparison(SQLExpression, SQLComparison, SQLExpression)
    /// Whether there is no value.
    case isNull(SQLExpression)
    /// Whether there is a value.
    case isNotNull(SQLExpression)
    /// Whether a value is one of some others.
    case isAmong(SQLExpression, [SQLExpression])
    /// Whether a value is one of many that are bound as one.
    case isListed(SQLExpression, [StoredValue], SQLType)
    /// The opposite of a condition.
    case not(SQLExpression)
    /// All of the conditions; there is at least one.
    case and([SQLExpression])
    /// One of the conditions; there is at least one.
    case or([SQLExpression])
    /// Whether a condition is true, false or unknown.
    case answer(SQLExpression, PredicateTruth)
    /// Whether a query has a row.
    case exists(SelectStatement)
    /// The one value that a query answers.
    case scalar(SelectStatement)
    /// One value where a condition is true, another where it is not.
    case conditional(SQLExpression, then: SQLExpression, else: SQLExpression)
    /// A function, spelt by the dialect.
    case call(SQLFunction, [SQLExpression])
    /// The number of a row in an order, counted from 1 for each of the partitions that some values make.
    case rowNumber(partition: [SQLExpression], order: [SelectStatement.Order])
}

/// Names how two values are compared.
package enum SQLComparison: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Equal, or both null; never unknown.
    case same
    /// The opposite of ``same``.
    case different
}
