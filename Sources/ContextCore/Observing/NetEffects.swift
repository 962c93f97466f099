/// What is left of several things that were done to objects, one after the other.
struct NetEffects {
    private var kinds: [ObjectID: HistoryChange.Kind] = [:]
    /// In the order in which the objects were first named.
    private var ids: [ObjectID] = []

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

    func objects(_ kind: HistoryChange.Kind) -> [ObjectID] { ids.filter { kinds[$0] == kind } }
}
