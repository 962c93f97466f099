/// One change that undo can reverse.
///
/// Entries name objects and not ends as they were, since other contexts may have saved in between: each is reversed against the graph
/// as it is then.
enum UndoEntry {
    /// An attribute had another value, as a change or as it was last saved.
    case attribute(ManagedObject, slot: Int, old: StoredValue, wasChanged: Bool)
    /// An attribute had its committed value, which could not be loaded.
    case committed(ManagedObject, slot: Int)
    /// A to-one relationship referred to another object, by a change or as it was last saved.
    case reference(ManagedObject, slot: Int, old: ManagedObject?, wasChanged: Bool)
    /// An object was not a member of a to-many relationship.
    case entered(ManagedObject, slot: Int, member: ManagedObject)
    /// An object was a member of a to-many relationship; of a list, at a place in it.
    case left(ManagedObject, slot: Int, member: ManagedObject, place: ListSpot?)
    /// A list was in another order.
    case reordered(ManagedObject, slot: Int, old: [ManagedObject])
    /// A list of an object that was deleted had an order.
    case deletedList(ManagedObject, slot: Int, order: [ManagedObject])
    /// An object did not exist.
    case inserted(ManagedObject)
    /// An object existed.
    case deleted(ManagedObject)
}

extension UndoEntry {
    /// The object that was changed.
    var object: ManagedObject {
        switch self {
        case .attribute(let object, _, _, _), .committed(let object, _), .reference(let object, _, _, _),
            .entered(let object, _, _), .left(let object, _, _, _), .reordered(let object, _, _),
            .deletedList(let object, _, _), .inserted(let object), .deleted(let object):
            object
        }
    }
}

/// Where a member of a list stood: behind another member, which says more than an index once others have changed the list.
struct ListSpot {
    let predecessor: ManagedObject?
    let index: Int

    init?(of member: ManagedObject, in list: [ManagedObject]) {
        guard let index = list.firstIndex(where: { $0 === member }) else { return nil }
        self.index = index
        predecessor = index > 0 ? list[index - 1] : nil
    }

    /// The index at which the member belongs in a list that it is not in.
    func index(in list: [ManagedObject]) -> Int {
        guard let predecessor else { return 0 }
        return list.firstIndex { $0 === predecessor }.map { $0 + 1 } ?? min(index, list.count)
    }
}
