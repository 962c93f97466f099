/// What is left of several things that were done to objects, one after the other.
struct NetEffects {
    private var kinds: [ObjectID: HistoryChange.Kind] = [:]
    /// In the order in which the objects were first named.
    private var ids: [ObjectID] = []

    /// Whether nothing was done.
    var isEmpty: Bool { ids.isEmpty }

    mutating func note(_ kind: HistoryChange.Kind, _ id: ObjectID) {
        guard let earlier = kinds[id] else {
            ids.append(id)
            kinds[id] = kind
            return
        }
        // Somebody may have seen the identifier of an object that was inserted and deleted, so its end is told; and that it
        // lives, if it came back after it.
        if kind != .delete, earlier == .delete {
            kinds[id] = .update
        } else if kind == .delete || earlier == .update {
            kinds[id] = kind
        }
    }

    /// Notes what was done to many objects.
    mutating func note(inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID]) {
        for id in inserted { note(.insert, id) }
        for id in updated { note(.update, id) }
        for id in deleted { note(.delete, id) }
    }

    /// Notes what was done later.
    mutating func add(_ later: NetEffects) {
        for id in later.ids { later.kinds[id].map { note($0, id) } }
    }

    func objects(_ kind: HistoryChange.Kind) -> [ObjectID] { ids.filter { kinds[$0] == kind } }
}
