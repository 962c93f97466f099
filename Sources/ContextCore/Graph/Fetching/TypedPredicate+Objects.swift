// Conditions on which object it is, by identifier. One overload an operator keeps long predicates quick to check.

/// What an object can be compared by: itself, its identifier, or an optional one of either.
public protocol ObjectReference {}

extension ManagedObject: ObjectReference {}
extension ObjectID: ObjectReference {}
extension Optional: ObjectReference where Wrapped: ObjectReference {}

/// Whether a relationship leads to the object with an identifier, or it is that object: `\.game == id`, `\.objectID == id`.
public func == <Root: ManagedObject, Reference: ObjectReference>(
    left: KeyPath<Root, Reference>, right: ObjectID
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether a relationship leads elsewhere than to the object with an identifier, or it is another object.
public func != <Root: ManagedObject, Reference: ObjectReference>(
    left: KeyPath<Root, Reference>, right: ObjectID
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

extension KeyPath where Root: ManagedObject, Value: ObjectReference {
    /// Whether a relationship leads to one of the objects with these identifiers, or it is one of them.
    public func isIn(_ ids: some Sequence<ObjectID>) -> TypedPredicate<Root> {
        TypedPredicate(self, .in, Array(ids))
    }
}
