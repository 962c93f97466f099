/// Declares a class of managed objects as an entity of the model.
///
/// ```swift
/// @Entity final class Game: ManagedObject {
///     @Attribute(.unique) var title: String
///     var startedAt: Date = .now
///     @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
/// }
/// ```
///
/// The stored properties become attributes, or relationships if their type is a class of managed objects, or a `Set` or `Array` of one.
/// You can also write by hand what the macro generates:
///
/// ```swift
/// final class Game: ManagedObject {
///     var title: String {
///         get { value(at: 2) }
///         set { setValue(newValue, at: 2) }
///     }
///     var startedAt: Date {
///         get { value(at: 1) }
///         set { setValue(newValue, at: 1) }
///     }
///     var players: Set<Player> {
///         get { value(at: 0) }
///         set { setValue(newValue, at: 0) }
///     }
///
///     override class var entityName: String { "Game" }
///     override class var slotNames: [String] { ["players", "startedAt", "title"] }
///     override class var slotCount: Int { 3 }
///     override class var entityDescription: EntityDescription {
///         EntityDescription(
///             of: Game.self,
///             hasDeletionHooks: false,
///             properties: [
///                 .property("title", String.self, .unique),
///                 .property("startedAt", Date.self, default: .now),
///                 .property("players", Set<Player>.self, inverse: "game", deleteRule: .cascade),
///             ])
///     }
///
///     convenience init(
///         in context: borrowing ObjectContext, title: String, startedAt: Date = .now, players: Set<Player> = []
///     ) {
///         self.init(insertingInto: context)
///         self.title = title
///         self.startedAt = startedAt
///         self.players = players
///     }
/// }
/// ```
///
/// The numbers are *slots*: the class's own properties sorted by the UTF-8 bytes of their names. If the superclass is an
/// entity too, its properties come first, so that `@Entity final class Employee: Person` counts from `Person.slotCount`.
///
/// The initializer takes the properties in the order of their declarations. Properties without a default are required; optional
/// properties default to nil and to-many relationships to empty. The initializer omits derived and transient properties, and properties
/// with a default that are less visible than the class. Its access level is that of the class, or lower if a required property is less
/// visible: if a public class has an internal property without a default, its initializer is internal. It sets only the class's own
/// properties. Set those of a superclass afterwards or in an initializer of your own:
/// `init(in context: ObjectContext, name: String, salary: Decimal)` calls `self.init(in: context, salary: salary)` and sets the name. An
/// abstract entity has no initializer.
///
/// A default is one value for all objects, evaluated when the model is made; only `.now` and a new UUID are evaluated for each object.
/// The macro rejects other expressions that differ from call to call, such as `Int.random(in: 1...6)`.
///
/// - Parameters:
///   - name: The entity's name as a string literal; the class name by default.
///   - isAbstract: Whether only subentities have objects: a literal `true` or `false`.
///   - indexes: Indexes over several properties: `[.index(.ascending(\.title), .descending(\.startedAt))]`.
///   - unique: Unique constraints: `[[\.title, \.startedAt]]`. The key paths here and in `indexes` omit the class.
///   - renamedFrom: The entity's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint, for changes that the fingerprint doesn't include.
@attached(
    member, names: named(entityName), named(slotNames), named(slotCount), named(entityDescription),
    named(InitialValues), named(init))
@attached(memberAttribute)
public macro Entity(
    name: String? = nil, isAbstract: Bool = false, indexes: [IndexDescription] = [],
    unique: [UniqueConstraint] = [],
    renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "EntityMacro")

// The compiler's error for key paths with a class, which it reports together with a circular reference.
@attached(
    member, names: named(entityName), named(slotNames), named(slotCount), named(entityDescription),
    named(InitialValues), named(init))
@attached(memberAttribute)
@available(
    *, unavailable,
    message: """
        Omit the class in the key paths: @Entity(unique: [[\\.title, \\.startedAt]]). Swift can't resolve a key path to a class in \
        an attribute of that class.
        """
)
public macro Entity(
    name: String? = nil, isAbstract: Bool = false, indexes: [IndexDescription] = [],
    unique: [[AnyKeyPath]],
    renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "EntityMacro")

