/// An expression with its type, the input of the evaluator and the SQL compilers.
package struct ResolvedExpression: Hashable, Sendable {
    /// How the value is computed.
    package indirect enum Node: Hashable, Sendable {
        /// A constant of the expression's type, or null. An object is represented by its key, an integer.
        case constant(StoredValue)
        /// A column, or the identity of an object.
        case property(ResolvedProperty)
        /// An arithmetic operation on numbers of the expression's type.
        ///
        /// The exception is dates: a date plus or minus seconds is a date, and a date minus a date is a number of seconds.
        case arithmetic(ArithmeticOperator, ResolvedExpression, ResolvedExpression)
        /// A function call.
        case function(ResolvedFunction, [ResolvedExpression])
        /// The `then` value if the predicate is true, else the `else` value.
        case conditional(ResolvedPredicate, then: ResolvedExpression, else: ResolvedExpression)
        /// An aggregate of the objects of a relationship or of the rows of a group.
        case aggregate(ResolvedAggregate)
    }

    /// How the value is computed.
    package let node: Node
    /// The value's type.
    package let type: ResolvedType
    /// Whether the value can be null.
    package let isNullable: Bool

    package init(_ node: Node, type: ResolvedType, isNullable: Bool) {
        self.node = node
        self.type = type
        self.isNullable = isNullable
    }

    /// The constant, if the expression is one.
    package var constant: StoredValue? {
        if case .constant(let value) = node { value } else { nil }
    }
}

extension ResolvedExpression {
    /// The key of the request's object, or of the current element in an inner scope.
    package static func ownKey(_ entityIndex: Int, scope: Int = 0) -> ResolvedExpression {
        ResolvedExpression(
            .property(ResolvedProperty(scope: scope, hops: [], entityIndex: entityIndex, target: .key)),
            type: .object(entityIndex: entityIndex), isNullable: false)
    }
}

/// The type of a value in a predicate.
package enum ResolvedType: Hashable, Sendable {
    /// The type of a null constant, which adapts to the other operands.
    case null
    case bool
    /// A 64-bit integer, even if the column is narrower.
    case integer
    /// A 64-bit floating-point number, even if the column is narrower.
    case double
    case decimal
    /// Strings and URLs.
    case string
    case data
    case date
    case uuid
    /// The identity of an object of the entity with this index in the model, or of one of its subentities.
    case object(entityIndex: Int)
}

/// A function in a resolved expression.
package enum ResolvedFunction: Hashable, Sendable {
    /// A function that the caller wrote.
    ///
    /// Arguments have the type of the result, except for `length`, which takes a string or data, and the parts of a date.
    case written(FetchFunction)
    /// A string folded by ``TextFolding``.
    case fold(TextOptions)
    /// An integer converted to a double or a decimal, depending on the expression's type.
    case convert
}

/// An aggregate, resolved against the model.
package struct ResolvedAggregate: Hashable, Sendable {
    /// The aggregate function.
    package let function: AggregateFunction
    /// The aggregated objects; nil for the rows of a group, which are then in the scope of the enclosing expression.
    package let collection: ResolvedCollection?
    /// The condition on the aggregated objects, one scope deeper; nil for all objects.
    package let filter: ResolvedPredicate?
    /// The aggregated value of each object, one scope deeper; nil if the objects are counted.
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
