/// What a context tells of its work, by identifier: that it is about to save, that it has saved, that objects have changed.
///
/// It crosses to every thread, and it holds no objects.
public struct ContextMessage: Sendable, Hashable {
    /// What there is to tell of.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The context is about to save; everything is valid, and new objects have the identifiers that they will keep.
        ///
        /// Where the save fails nothing follows; new objects then lose these identifiers again.
        case willSave
        /// The context has saved to its parent; with ``ObjectContext/saveToStore()``, all contexts up to the store have.
        ///
        /// In a block of ``Store/write(_:lane:isolation:retries:whenFull:fileID:line:_:)`` that is in the store once the block's write has returned; for what is
        /// committed there is ``Store/changes``.
        case didSave
        /// Objects have changed: here, and not saved yet, or elsewhere, and the context has taken it in.
        case objectsDidChange
    }

    /// What it tells of.
    public let kind: Kind
    /// The context's name.
    public let contextName: String?
    /// The objects that are new.
    public let inserted: [ObjectID]
    /// The objects whose properties or relationships have changed.
    public let updated: [ObjectID]
    /// The objects that are gone, or will be.
    public let deleted: [ObjectID]
    /// Whether all objects are listed.
    ///
    /// False, and the lists empty, where it isn't known which objects have changed, as after
    /// ``ObjectContext/refreshAll(mergeChanges:)``, or where more have than could be kept for a consumer that lagged behind.
    public let isComplete: Bool

    init(_ kind: Kind, contextName: String?, _ effects: NetEffects?) {
        self.kind = kind
        self.contextName = contextName
        inserted = effects?.objects(.insert) ?? []
        updated = effects?.objects(.update) ?? []
        deleted = effects?.objects(.delete) ?? []
        isComplete = effects != nil
    }
}

extension ContextMessage: QueuedMessage {
    var count: Int { inserted.count + updated.count + deleted.count }

    func followed(by next: ContextMessage) -> ContextMessage {
        guard isComplete, next.isComplete else { return next.abridged }
        var effects = NetEffects()
        for message in [self, next] {
            effects.note(inserted: message.inserted, updated: message.updated, deleted: message.deleted)
        }
        return ContextMessage(kind, contextName: next.contextName, effects)
    }

    var abridged: ContextMessage { ContextMessage(kind, contextName: contextName, nil) }
}
