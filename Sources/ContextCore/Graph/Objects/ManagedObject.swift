/// An object of a context's graph.
///
/// Objects are made by contexts: inserted with `Game(in: context, …)`, fetched, or reached through relationships. In one context
/// there is one object an identifier. An object belongs to its context, and the compiler keeps it there: it is not `Sendable`.
/// What may cross to another thread is its ``objectID`` or a snapshot of it.
///
/// It has to go where its context is used, too. A class of the main actor that keeps objects may die on another thread,
/// and lets go of them there: give it an `isolated deinit`. Debug builds stop where an object of the main actor's
/// context, or of a ``ContextActor``, is released on another thread.
///
/// An object whose row has not been fetched is a *fault*. Touching one of its properties fetches the row, and the rows of its
/// siblings with it. A property can't throw; so when a fault can't be fired, the property answers a placeholder, and the next
/// fetch or save, or the end of the block, throws the error.
open class ManagedObject {
    // The group keeps the graph, and that the model and its layouts for good; to count them too costs every object that is made, and
    // every look at an entity that the compiler can't see kept.
    private final let entityReference: Unmanaged<EntityLayout>
    /// The group of the row, or the one of those that have none.
    // It counts its objects by itself.
    private(set) final var holder: Unmanaged<RowGroup>
    /// The row in the group; negative for a fault, and for an object that was never saved.
    final var row: Int32
    /// Where the object stands between its context and the store.
    final var state: ObjectState
    /// Whether the change tracker holds the object.
    final var isTracked = false
    /// Whether the object is part of the save that is being published.
    final var isBeingSaved = false
    /// What differs from the committed values, and to-many relationships once they are touched.
    final var overlay: Overlay?
    // Last, as who reads properties has no need of it: then an object's other fields share one line of the processor's cache.
    // Only `rekey` changes it, as tables find the object by it.
    private(set) final var key: Int64

    /// Makes an object on behalf of a context.
    ///
    /// Subclasses inherit it and have no need to call it.
    public required init(birth: borrowing ObjectBirth) {
        entityReference = birth.origin.entityReference
        holder = birth.origin.group
        row = birth.origin.row
        state = birth.origin.state
        key = birth.origin.key
        RowGroup.gain(birth.origin.group, in: birth.origin.graph)
        assert(graph.keeps(entity), "An object's entity has to be one of its graph's.")
    }

    deinit {
        graphReference.withUncounted { graph in
            assert(
                graph.mayReleaseHere,
                "An object of \(Self.self) was released on a thread that isn't its context's. What keeps objects has "
                    + "to die where their context is used: give a class of the main actor that keeps objects an "
                    + "isolated deinit, and let no closure that runs elsewhere hold them last.")
            graph.identities.forget(self)
            if graph.isObserved { graph.forgetObservers(of: self) }
        }
        RowGroup.lose(holder)
    }

    /// The name of the entity of the class's objects: the class's own name, unless `@Entity` or an override gives another.
    ///
    /// Apart from ``entityDescription``, so that two classes can describe relationships to each other.
    open class var entityName: String { String(describing: self) }

    /// Describes the entity of the class's objects; `@Entity` writes it.
    open class var entityDescription: EntityDescription {
        programmingError("\(self) describes no entity: give it @Entity, or override entityDescription.")
    }

    /// The names of the properties by slot: those of the superclass, then the class's own sorted by their bytes.
    ///
    /// A class that inherits from another entity's overrides it: `super.slotNames + ["role"]`. `@Entity` does.
    open class var slotNames: [String] {
        let own = entityDescription
        return (own.attributes.map(\.name) + own.relationships.map(\.name))
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// How many properties there are in ``slotNames``.
    ///
    /// The slots of a subclass's own properties begin here; `@Entity` writes it as a number.
    open class var slotCount: Int { slotNames.count }

    // MARK: Life cycle