/// Declares options of an attribute: `@Attribute(.unique, .length(1...80))`.
///
/// It expands to nothing; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` adds the options to the
/// entity's description. The accessors of a property with `.codable` are `codableValue(at:)` and `setCodableValue(_:at:)`.
///
/// - Parameters:
///   - options: The attribute's options.
///   - default: The value of the attribute in new objects: a literal, `.now`, `.newUUID` or `.constant(…)`. You can also write it as
///     the property's initial value: a literal, another expression, `.now`, or `UUID()` for a new UUID.
///   - renamedFrom: The attribute's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint, for changes that the fingerprint doesn't include.
@attached(peer)
public macro Attribute(
    _ options: AttributeOption..., default: AttributeDefault? = nil, renamedFrom: String? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Declares options of a relationship: `@Relationship(deleteRule: .cascade, inverse: \Player.game)`.
///
/// It expands to nothing; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` adds the options to the
/// entity's description. A property of type `Game?` or `Game` is a to-one relationship, `Set<Player>` an unordered to-many
/// relationship, and `[Player]` an ordered one.
///
/// Every to-many relationship needs an inverse. If both properties name their inverse, at least one omits the class, as in `\.game`:
/// Swift can't resolve two properties whose attributes refer to each other, and reports a “circular reference”. If both belong to one
/// class, `@Entity` reports which one to change.
///
/// - Parameters:
///   - deleteRule: What happens to the related objects when this object is deleted.
///   - inverse: The inverse property of the related objects.
///   - minimumCount: The minimum number of related objects.
///   - maximumCount: The maximum number of related objects.
///   - renamedFrom: The relationship's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint, for changes that the fingerprint doesn't include.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, inverse: AnyKeyPath? = nil, minimumCount: Int? = nil,
    maximumCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Declares options of a relationship, with an inverse that omits the class: `@Relationship(inverse: \.game)`.
///
/// See ``Relationship(deleteRule:inverse:minimumCount:maximumCount:renamedFrom:hashModifier:)-8h6tc``.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, inverse: PartialKeyPath<PropertyNames>, minimumCount: Int? = nil,
    maximumCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Declares a transient property, which is tracked and undone like others but never stored.
///
/// It needs an initial value or an optional type. It expands to nothing;
/// ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` describes the property by `.transient("isOpen", Bool.self)`.
@attached(peer)
public macro Transient() = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Declares a property that every save derives from others: `@Derived(.count(\.players)) var playerCount: Int`.
///
/// The property has no setter, and the initializer omits it. It expands to nothing;
/// ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` describes the property by
/// `.derived("playerCount", Int.self, .count(\.players))`.
///
/// - Parameters:
///   - derivation: How to calculate the value.
///   - options: The attribute's options.
@attached(peer)
public macro Derived(_ derivation: Derivation, _ options: AttributeOption...) =
    #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Declares a struct as a composite value, whose parts are stored in separate columns.
///
/// ```swift
/// @Composite struct Address {
///     var street: String
///     var city: String?
/// }
/// ```
///
/// It expands to the extension that ``CompositeValue`` shows. The struct needs an initializer that takes all parts in order; the
/// memberwise initializer suffices.
@attached(
    extension, conformances: CompositeValue, names: named(partDescriptions), named(placeholder),
    named(storedValue),
    named(init))
public macro Composite() = #externalMacro(module: "ContextMacros", type: "CompositeMacro")

/// Adds the accessors to a stored property of an entity; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` applies
/// it.
///
/// It expands to `get { value(at: 2) }` and `set { setValue(newValue, at: 2) }`.
///
/// - Parameter rank: The property's position among those that its class declares, sorted by the UTF-8 bytes of their names.
@attached(accessor, names: named(get), named(set))
public macro ManagedProperty(_ rank: Int) =
    #externalMacro(module: "ContextMacros", type: "ManagedPropertyMacro")
