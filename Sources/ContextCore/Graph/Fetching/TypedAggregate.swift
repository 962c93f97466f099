/// An aggregate over a class's objects, written with a key path that the compiler checks.
public struct TypedAggregate<Root: ManagedObject>: Hashable, Sendable {
    /// The aggregate itself.
    public var aggregate: AggregateExpression

    /// Makes an aggregate on a class's objects of one that was written in another way.
    public init(_ aggregate: AggregateExpression) {
        self.aggregate = aggregate
    }

    /// Counts objects.
    public static func count(as name: String? = nil) -> TypedAggregate {
        TypedAggregate(.count(as: name))
    }

    /// Counts the objects that have a value of a property.
    public static func count<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.count(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Adds up a property.
    public static func sum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.sum(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the mean of a property.
    public static func average<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.average(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the least value of a property.
    public static func minimum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.minimum(of: PropertyPathCache.path(of: keyPath), as: name))
    }

    /// Finds the greatest value of a property.
    public static func maximum<Value: AttributeValue>(
        _ keyPath: KeyPath<Root, Value>, as name: String? = nil
    ) -> TypedAggregate {
        TypedAggregate(.maximum(of: PropertyPathCache.path(of: keyPath), as: name))
    }
}
