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

/// Whether the object's identifier is less than another one, for paging by key: `\.objectID < last`.
///
/// Identifiers have the order in which ties of sort keys are broken: by key, with unsaved objects last. The other identifier must be that of
/// a saved object. The identifiers of related objects can't be compared in this way.
public func < <Root: ManagedObject>(left: KeyPath<Root, ObjectID>, right: ObjectID) -> TypedPredicate<Root> {
    TypedPredicate(left, .less, right)
}

/// Whether the object's identifier is greater than another one, for paging by key: `\.objectID > last`.
///
/// Identifiers have the order in which ties of sort keys are broken: by key, with unsaved objects last. The other identifier must be that of
/// a saved object. The identifiers of related objects can't be compared in this way.
public func > <Root: ManagedObject>(left: KeyPath<Root, ObjectID>, right: ObjectID) -> TypedPredicate<Root> {
    TypedPredicate(left, .greater, right)
}

extension KeyPath where Root: ManagedObject, Value: ObjectReference {
    /// Whether a relationship references an object with one of the given identifiers, or the object itself has one of
    /// them.
    public func isIn(_ ids: some Sequence<ObjectID>) -> TypedPredicate<Root> {
        TypedPredicate(self, .in, Array(ids))
    }
}

// MARK: - One of several objects

// An empty list literal is a list of identifiers, so that it isn't ambiguous.
extension KeyPath where Root: ManagedObject {
    /// Whether an optional relationship references one of several objects.
    @_disfavoredOverload
    public func isIn<Target: ManagedObject>(_ objects: some Sequence<Target>) -> TypedPredicate<Root>
    where Value == Target? {
        TypedPredicate(self, .in, objects.map(\.objectID))
    }

    /// Whether a relationship references one of several objects, or the object itself is one of them.
    @_disfavoredOverload
    public func isIn(_ objects: some Sequence<Value>) -> TypedPredicate<Root> where Value: ManagedObject {
        TypedPredicate(self, .in, objects.map(\.objectID))
    }
}

/// Whether an optional relationship references one of several objects: `[go, chess] ~= \.game`.
public func ~= <Root: ManagedObject, Target: ManagedObject>(
    objects: [Target], path: KeyPath<Root, Target?>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .in, objects.map(\.objectID))
}

/// Whether a relationship references one of several objects, or the object itself is one of them.
public func ~= <Root: ManagedObject, Target: ManagedObject>(
    objects: [Target], path: KeyPath<Root, Target>
) -> TypedPredicate<Root> {
    TypedPredicate(path, .in, objects.map(\.objectID))
}
