/// Notes what was, so that it can be again.
struct UndoLog {
    /// One thing that was different before.
    enum Entry {
        case slot(ManagedObject, Int, SlotValue)
        case insertion(ManagedObject)
        case deletion(ManagedObject, ObjectState)
    }

    private(set) var entries: [Entry] = []

    mutating func record(_ object: ManagedObject, _ slot: Int, _ old: SlotValue) {
        entries.append(.slot(object, slot, old))
    }

    mutating func recordInsertion(_ object: ManagedObject) { entries.append(.insertion(object)) }

    mutating func recordDeletion(_ object: ManagedObject) { entries.append(.deletion(object, object.state)) }
}
