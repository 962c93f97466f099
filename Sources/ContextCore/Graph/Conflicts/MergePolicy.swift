/// Rules that decide which values to save when an object was changed both in a context and in the store.
///
/// The rule of a property takes precedence over the rule of its entity, which takes precedence over the rule of the
/// policy.
///
/// Rows have versions; the links of many-to-many relationships and the positions in ordered relationships have none. They are merged: a
/// save adds and removes the members that its context added and removed, and if two contexts move members of the same list, the last
/// save decides their positions. Derived attributes never conflict, since each save derives them again.
///
/// If `.objectWins` or `.overwrite` inserts an object again that another context deleted, the many-to-many links that this context has
/// loaded, from either end, are saved with it. Others are lost, because they were deleted with the row.
///
/// ```swift
/// context.mergePolicy = .objectWins
/// context.mergePolicy.setRule(.storeWins, for: \Player.name)
/// context.mergePolicy.setRule(for: \Player.score) { base, mine, theirs in
///     theirs + mine - base        // adds up the points of both
/// }
/// ```
public struct MergePolicy: Sendable {
    /// How to resolve a conflict.
    public enum Rule: Sendable {
        /// The save throws the conflict.
        case error
        /// If both changed a property, the stored value is kept; the context's other changes are saved.
        case storeWins
        /// If both changed a property, the context's value is saved; the store's other changes are kept.
        case objectWins
        /// The context's object overwrites all stored values.
        ///
        /// Exception: an externally stored value that was replaced in the store, and that the context neither changed nor read, is kept.
        case overwrite
        /// The context's changes to the object are discarded.
        case rollback
        /// A closure returns the value of each property that both changed, given its base, own and stored values.
        ///
        /// The value of a to-one relationship is the key of the object that it references.
        case custom(@Sendable (SaveConflict.Property) -> StoredValue)
    }

    private var rule: Rule
    private var entityRules: [String: Rule] = [:]
    private var propertyRules: [String: [String: Rule]] = [:]

    /// Creates a policy with one rule for all entities and properties.
    public init(_ rule: Rule) { self.rule = rule }

    /// Throws every conflict; the default.
    public static let error = MergePolicy(.error)
    /// Keeps the stored value of a property that both changed.
    public static let storeWins = MergePolicy(.storeWins)
    /// Saves the context's value of a property that both changed.
    public static let objectWins = MergePolicy(.objectWins)
    /// Overwrites the stored values with the context's objects.
    public static let overwrite = MergePolicy(.overwrite)
    /// Discards the context's changes to objects in conflict.
    public static let rollback = MergePolicy(.rollback)

    /// Sets the rule for the objects of a class; it doesn't apply to subentities.
    public mutating func setRule<Object: ManagedObject>(_ rule: Rule, for type: Object.Type) {
        setRule(rule, forEntityNamed: type.entityName)
    }

    /// Sets the rule for an attribute or a to-one relationship; it doesn't apply to subentities.
    ///
    /// A save throws ``StoreError/Code/unknownProperty`` if the property isn't stored in the object's row.
    public mutating func setRule<Object: ManagedObject>(_ rule: Rule, for property: PartialKeyPath<Object>) {
        let names = PropertyPathCache.path(of: property).names
        requirePrecondition(
            names.count == 1,
            "The key path \(property) of a merge rule must name a property of \(Object.self) itself.")
        setRule(rule, forEntityNamed: Object.entityName, property: names[0])
    }

    /// Sets a closure that returns the value to save for an attribute that both changed; it doesn't apply to subentities.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - merge: Receives the value before both changes, the context's value and the stored value.
    public mutating func setRule<Object: ManagedObject, Value: AttributeValue>(
        for attribute: KeyPath<Object, Value>,
        _ merge: @escaping @Sendable (_ base: Value, _ mine: Value, _ theirs: Value) -> Value
    ) {
        let rule = Rule.custom { values in
            guard let base = Value(storedValue: values.base), let mine = Value(storedValue: values.mine),
                let theirs = Value(storedValue: values.theirs)
            else { return values.mine }
            return merge(base, mine, theirs).storedValue
        }
        setRule(rule, for: attribute)
    }

    /// Sets the rule for an entity or for one of its properties, by name, for programs without classes of their own.
    ///
    /// The rule doesn't apply to subentities. A save throws ``StoreError/Code/unknownProperty`` if the model lacks one of the names.
    public mutating func setRule(_ rule: Rule, forEntityNamed entityName: String, property: String? = nil) {
        if let property {
            propertyRules[entityName, default: [:]][property] = rule
        } else {
            entityRules[entityName] = rule
        }
    }

    /// Checks that the model has every entity and property that has a rule.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty``.
    func check(_ model: ObjectModel) throws(StoreError) {
        for name in entityRules.keys.sorted() where model.layout(named: name) == nil {
            throw unknownNameError(name)
        }
        for (name, rules) in propertyRules.sorted(by: { $0.key < $1.key }) {
            guard let entity = model.layout(named: name) else { throw unknownNameError(name) }
            for property in rules.keys.sorted()
            where entity.property(named: property)?.columns.isEmpty != false {
                throw unknownNameError("\(name).\(property)")
            }
        }
    }

    private func unknownNameError(_ name: String) -> StoreError {
        StoreError(
            .unknownProperty,
            "The merge policy has a rule for \(name), but the model has no such entity or stored property.",
            remedy: "Name an entity, or one of its attributes or to-one relationships.")
    }

    func rule(for entity: EntityLayout) -> Rule { entityRules[entity.name] ?? rule }

    func rule(for entity: EntityLayout, _ property: String) -> Rule {
        propertyRules[entity.name]?[property] ?? rule(for: entity)
    }

    /// Whether the policy may resolve conflicts of an entity.
    func resolves(_ entity: EntityLayout) -> Bool {
        if case .error = rule(for: entity) { return !(propertyRules[entity.name] ?? [:]).isEmpty }
        return true
    }
}
