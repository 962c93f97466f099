// Comparisons of objects by identifier. One overload per operator keeps long predicates quick to type-check.

/// The type of a key path that can be compared with an identifier: an object, an identifier, or an optional one.
public protocol ObjectReference {}

extension ManagedObject: ObjectReference {}
extension ObjectID: ObjectReference {}
extension Optional: ObjectReference where Wrapped: ObjectReference {}

/// Whether a relationship references the object with an identifier, or the object itself has it: `\.game == id`, `\.objectID == id`.
public func == <Root: ManagedObject, Reference: ObjectReference>(
    left: KeyPath<Root, Reference>, right: ObjectID
) -> TypedPredicate<Root> {
    TypedPredicate(left, .equal, right)
}

/// Whether a relationship doesn't reference the object with an identifier, or the object itself has another one.
public func != <Root: ManagedObject, Reference: ObjectReference>(
    left: KeyPath<Root, Reference>, right: ObjectID
) -> TypedPredicate<Root> {
    TypedPredicate(left, .notEqual, right)
}

extension KeyPath where Root: ManagedObject, Value: ObjectReference {
    /// Whether a relationship references an object with one of the given identifiers, or the object itself has one of
    /// them.
    public func isIn(_ ids: some Sequence<ObjectID>) -> TypedPredicate<Root> {
        TypedPredicate(self, .in, Array(ids))
    }
}
