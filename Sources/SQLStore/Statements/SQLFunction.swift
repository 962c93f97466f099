package import ContextCore

/// A function that every dialect spells in its own way, with the type of what it is given.
package struct SQLFunction: Hashable, Sendable {
    /// Names what is worked out.
    package enum Name: Hashable, Sendable {
        case arithmetic(ArithmeticOperator)
        /// A moment and seconds: a moment plus or minus seconds.
        case shift(ArithmeticOperator)
        /// The seconds between two moments.
        case interval
        case written(FetchFunction)
        case fold(TextOptions)
        /// Whether a text holds another.
        case text(TextTest)
        case like(LikePattern)
        case matches(TextExpression)
        /// A number as one of another type.
        case convert(from: SQLType)
        case aggregate(AggregateFunction)
    }

    /// What is worked out.
    package let name: Name
    /// The type of its result; for a condition and a count, that of its argument.
    package let type: SQLType

    package init(_ name: Name, _ type: SQLType) {
        self.name = name
        self.type = type
    }
}
