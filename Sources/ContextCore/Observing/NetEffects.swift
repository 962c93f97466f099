/// The net effect of successive changes to objects.
struct NetEffects {
    private var kinds: [ObjectID: HistoryChange.Kind] = [:]
    /// The objects in the order of their first change.
    private var ids: [ObjectID] = []

    /// Whether there are no changes.
    var isEmpty: Bool { ids.isEmpty }

    mutating func record(_ kind: HistoryChange.Kind, _ id: ObjectID) {
        guard let earlier = kinds[id] else {
            ids.append(id)
            kinds[id] = kind
            return
        }
        // The deletion of an object that was inserted before is reported too, because a consumer may have its identifier. An object that
        // is inserted again after its deletion counts as updated.
        if kind != .delete, earlier == .delete {
            kinds[id] = .update
        } else if kind == .delete || earlier == .update {
            kinds[id] = kind
        }
    }

    /// Records changes of many objects.
    mutating func record(inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID]) {
        for id in inserted { record(.insert, id) }
        for id in updated { record(.update, id) }
        for id in deleted { record(.delete, id) }
    }

    /// Adds later changes.
    mutating func add(_ later: NetEffects) {
        for id in later.ids { later.kinds[id].map { record($0, id) } }
    }

    func objects(_ kind: HistoryChange.Kind) -> [ObjectID] { ids.filter { kinds[$0] == kind } }
}
