/// Tells those elsewhere who listen what a context does.
///
/// It follows the graph as long as somebody listens, and costs nothing otherwise.
final class ContextMessenger: GraphFollower {
    private struct Listener {
        let kind: ContextMessage.Kind
        weak var box: MessageBox<ContextMessage>?
    }

    private weak var graph: ObjectGraph?
    private var listeners: [Listener] = []
    private var isFollowing = false
    /// What there is to tell of saves of which it isn't known yet whether they last; nil where all are final.
    private var heldBack: [NetEffects]?

    init(_ graph: ObjectGraph) { self.graph = graph }

    let isBehind = false
    let isAwaited = false

    func listen(to kind: ContextMessage.Kind) -> MessageBox<ContextMessage> {
        let box = MessageBox<ContextMessage>()
        listeners.append(Listener(kind: kind, box: box))
        followAsLongAsNeeded()
        return box
    }

    /// The boxes of those who want to hear of something.
    private func boxes(_ kind: ContextMessage.Kind) -> [MessageBox<ContextMessage>] {
        listeners.filter { $0.kind == kind }.compactMap(\.box)
    }

    private func followAsLongAsNeeded() {
        listeners.removeAll { $0.box == nil }
        let wantsChanges = listeners.contains { $0.kind == .objectsDidChange }
        if wantsChanges == isFollowing { return }
        isFollowing = wantsChanges
        if wantsChanges { graph?.follow(self) } else { graph?.unfollow(self) }
    }

    // MARK: Saves

    /// What a save is about; nil where nobody wants to know.
    func effects(of work: SaveWork) -> NetEffects? {
        followAsLongAsNeeded()
        guard listeners.contains(where: { $0.kind != .objectsDidChange }) else { return nil }
        var effects = NetEffects()
        for (kinds, what) in [
            (work.inserted, HistoryChange.Kind.insert), (work.updated, .update), (work.deleted, .delete),
        ] {
            for object in kinds.lazy.flatMap(\.objects) { effects.note(what, object.objectID) }
        }
        return effects
    }

    /// Tells of a save.
    func tell(_ kind: ContextMessage.Kind, _ effects: NetEffects?) {
        guard let effects else { return }
        if kind == .didSave, heldBack != nil {
            heldBack?.append(effects)
            return
        }
        let message = ContextMessage(kind, contextName: graph?.context?.name, effects)
        for box in boxes(kind) { box.post(message) }
    }

    /// Keeps what has been saved to itself: it may be taken back.
    func holdBack() { heldBack = [] }

    /// Tells what was held back, or forgets it where it was taken back.
    func letGo(hasLasted: Bool) {
        let effects = heldBack ?? []
        heldBack = nil
        if hasLasted { for effects in effects { tell(.didSave, effects) } }
    }

    // MARK: Changes

    func follow(_ notices: GraphNotices) {
        defer { followAsLongAsNeeded() }
        let boxes = boxes(.objectsDidChange)
        guard let graph, !boxes.isEmpty else { return }
        let known = notices.effects(in: graph)
        if let known, known.isEmpty { return }
        let message = ContextMessage(.objectsDidChange, contextName: graph.context?.name, known)
        for box in boxes { box.post(message) }
    }

    func graphDidClose() { close() }

    /// Says that nothing will be told any more.
    func close() {
        for listener in listeners { listener.box?.close() }
        listeners = []
    }
}