    /// Runs once, when the object is inserted, before anything else sets its properties.
    open func awakeFromInsert() {}
    /// Runs when the object's row has been fetched.
    ///
    /// Attributes of the object that are set here are not pending changes to be saved: they show until the row is fetched
    /// again, and what was set elsewhere and not saved goes before them. Relationships are better left alone.
    open func awakeFromFetch() {}
    /// Runs before a save, and again as long as hooks change objects.
    open func willSave() {}
    /// Runs after a save.
    open func didSave() {}
    /// Runs before the object is deleted, and before its delete rules are carried out.
    open func prepareForDeletion() {}

    // MARK: Validation

    /// Checks the object before it is saved for the first time.
    ///
    /// - Throws: what keeps it from being saved; several failures may be thrown as one ``StoreError``.
    open func validateForInsert() throws {}
    /// Checks the object before changes of it are saved.
    open func validateForUpdate() throws {}
    /// Checks whether the object may be deleted.
    open func validateForDelete() throws {}
}

@available(
    *, unavailable, message: "An object stays in its context; pass its objectID or a snapshot instead."
)
extension ManagedObject: Sendable {}

/// What a context lends to ``ManagedObject/init(birth:)``, for as long as that runs; it has no public parts.
///
/// It can't be copied, and an initializer only borrows it. So nothing can keep it beyond the call, during which the
/// context keeps what it refers to.
public struct ObjectBirth: ~Copyable {
    let origin: ObjectOrigin

    init(_ origin: ObjectOrigin) { self.origin = origin }
}

/// What an object is made of.
struct ObjectOrigin {
    // Not counted, any of them: whoever makes an object has its graph and its group, and to count them would cost atomic operations
    // for each object that is made.
    fileprivate let graph: Unmanaged<ObjectGraph>
    fileprivate let group: Unmanaged<RowGroup>
    fileprivate(set) var entityReference: Unmanaged<EntityLayout>
    var key: Int64
    var row: Int32
    let state: ObjectState

    /// - Parameter group: Where the row is, or where a fault is referred to.
    init(
        graph: borrowing ObjectGraph, entity: borrowing EntityLayout, key: Int64, group: RowGroup? = nil,
        row: Int32 = -1, state: ObjectState
    ) {
        // Unretained, as said above. A borrowed parameter is copied by name or not at all; the copy ends here and keeps nothing.
        self.graph = .passUnretained(copy graph)
        self.group = group.map(Unmanaged.passUnretained) ?? graph.groupWithoutRows
        entityReference = .passUnretained(copy entity)
        self.key = key
        self.row = row
        self.state = state
    }

    /// The entity, which is one of the graph's.
    var entity: EntityLayout {
        // Unretained: the graph keeps it.
        get { entityReference.takeUnretainedValue() }
        set { entityReference = .passUnretained(newValue) }
    }
}

// Of the entity: what each object or each read asks for borrows it, and counts no reference.
extension ManagedObject {
    // Not public, as every name here is one that no attribute can have: “state” and “entity” are natural ones.
    /// The object's entity.
    // Unretained, here and below: the graph keeps it.
    final var entity: EntityLayout { entityReference.takeUnretainedValue() }

    /// Where the entity stands in the model.
    @inline(__always)
    final var entityIndex: Int { entityReference.withUncounted { $0.index } }

    /// Where the entity's inheritance tree stands in the model.
    @inline(__always)
    final var rootIndex: Int { entityReference.withUncounted { $0.rootIndex } }

    /// Whether the object is of an entity.
    @inline(__always)
    final func isOf(_ layout: EntityLayout) -> Bool {
        entityReference.toOpaque() == Unmanaged.passUnretained(layout).toOpaque()
    }

    /// Whether the program has a class for the entity, which may override hooks.
    @inline(__always)
    final var hasObjectClass: Bool { entityReference.withUncounted { $0.hasObjectClass } }

