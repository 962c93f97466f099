/// An object in a context, and the base class of all entities' classes.
///
/// A context creates its objects: insert them with `Game(in: context, …)`, fetch them, or reach them through relationships. A context has
/// one instance per identifier. Objects are not `Sendable`, so the compiler keeps them in the isolation of their context. Send
/// the ``objectID`` or a snapshot to other threads.
///
/// The last reference to an object must also be released in that isolation. A class of the main actor that references
/// objects may be deallocated on another thread: give it an `isolated deinit`. Debug builds trap if an object of the
/// main actor's context, or of a ``ContextActor``, is released on another thread.
///
/// An object whose row has not been fetched is a *fault*. Accessing a property fetches the row together with the rows of its
/// siblings. A property can't throw, so if a fault can't be loaded, the property returns a placeholder, and the next
/// fetch or save, or the end of the block, throws the error.
open class ManagedObject {
    // Unmanaged: the group retains the graph, which retains the model with its layouts. Counting references would slow
    // down every creation of an object, and every access to the entity for which the compiler can't prove that it is
    // retained.
    private final let entityReference: Unmanaged<EntityLayout>
    /// The group of the object's row, or the shared group of objects without a row.
    // The group counts its objects itself.
    private(set) final var rowGroup: Unmanaged<RowGroup>
    /// The row in the group; negative for a fault and for an object that was never saved.
    final var row: Int32
    /// The object's state relative to the store.
    final var state: ObjectState
    /// Whether the change tracker contains the object.
    final var isTracked = false
    /// Whether the object is part of the save whose results are being applied to the graph.
    final var isBeingSaved = false
    /// The uncommitted values, and to-many relationships that have been accessed.
    final var overlay: Overlay?
    // Last, because reading properties doesn't need it: the other fields then share one cache line.
    // Only `rekey` changes it, because hash tables locate the object by it.
    private(set) final var key: Int64

    /// Creates an object for a context.
    ///
    /// Subclasses inherit this initializer and don't call it.
    public required init(creation: borrowing ObjectCreation) {
        entityReference = creation.origin.entityReference
        rowGroup = creation.origin.group
        row = creation.origin.row
        state = creation.origin.state
        key = creation.origin.key
        RowGroup.addObject(creation.origin.group, in: creation.origin.graph)
        assert(graph.retains(entity), "An object's entity must belong to its graph.")
    }

    deinit {
        graphReference.withUnretained { graph in
            assert(
                graph.isInIsolation,
                "An object of \(Self.self) was released on another thread than its context's. Objects must be released in the isolation of "
                    + "their context: give a class of the main actor that references objects an isolated deinit, and don't let a "
                    + "closure that runs on another thread have the last reference.")
            graph.identities.forget(self)
            if graph.isObserved { graph.removeObservers(of: self) }
        }
        RowGroup.removeObject(rowGroup)
    }

    /// The name of the class's entity: the class name, unless `@Entity` or an override defines another one.
    ///
    /// It is separate from ``entityDescription``, so that two classes can describe relationships to each other.
    open class var entityName: String { String(describing: self) }

    /// The description of the class's entity, which `@Entity` generates.
    open class var entityDescription: EntityDescription {
        programmingError(
            "\(self) has no entity description: annotate it with @Entity, or override entityDescription.")
    }

    /// The names of the properties by slot: those of the superclass, then the class's own, sorted by their UTF-8 bytes.
    ///
    /// A class whose superclass is an entity overrides it: `super.slotNames + ["role"]`. `@Entity` generates the override.
    open class var slotNames: [String] {
        let own = entityDescription
        return (own.attributes.map(\.name) + own.relationships.map(\.name))
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The number of properties in ``slotNames``.
    ///
    /// The slots of a subclass's own properties begin at this number; `@Entity` generates it as a literal.
    open class var slotCount: Int { slotNames.count }

    // MARK: Lifecycle

    /// Called once when the object is inserted, before its properties are set.
    open func awakeFromInsert() {}
    /// Called when the object's row has been fetched.
    ///
    /// Attributes of the object that the override sets don't count as changes and are not saved: they apply until the row is fetched
    /// again, and pending changes take precedence over them. The override must not set relationships.
    open func awakeFromFetch() {}
    /// Called before a save, and again while hooks change objects.
    open func willSave() {}
    /// Called after a save.
    open func didSave() {}
    /// Called before the object is deleted and its delete rules are applied.
    open func prepareForDeletion() {}

    // MARK: Validation

    /// Validates the object before it is inserted into the store.
    ///
    /// - Throws: The reason why it can't be saved; several failures can be thrown as one ``StoreError``.
    open func validateForInsert() throws {}
    /// Validates the object before its changes are saved.
    open func validateForUpdate() throws {}
    /// Validates the deletion of the object.
    open func validateForDelete() throws {}
}

@available(
    *, unavailable, message: "An object stays in its context; pass its objectID or a snapshot instead."
)
extension ManagedObject: Sendable {}

/// The argument that a context passes to ``ManagedObject/init(creation:)`` to create an object; it has no public members.
///
/// It can't be copied, and the initializer only borrows it, so it can't outlive the call. The context retains what it
/// refers to during the call.
public struct ObjectCreation: ~Copyable {
    let origin: ObjectOrigin

    init(_ origin: ObjectOrigin) { self.origin = origin }
}

/// The initial properties of a new object: its graph, row group, entity, key, row and state.
struct ObjectOrigin {
    // Unmanaged: the caller retains the graph and the group, and reference counting would cost atomic operations for each object.
    fileprivate let graph: Unmanaged<ObjectGraph>
    fileprivate let group: Unmanaged<RowGroup>
    fileprivate(set) var entityReference: Unmanaged<EntityLayout>
    var key: Int64
    var row: Int32
    let state: ObjectState

