/// What a batch insertion does with a row whose unique values an object of the store already has.
public struct BatchConflictPolicy: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case error
        case ignore
        case update(matching: [PropertyPath], setting: [PropertyPath])
    }

    let kind: Kind

    /// Throws ``StoreError/Code/duplicate`` and inserts nothing, which is the default.
    public static let error = BatchConflictPolicy(kind: .error)

    /// Leaves the row out, whichever unique constraint it violates.
    ///
    /// Of several rows of the batch with the same unique values, the first one is inserted.
    public static let ignore = BatchConflictPolicy(kind: .ignore)

    /// Updates the object that has the same values of a unique constraint.
    ///
    /// - Parameters:
    ///   - keys: The properties of the unique constraint, in any order. Each row must assign them. Nil matches no object.
    ///   - properties: The properties to set in an object that exists; if empty, those that the row assigns. They can't be among
    ///     the keys, and at least one row must assign each of them.
    public static func update(
        matching keys: [PropertyPath], setting properties: [PropertyPath] = []
    ) -> BatchConflictPolicy {
        BatchConflictPolicy(kind: .update(matching: keys, setting: properties))
    }
}

/// What a batch insertion of a class does with a row whose unique values an object already has, checked by the compiler.
public struct TypedBatchConflictPolicy<Root: ManagedObject>: Hashable, Sendable {
    /// The untyped policy.
    public let policy: BatchConflictPolicy

    /// Creates a typed policy from an untyped one, without checking it.
    public init(_ policy: BatchConflictPolicy) { self.policy = policy }

    /// Throws ``StoreError/Code/duplicate`` and inserts nothing, which is the default.
    public static var error: TypedBatchConflictPolicy { TypedBatchConflictPolicy(.error) }

    /// Leaves the row out, whichever unique constraint it violates.
    ///
    /// Of several rows of the batch with the same unique values, the first one is inserted.
    public static var ignore: TypedBatchConflictPolicy { TypedBatchConflictPolicy(.ignore) }

    /// Updates the object that has the same values of a unique constraint.
    ///
    /// ```swift
    /// try context.batchInsert(Game.self, from: names, onConflict: .update(matching: \.title)) { [.set(\.title, to: $0)] }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The properties of the unique constraint, in any order. Each row must assign them. Nil matches no object.
    ///   - properties: The properties to set in an object that exists; if there are none, those that the row assigns. They can't be among
    ///     the keys, and at least one row must assign each of them.
    public static func update(
        matching keys: PartialKeyPath<Root>..., setting properties: PartialKeyPath<Root>...
    ) -> TypedBatchConflictPolicy {
        TypedBatchConflictPolicy(
            .update(
                matching: keys.map { PropertyPathCache.path(of: $0) },
                setting: properties.map { PropertyPathCache.path(of: $0) }))
    }
}