    /// How many properties the entity has.
    @inline(__always)
    final var slotCount: Int { entityReference.withUncounted { $0.properties.count } }

    /// Hands over what a new object begins with.
    @inline(__always)
    final func forEachDefault(_ body: (Int, AttributeDefault) -> Void) {
        entityReference.withUncounted { entity in
            // Most entities have none, and to go through a list counts a reference to it.
            if entity.defaults.isEmpty { return }
            for (slot, initial) in entity.defaults { body(slot, initial) }
        }
    }

    /// Whether a value of the object may lie outside of its row.
    @inline(__always)
    final var mayHaveDeferredValues: Bool { entityReference.withUncounted { $0.mayHaveDeferredValues } }

    /// Where a slot's first column lies in a packed row of the object's.
    @inline(__always)
    final func place(of slot: Int) -> SlotPlace {
        entityReference.withUncounted { $0.places[slot] }
    }
}

// What the object is part of, and what lies over its row. The references are for looks during which the object certainly keeps what
// they lead to; they count nothing.
extension ManagedObject {
    /// The graph that the object belongs to.
    @inline(__always)
    // Unretained: the group keeps it as long as it has objects.
    final var graph: ObjectGraph { graphReference.takeUnretainedValue() }

    @inline(__always)
    final var graphReference: Unmanaged<ObjectGraph> { holder.withUncounted { $0.graphOfObjects } }

    /// Where the committed values are; for a fault, where it was referred to.
    @inline(__always)
    final var group: RowGroup? {
        // Unretained: the object is counted there.
        get { groupReference?.takeUnretainedValue() }
        set {
            let (old, graph) = (holder, graphReference)
            // Unretained, as above.
            holder =
                newValue.map(Unmanaged.passUnretained)
                ?? graph.withUncounted { $0.groupWithoutRows }
            RowGroup.gain(holder, in: graph)
            RowGroup.lose(old)
        }
    }

    @inline(__always)
    final var groupReference: Unmanaged<RowGroup>? {
        holder.withUncounted { $0.hasRows } ? holder : nil
    }

    @inline(__always)
    final var overlayReference: Unmanaged<Overlay>? { overlay.map(Unmanaged.passUnretained) }
}

extension ManagedObject {
    /// Identifies the object in every context.
    ///
    /// Temporary until the first save.
    public final var objectID: ObjectID { graph.identifiers.id(of: key, in: entity) }

    /// The context that the object belongs to; nil once that has gone away, and for an object that is no part of it any more.
    public final var context: ObjectContext? { state == .detached ? nil : graph.context }

    /// The object's entity, with its place in the model.
    public final var entityLayout: EntityLayout { entity }
    /// Where the object stands between its context and the store.
    public final var objectState: ObjectState { state }

    /// Whether the object's row has not been fetched yet.
    public final var isFault: Bool { row < 0 && state != .inserted && state != .detached }
    /// Whether the object has been inserted and not saved.
    public final var isInserted: Bool { state == .inserted }
    /// Whether the object has changes that are not saved.
    public final var isUpdated: Bool { state == .updated }
    /// Whether the object is to be deleted by the next save, or was by the last.
    public final var isDeleted: Bool { state == .deleted || state == .detached }
    /// Whether the next save has something to do for the object.
    public final var hasChanges: Bool { state == .inserted || state == .updated || state == .deleted }
}

extension ManagedObject: KeyedObject {
    /// Gives the object another key, while it is in no table.
    final func rekey(_ key: Int64) { self.key = key }
}

extension ManagedObject: Hashable {
    /// Two objects of one context are equal when they are the same object.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The hash that sets and dictionaries of objects go by: an address needs no defence against those who choose it.
    // The standard library's way for types to hash themselves: making and filling relationships takes 7 % fewer instructions so.
    public final func _rawHashValue(seed: Int) -> Int {
        PlainHash.value(
            ofObjectAt: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), seed: seed)
    }
}
