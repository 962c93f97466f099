/// Says who wins when an object was changed both in a context and in the store.
///
/// The rule of a property goes before the rule of its entity, and that before the rule of the policy.
///
/// Rows have versions; the links of many-to-many relationships and the positions in lists have none. They are merged: a save adds and
/// removes the members that its context added and removed, and where two contexts move members of one list, each member stands where the
/// last save put it. Derived attributes are never in conflict, since each save works them out anew.
///
/// Where `.objectWins` or `.overwrite` inserts an object again that another context deleted, the links that this context never loaded
/// are lost: they went with the row.
///
/// ```swift
/// context.mergePolicy = .objectWins
/// let sum = MergePolicy.Rule.custom { score in        // both have added points: both count
///     guard let base = Int64(storedValue: score.base), let mine = Int64(storedValue: score.mine),
///         let theirs = Int64(storedValue: score.theirs)
///     else { return score.mine }
///     return .int(theirs + mine - base)
/// }
/// context.mergePolicy.setRule(sum, for: "Player", "score")
/// ```
public struct MergePolicy: Sendable {
    /// Who wins.
    public enum Rule: Sendable {
        /// Nobody: the save throws the conflict.
        case error
        /// Where both changed a property, the store's value stays; the context's other changes are saved.
        case storeWins
        /// Where both changed a property, the context's value is saved; the store's other changes stay.
        case objectWins
        /// The context's object is saved as it is, whatever the store has.
        ///
        /// A value outside of its row that was replaced in the store, and that the context neither changed nor read, stays as the store
        /// has it.
        case overwrite
        /// The context's changes of the object are dropped.
        case rollback
        /// A closure decides property by property, from base, mine and theirs, where both changed it.
        ///
        /// A to-one relationship is given, and answered, as the key of the object that it leads to.
        case custom(@Sendable (SaveConflict.Property) -> StoredValue)
    }

    private var rule: Rule
    private var entityRules: [String: Rule] = [:]
    private var propertyRules: [String: [String: Rule]] = [:]

    /// Makes a policy with one rule for everything.
    public init(_ rule: Rule) { self.rule = rule }

    /// Nobody wins: a conflict is thrown.
    ///
    /// This is the default.
    public static let error = MergePolicy(.error)
    /// Where both changed a property, the store wins.
    public static let storeWins = MergePolicy(.storeWins)
    /// Where both changed a property, the context wins.
    public static let objectWins = MergePolicy(.objectWins)
    /// The context's objects are saved as they are.
    public static let overwrite = MergePolicy(.overwrite)
    /// The context's changes of objects in conflict are dropped.
    public static let rollback = MergePolicy(.rollback)

    /// Gives an entity, or one of its properties, a rule of its own.
    ///
    /// It holds for that entity alone, not for its subentities. A save refuses a policy with names that the model doesn't have.
    public mutating func setRule(_ rule: Rule, for entityName: String, _ property: String? = nil) {
        if let property {
            propertyRules[entityName, default: [:]][property] = rule
        } else {
            entityRules[entityName] = rule
        }
    }

    /// Checks that what has rules of its own is there.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty``.
    func check(_ model: ObjectModel) throws(StoreError) {
        for name in entityRules.keys.sorted() where model.layout(named: name) == nil { throw unknown(name) }
        for (name, rules) in propertyRules.sorted(by: { $0.key < $1.key }) {
            guard let entity = model.layout(named: name) else { throw unknown(name) }
            for property in rules.keys.sorted()
            where entity.property(named: property)?.columns.isEmpty != false {
                throw unknown("\(name).\(property)")
            }
        }
    }

    private func unknown(_ name: String) -> StoreError {
        StoreError(
            .unknownProperty, "The merge policy has a rule for \(name), which the model keeps no value of.",
            remedy: "Name an entity, or one of its attributes or to-one relationships.")
    }

    func rule(for entity: EntityLayout) -> Rule { entityRules[entity.name] ?? rule }

    func rule(for entity: EntityLayout, _ property: String) -> Rule {
        propertyRules[entity.name]?[property] ?? rule(for: entity)
    }

    /// Whether a conflict of an entity's objects may be resolved at all.
    func resolves(_ entity: EntityLayout) -> Bool {
        if case .error = rule(for: entity) { return !(propertyRules[entity.name] ?? [:]).isEmpty }
        return true
    }
}
