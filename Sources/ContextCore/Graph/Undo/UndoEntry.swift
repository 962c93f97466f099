/// A change that undo can revert.
///
/// An entry describes the change, not the state of the objects, because the change is reverted in the current graph,
/// and other contexts may have saved in between.
enum UndoEntry {
    /// The previous value of an attribute, either a pending or a committed value.
    case attribute(ManagedObject, slot: Int, old: StoredValue, wasChanged: Bool)
    /// The attribute had its committed value, which could not be loaded.
    case committed(ManagedObject, slot: Int)
    /// The previous target of a to-one relationship, either pending or committed.
    case reference(ManagedObject, slot: Int, old: ManagedObject?, wasChanged: Bool)
    /// A member was added to a to-many relationship.
    case memberAdded(ManagedObject, slot: Int, member: ManagedObject)
    /// A member was removed from a to-many relationship, and its position in a list.
    case memberRemoved(ManagedObject, slot: Int, member: ManagedObject, place: ListPosition?)
    /// The previous order of a list.
    case reordered(ManagedObject, slot: Int, old: [ManagedObject])
    /// The order of a list of a deleted object.
    case deletedList(ManagedObject, slot: Int, order: [ManagedObject])
    /// An object was inserted.
    case inserted(ManagedObject)
    /// An object was deleted.
    case deleted(ManagedObject)
}

extension UndoEntry {
    /// The object that was changed.
    var object: ManagedObject {
        switch self {
        case .attribute(let object, _, _, _), .committed(let object, _), .reference(let object, _, _, _),
            .memberAdded(let object, _, _), .memberRemoved(let object, _, _, _), .reordered(let object, _, _),
            .deletedList(let object, _, _), .inserted(let object), .deleted(let object):
            object
        }
    }
}

/// The position of a member in a list: its predecessor, which is valid even if another context changes the list, and
/// its index.
struct ListPosition {
    private let predecessor: ManagedObject?
    /// The predecessor that wasn't deleted, since the list may be loaded without the others.
    private let livePredecessor: ManagedObject?
    private let index: Int

    init?(of member: ManagedObject, in list: [ManagedObject]) {
        guard let index = list.firstIndex(where: { $0 === member }) else { return nil }
        self.index = index
        predecessor = index > 0 ? list[index - 1] : nil
        livePredecessor = list[..<index].last(where: \.isLive)
    }

    /// Returns the index for the member in a list that doesn't contain it.
    func index(in list: [ManagedObject]) -> Int {
        func follow(_ member: ManagedObject) -> Int? { list.firstIndex { $0 === member }.map { $0 + 1 } }
        if let next = predecessor.flatMap(follow) { return next }
        guard let livePredecessor else { return 0 }
        return follow(livePredecessor) ?? min(index, list.count)
    }
}
