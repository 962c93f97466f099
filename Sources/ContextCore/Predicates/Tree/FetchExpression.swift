/// A value that a predicate compares: a constant, a property, or a computation with them.
///
/// An expression is a syntax tree. Whether it is valid for an entity is checked when a request uses it. Two expressions are
/// equal if their trees are equal.
public indirect enum FetchExpression: Hashable, Sendable {
    /// A constant.
    case literal(StoredValue)
    /// An object, by its identifier.
    case object(ObjectID)
    /// A list of values, for `IN` and `BETWEEN`.
    case list([FetchExpression])
    /// A property, an object at the end of a path, or a variable.
    case path(PropertyPath)
    /// An arithmetic operation; `+` also concatenates strings.
    case arithmetic(ArithmeticOperator, FetchExpression, FetchExpression)
    /// A function call with its arguments.
    case function(FetchFunction, [FetchExpression])
    /// The `then` value if the predicate is true, the `else` value if it is false or unknown.
    case conditional(FetchPredicate, then: FetchExpression, else: FetchExpression)
    /// An aggregate of many objects: their count, or the sum, mean, minimum or maximum of a property.
    case aggregate(FetchAggregate)
}

/// An arithmetic operator.
///
/// Operations on integers produce integers, and division truncates toward zero. Overflow and division by zero produce null.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient.
    case divide = "/"
}

/// A function of expressions; the raw value is its name in text.
public enum FetchFunction: String, Hashable, Sendable, CaseIterable {
    /// The negated number.
    case negate
    /// The remainder of a division, with the sign of the dividend.
    case modulo = "mod"
    /// The absolute value.
    case abs
    /// The number rounded up to an integer.
    case ceiling
    /// The number rounded down to an integer.
    case floor
    /// The number rounded to the nearest integer, halves away from zero.
    case round
    /// The string in lowercase, by Unicode's simple mapping.
    case lowercase
    /// The string in uppercase, by Unicode's simple mapping.
    case uppercase
    /// The number of Unicode scalars in a string, or of bytes in data.
    case length
    /// The string without leading and trailing white space.
    case trim
    /// The strings concatenated.
    case concat
    /// The first argument that is not null.
    case coalesce
    /// The time of the request.
    case now
    /// The year of a date in UTC, in the proleptic Gregorian calendar.
    case year
    /// The month of a date in UTC, from 1.
    case month
    /// The day of the month of a date in UTC, from 1.
    case day
    /// The hour of a date in UTC, from 0.
    case hour
    /// The minute of a date in UTC, from 0.
    case minute
    /// The second of a date in UTC, from 0.
    case second
    /// The day of the week of a date in UTC: 1 is Sunday, 7 is Saturday.
    case weekday
}
