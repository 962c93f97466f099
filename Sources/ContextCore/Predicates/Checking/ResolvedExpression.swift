/// A value with its type, as evaluator and SQL compilers read it.
package struct ResolvedExpression: Hashable, Sendable {
    /// What the value comes from.
    package indirect enum Node: Hashable, Sendable {
        /// A constant, of the expression's type or null. An object is its key, as an integer.
        case constant(StoredValue)
        /// A column, or the identity of an object.
        case property(ResolvedProperty)
        /// Numbers of the expression's own type reckoned with.
        ///
        /// The exception is time: a moment plus or minus seconds is a moment, a moment minus a moment is seconds.
        case arithmetic(ArithmeticOperator, ResolvedExpression, ResolvedExpression)
        /// A function.
        case function(ResolvedFunction, [ResolvedExpression])
        /// One value where the predicate is true, another where it is not.
        case conditional(ResolvedPredicate, then: ResolvedExpression, else: ResolvedExpression)
        /// What the objects of a relationship, or the rows of a group, come to.
        case aggregate(ResolvedAggregate)
    }

    /// What the value comes from.
    package let node: Node
    /// The value's type.
    package let type: ResolvedType
    /// Whether there may be no value.
    package let isNullable: Bool

    package init(_ node: Node, type: ResolvedType, isNullable: Bool) {
        self.node = node
        self.type = type
        self.isNullable = isNullable
    }

    /// The constant that the expression is, if it is one.
    package var constant: StoredValue? {
        if case .constant(let value) = node { value } else { nil }
    }
}

/// Names the closed list of types that a value in a predicate can have.
package enum ResolvedType: Hashable, Sendable {
    /// Nothing but null, whose type its surroundings give.
    case null
    case bool
    /// 64 bits, whatever the column's width.
    case integer
    /// 64 bits, whatever the column's width.
    case double
    case decimal
    /// Text and URLs.
    case string
    case data
    case date
    case uuid
    /// The identity of an object, of the entity with this position in the model or of one that inherits from it.
    case object(entityIndex: Int)
}

/// Names a function of values whose types are known.
package enum ResolvedFunction: Hashable, Sendable {
    /// A function that was written.
    ///
    /// Arguments have the type of the result, but for `length` (text or data), and the parts of a date.
    case written(FetchFunction)
    /// Text without what ``TextFolding`` says makes no difference.
    case fold(TextOptions)
    /// An integer as a double or as a decimal, whichever the expression's type is.
    case convert
}

/// What many objects come to, with everything that follows from the model.
package struct ResolvedAggregate: Hashable, Sendable {
    /// What is worked out.
    package let function: AggregateFunction
    /// The objects; nil for the rows of a group, whose scope is then the surroundings'.
    package let collection: ResolvedCollection?
    /// Which of them are taken into account, one scope deeper; nil for all.
    package let filter: ResolvedPredicate?
    /// The value of each of them, one scope deeper; nil when the objects themselves are counted.
    package let value: ResolvedExpression?

    package init(
        function: AggregateFunction, collection: ResolvedCollection?, filter: ResolvedPredicate?,
        value: ResolvedExpression?
    ) {
        self.function = function
        self.collection = collection
        self.filter = filter
        self.value = value
    }
}
