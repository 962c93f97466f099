/// One thing that was different before, in terms that hold across saves.
enum UndoEntry {
    /// An attribute had another value.
    case attribute(ManagedObject, slot: Int, old: StoredValue)
    /// An attribute had its committed value, which could not be loaded.
    case committed(ManagedObject, slot: Int)
    /// A to-one relationship led elsewhere.
    case reference(ManagedObject, slot: Int, old: ManagedObject?)
    /// An object was not in a to-many relationship.
    case entered(ManagedObject, slot: Int, member: ManagedObject)
    /// An object was in a to-many relationship, at a place in it if it is ordered.
    case left(ManagedObject, slot: Int, member: ManagedObject, index: Int?)
    /// An ordered relationship was in another order.
    case reordered(ManagedObject, slot: Int, old: [ManagedObject])
    /// An object was not there.
    case inserted(ManagedObject)
    /// An object was there.
    case deleted(ManagedObject)
}
