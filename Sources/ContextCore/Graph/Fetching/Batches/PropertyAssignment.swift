/// The name of a property and the value that a batch sets.
public struct PropertyAssignment: Hashable, Sendable {
    /// The value of an assignment.
    public enum Value: Hashable, Sendable {
        /// The value of an attribute, as stored.
        case stored(StoredValue)
        /// The target of a to-one relationship.
        case object(ObjectID?)
    }

    /// The property; two names for a part of a composite.
    public var path: PropertyPath
    /// The value to set.
    public var value: Value

    /// Creates an assignment.
    public init(_ path: PropertyPath, _ value: Value) {
        self.path = path
        self.value = value
    }

    /// Sets an attribute.
    public static func set(_ path: PropertyPath, to value: some AttributeValue) -> PropertyAssignment {
        PropertyAssignment(path, .stored(value.storedValue))
    }

    /// Sets a to-one relationship.
    public static func set(_ path: PropertyPath, to object: ObjectID?) -> PropertyAssignment {
        PropertyAssignment(path, .object(object))
    }
}

/// An assignment to a property of a class, checked by the compiler.
public struct TypedAssignment<Root: ManagedObject>: Hashable, Sendable {
    /// The untyped assignment.
    public let assignment: PropertyAssignment

    /// Creates a typed assignment from an untyped one, without checking it.
    public init(_ assignment: PropertyAssignment) { self.assignment = assignment }

    /// Sets an attribute.
    public static func set<Value: AttributeValue>(_ path: KeyPath<Root, Value>, to value: Value)
        -> TypedAssignment
    {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: value))
    }

    /// Sets an optional to-one relationship.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: Target?
    ) -> TypedAssignment {
        set(path, to: object?.objectID)
    }

    /// Sets a to-one relationship.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target>, to object: Target
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object.objectID))
    }

    /// Sets an optional to-one relationship to the object with an identifier.
    public static func set<Target: ManagedObject>(
        _ path: KeyPath<Root, Target?>, to object: ObjectID?
    ) -> TypedAssignment {
        TypedAssignment(.set(PropertyPathCache.path(of: path), to: object))
    }
}
