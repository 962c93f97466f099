/// A value that a predicate compares: a constant, a property, or something worked out of them.
///
/// The tree says what was asked for, not whether a model can answer it; that comes out when it is checked against an
/// ``EntityLayout``. Two expressions are equal when they are written alike.
public indirect enum FetchExpression: Hashable, Sendable {
    /// A constant.
    case literal(StoredValue)
    /// An object, by its identifier.
    case object(ObjectID)
    /// Several values, for `IN` and `BETWEEN`.
    case list([FetchExpression])
    /// A property, an object at the end of a path, or a variable that waits for its value.
    case path(PropertyPath)
    /// Two numbers reckoned with; `+` also joins texts.
    case arithmetic(ArithmeticOperator, FetchExpression, FetchExpression)
    /// A function of other values.
    case function(FetchFunction, [FetchExpression])
    /// The one value where the predicate is true, the other where it is false or unknown.
    case conditional(FetchPredicate, then: FetchExpression, else: FetchExpression)
    /// What many objects come to: how many they are, or the sum, mean, least or greatest of a property.
    case aggregate(FetchAggregate)
}

/// Names how two numbers are reckoned with.
///
/// Integers stay integers and are divided towards zero. What does not fit, and what is divided by zero, is null.
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

/// Names a function; the raw value is its name in text.
public enum FetchFunction: String, Hashable, Sendable, CaseIterable {
    /// The opposite of a number.
    case negate
    /// The remainder of a division, with the sign of the dividend.
    case modulo = "mod"
    /// The number without its sign.
    case abs
    /// The least whole number that is no less.
    case ceiling
    /// The greatest whole number that is no greater.
    case floor
    /// The nearest whole number; halves away from zero.
    case round
    /// Text in lower case, by Unicode's simple mapping.
    case lowercase
    /// Text in upper case, by Unicode's simple mapping.
    case uppercase
    /// How many Unicode scalars a text has, or bytes a piece of data.
    case length
    /// Text without white space at both ends.
    case trim
    /// Texts one after the other.
    case concat
    /// The first of several values that is not null.
    case coalesce
    /// The moment at which the request began.
    case now
    /// The year of a moment in UTC, in the proleptic Gregorian calendar.
    case year
    /// The month of a moment in UTC, from 1.
    case month
    /// The day of the month of a moment in UTC, from 1.
    case day
    /// The hour of a moment in UTC, from 0.
    case hour
    /// The minute of a moment in UTC, from 0.
    case minute
    /// The second of a moment in UTC, from 0.
    case second
    /// The day of the week of a moment in UTC: 1 is Sunday, 7 is Saturday.
    case weekday
}
