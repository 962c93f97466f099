/// Makes a class of managed objects an entity of the model.
///
/// ```swift
/// @Entity final class Game: ManagedObject {
///     @Attribute(.unique) var title: String
///     var startedAt: Date = .now
///     @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
/// }
/// ```
///
/// The stored properties become the entity's: attributes, or relationships where the type is a class of managed objects, a
/// `Set` or an array of one. What the macro writes can as well be written by hand:
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
/// The numbers are *slots*: the class's own properties sorted by the UTF-8 bytes of their names. Where the superclass is an
/// entity too, its properties come first, so that `@Entity final class Employee: Person` counts from `Person.slotCount`.
///
/// The initialiser takes the properties in the order of their declarations. Those without a default are required; optional
/// ones begin as nil and to-many relationships empty. It takes neither derived nor transient properties, nor those with a
/// default that fewer can see than the class. It can be seen as far as the class and every property that must be given: with
/// an internal property without a default, the initialiser of a public class is internal. It sets the class's own properties; what a superclass declares is set
/// afterwards, or by an initialiser of your own: `init(in context: ObjectContext, name: String, salary: Decimal)` calls
/// `self.init(in: context, salary: salary)` and sets the name. An abstract entity has none.
///
/// A default is one value for all objects, worked out when the model is made; `.now` and a new UUID are the two that each object
/// has of its own. What differs from call to call, such as `Int.random(in: 1...6)`, is refused.
///
/// - Parameters:
///   - name: The entity's name, in quotation marks; the class's own unless it is given.
///   - isAbstract: Whether there are only objects of its subentities: `true` or `false`, written out.
///   - indexes: Indexes over several properties: `[.index(.ascending(\.title), .descending(\.startedAt))]`.
///   - unique: What no two objects may share: `[[\.title, \.startedAt]]`.
///   - renamedFrom: The name that the entity had in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint where nothing else does.
@attached(
    member, names: named(entityName), named(slotNames), named(slotCount), named(entityDescription),
    named(InitialValues), named(init))
@attached(memberAttribute)
public macro Entity(
    name: String? = nil, isAbstract: Bool = false, indexes: [IndexDescription] = [],
    unique: [UniqueConstraint] = [],
    renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "EntityMacro")

/// Says more about an attribute than its type does: `@Attribute(.unique, .length(1...80))`.
///
/// It expands to nothing; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` writes what it says into the
/// entity's description. A property that `.codable` marks has the accessors `codableValue(at:)` and `setCodableValue(_:at:)`.
///
/// - Parameters:
///   - options: What holds for the attribute.
///   - default: What a new object begins with: a literal, `.now`, `.newUUID` or `.constant(…)`. It may as well be written as
///     the property's initial value.
///   - renamedFrom: The name that the attribute had in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint where nothing else does.
@attached(peer)
public macro Attribute(
    _ options: AttributeOption..., default: AttributeDefault? = nil, renamedFrom: String? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Says more about a relationship than its type does: `@Relationship(deleteRule: .cascade, inverse: \Player.game)`.
///
/// It expands to nothing; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` writes what it says into the
/// entity's description. A property of type `Game?` or `Game` leads to one object, `Set<Player>` to many in no order, and
/// `[Player]` to many in an order that is kept.
///
/// Every to-many relationship names its inverse. Where both sides do, at least one leaves the class out, as in `\.game`:
/// Swift can't resolve two properties whose attributes mention each other, and says “circular reference”. Where both are of
/// one class, `@Entity` says which to mend.
///
/// - Parameters:
///   - deleteRule: What becomes of the objects at the other end when this one is deleted.
///   - inverse: The property at the other end that leads back.
///   - minimumCount: The least number of objects at the other end.
///   - maximumCount: The greatest number of objects at the other end.
///   - renamedFrom: The name that the relationship had in an earlier version of the model.
///   - hashModifier: Text that changes the entity's fingerprint where nothing else does.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, inverse: AnyKeyPath? = nil, minimumCount: Int? = nil,
    maximumCount: Int? = nil,
    renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Says more about a relationship than its type does, with the inverse's name alone: `@Relationship(inverse: \.game)`.
///
/// See ``Relationship(deleteRule:inverse:minimumCount:maximumCount:renamedFrom:hashModifier:)-8h6tc``.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, inverse: PartialKeyPath<PropertyNames>, minimumCount: Int? = nil,
    maximumCount: Int? = nil, renamedFrom: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Keeps a property in the object alone: tracked and undone like others, never stored.
///
/// It needs an initial value, or an optional type. It expands to nothing;
/// ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` describes the property by `.transient("isOpen", Bool.self)`.
@attached(peer)
public macro Transient() = #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Lets the store work a property out on every save: `@Derived(.count(\.players)) var playerCount: Int`.
///
/// The property has no setter and is no argument of the initialiser. It expands to nothing;
/// ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` describes the property by
/// `.derived("playerCount", Int.self, .count(\.players))`.
///
/// - Parameters:
///   - derivation: How the value is worked out.
///   - options: What holds for the attribute.
@attached(peer)
public macro Derived(_ derivation: Derivation, _ options: AttributeOption...) =
    #externalMacro(module: "ContextMacros", type: "PropertyMarkerMacro")

/// Makes a struct a value whose parts become columns of their own.
///
/// ```swift
/// @Composite struct Address {
///     var street: String
///     var city: String?
/// }
/// ```
///
/// It expands to the extension that ``CompositeValue`` shows. The struct needs an initialiser that takes every part in order;
/// Swift's own will do.
@attached(
    extension, conformances: CompositeValue, names: named(partDescriptions), named(placeholder),
    named(storedValue),
    named(init))
public macro Composite() = #externalMacro(module: "ContextMacros", type: "CompositeMacro")

/// Gives a stored property of an entity its accessors; ``Entity(name:isAbstract:indexes:unique:renamedFrom:hashModifier:)`` puts
/// it there.
///
/// It expands to `get { value(at: 2) }` and `set { setValue(newValue, at: 2) }`.
///
/// - Parameter rank: The property's place among those that its class declares, sorted by the bytes of their names.
@attached(accessor, names: named(get), named(set))
public macro ManagedProperty(_ rank: Int) =
    #externalMacro(module: "ContextMacros", type: "ManagedPropertyMacro")
