/// Publishes a context's messages to its subscribers.
///
/// It follows the graph only while there is a subscriber to changes of objects.
final class ContextMessenger: GraphFollower {
    private struct Listener {
        let kind: ContextMessage.Kind
        weak var box: MessageBox<ContextMessage>?
    }

    private weak var graph: ObjectGraph?
    private var listeners: [Listener] = []
    private var isFollowing = false
    /// The effects of saves that may still be reverted; nil if saves are final.
    private var withheldSaves: [NetEffects]?

    init(_ graph: ObjectGraph) { self.graph = graph }

    let isBehind = false
    let isAwaited = false

    func listen(to kind: ContextMessage.Kind) -> MessageBox<ContextMessage> {
        let box = MessageBox<ContextMessage>()
        listeners.append(Listener(kind: kind, box: box))
        updateFollowing()
        return box
    }

    /// Returns the message boxes of the subscribers to an event.
    private func boxes(_ kind: ContextMessage.Kind) -> [MessageBox<ContextMessage>] {
        listeners.filter { $0.kind == kind }.compactMap(\.box)
    }

    private func updateFollowing() {
        listeners.removeAll { $0.box == nil }
        let wantsChanges = listeners.contains { $0.kind == .objectsDidChange }
        if wantsChanges == isFollowing { return }
        isFollowing = wantsChanges
        if wantsChanges { graph?.follow(self) } else { graph?.unfollow(self) }
    }

    // MARK: Saves

    /// Returns the effects of a save; nil if there are no subscribers.
    func effects(of work: SaveSelection) -> NetEffects? {
        updateFollowing()
        guard listeners.contains(where: { $0.kind != .objectsDidChange }) else { return nil }
        var effects = NetEffects()
        for (kinds, what) in [
            (work.inserted, HistoryChange.Kind.insert), (work.updated, .update), (work.deleted, .delete),
        ] {
            for object in kinds.lazy.flatMap(\.objects) { effects.record(what, object.objectID) }
        }
        return effects
    }

    /// Publishes a message about a save.
    func publish(_ kind: ContextMessage.Kind, _ effects: NetEffects?) {
        guard let effects else { return }
        if kind == .didSave, withheldSaves != nil {
            withheldSaves?.append(effects)
            return
        }
        let message = ContextMessage(kind, contextName: graph?.context?.name, effects)
        for box in boxes(kind) { box.post(message) }
    }

    /// Starts to withhold messages about saves, which may be reverted.
    func withholdSaves() { withheldSaves = [] }

    /// Publishes the messages about these saves, or discards them if the saves were reverted.
    func releaseSaves(areFinal: Bool) {
        let effects = withheldSaves ?? []
        withheldSaves = nil
        if areFinal { for effects in effects { publish(.didSave, effects) } }
    }

    // MARK: Changes

    func follow(_ notices: GraphChanges) {
        defer { updateFollowing() }
        let boxes = boxes(.objectsDidChange)
        guard let graph, !boxes.isEmpty else { return }
        let known = notices.effects(in: graph)
        if let known, known.isEmpty { return }
        let message = ContextMessage(.objectsDidChange, contextName: graph.context?.name, known)
        for box in boxes { box.post(message) }
    }

    func graphDidClose() { close() }

    /// Ends the sequences of all subscribers.
    func close() {
        for listener in listeners { listener.box?.close() }
        listeners = []
    }
}