    /// - Parameter group: The group of the row, or the group with the row that references a fault.
    init(
        graph: borrowing ObjectGraph, entity: borrowing EntityLayout, key: Int64, group: RowGroup? = nil,
        row: Int32 = -1, state: ObjectState
    ) {
        // Unretained, as explained above. `copy` is required to pass a borrowed parameter; the copy ends here.
        self.graph = .passUnretained(copy graph)
        self.group = group.map(Unmanaged.passUnretained) ?? graph.groupWithoutRows
        entityReference = .passUnretained(copy entity)
        self.key = key
        self.row = row
        self.state = state
    }

    /// The entity.
    var entity: EntityLayout {
        // Unretained: the graph retains it.
        get { entityReference.takeUnretainedValue() }
        set { entityReference = .passUnretained(newValue) }
    }
}

// Entity. These properties borrow the entity without reference counting.
extension ManagedObject {
    // Not public, because an entity may have attributes of these names, such as “state” or “entity”.
    /// The object's entity.
    // Unretained, here and below: the graph retains it.
    final var entity: EntityLayout { entityReference.takeUnretainedValue() }

    /// The position of the entity in the model.
    @inline(__always)
    final var entityIndex: Int { entityReference.withUnretained { $0.index } }

    /// The position of the root entity in the model.
    @inline(__always)
    final var rootIndex: Int { entityReference.withUnretained { $0.rootIndex } }

    /// Whether the object's entity is exactly the given one, not a subentity.
    @inline(__always)
    final func isExactly(_ layout: EntityLayout) -> Bool {
        entityReference.toOpaque() == Unmanaged.passUnretained(layout).toOpaque()
    }

    /// Whether the entity has a class, which may override hooks.
    @inline(__always)
    final var hasObjectClass: Bool { entityReference.withUnretained { $0.hasObjectClass } }

    /// The number of properties of the entity.
    @inline(__always)
    final var slotCount: Int { entityReference.withUnretained { $0.properties.count } }

    /// Calls a closure with each default value of the entity.
    @inline(__always)
    final func forEachDefault(_ body: (Int, AttributeDefault) -> Void) {
        entityReference.withUnretained { entity in
            // Checked first, because most entities have no defaults, and iterating retains the list.
            if entity.defaults.isEmpty { return }
            for (slot, initial) in entity.defaults { body(slot, initial) }
        }
    }

    /// Whether the object may have externally stored values.
    @inline(__always)
    final var mayHaveDeferredValues: Bool { entityReference.withUnretained { $0.mayHaveDeferredValues } }

    /// Returns the position of a slot's first column in the object's packed rows.
    @inline(__always)
    final func location(of slot: Int) -> SlotLocation {
        entityReference.withUnretained { $0.slotLocations[slot] }
    }
}

// Graph, group and overlay. The unmanaged references avoid reference counting in accesses during which the object
// retains the targets.
extension ManagedObject {
    /// The object's graph.
    @inline(__always)
    // Unretained: the group retains it while it has objects.
    final var graph: ObjectGraph { graphReference.takeUnretainedValue() }

    @inline(__always)
    final var graphReference: Unmanaged<ObjectGraph> { rowGroup.withUnretained { $0.graphOfObjects } }

    /// The group of the object's committed values; for a fault, the group with the row that references it.
    @inline(__always)
    final var group: RowGroup? {
        // Unretained: the group counts the object.
        get { groupReference?.takeUnretainedValue() }
        set {
            let (old, graph) = (rowGroup, graphReference)
            // Unretained, as above.
            rowGroup =
                newValue.map(Unmanaged.passUnretained)
                ?? graph.withUnretained { $0.groupWithoutRows }
            RowGroup.addObject(rowGroup, in: graph)
            RowGroup.removeObject(old)
        }
    }

    @inline(__always)
    final var groupReference: Unmanaged<RowGroup>? {
        rowGroup.withUnretained { $0.hasRows } ? rowGroup : nil
    }

    @inline(__always)
    final var overlayReference: Unmanaged<Overlay>? { overlay.map(Unmanaged.passUnretained) }
}

extension ManagedObject {
    /// The object's identifier, which is the same in all contexts.
    ///
    /// It is temporary until the first save.
    public final var objectID: ObjectID { graph.identifiers.id(of: key, in: entity) }

    /// The object's context; nil if the context is deallocated or the object is detached.
    public final var context: ObjectContext? { state == .detached ? nil : graph.context }

    /// The object's entity, with its position in the model.
    public final var entityLayout: EntityLayout { entity }
    /// The object's state relative to the store.
    public final var objectState: ObjectState { state }

    /// Whether the object's row has not been fetched.
    public final var isFault: Bool { row < 0 && state != .inserted && state != .detached }
    /// Whether the object has been inserted but not saved.
    public final var isInserted: Bool { state == .inserted }
    /// Whether the object has unsaved changes.
    public final var isUpdated: Bool { state == .updated }
    /// Whether the object is marked as deleted or is detached.
    public final var isDeleted: Bool { state == .deleted || state == .detached }
    /// Whether the next save inserts, updates or deletes the object.
    public final var hasChanges: Bool { state == .inserted || state == .updated || state == .deleted }
}

extension ManagedObject: KeyedObject {
    /// Changes the object's key, while no hash table contains it.
    final func rekey(_ key: Int64) { self.key = key }
}

extension ManagedObject: Hashable {
    /// Compares objects by identity.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The hash for sets and dictionaries of objects, which is computed from the address without the standard library's keyed hash.
    // A hook of the standard library: creating and filling relationships takes 7% fewer instructions with it.
    public final func _rawHashValue(seed: Int) -> Int {
        FastHash.value(
            ofObjectAt: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), seed: seed)
    }
}
