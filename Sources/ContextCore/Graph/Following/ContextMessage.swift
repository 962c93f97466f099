/// A message about a context's work, with identifiers: that it is about to save, has saved, or that objects have changed.
///
/// A message contains no objects and can be sent to any thread.
public struct ContextMessage: Sendable, Hashable {
    /// The event that a message reports.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The context is about to save: all objects are valid, and new objects have their permanent identifiers.
        ///
        /// If the save fails, no message follows, and new objects lose these identifiers.
        case willSave
        /// The context has saved to its parent, or with ``ObjectContext/saveToStore()``, all contexts up to the store have saved.
        ///
        /// In a block of ``Store/write(_:lane:isolation:retries:overflow:fileID:line:_:)``, the save is committed only
        /// when the write returns; ``Store/changes`` reports commits.
        case didSave
        /// Objects have changed: by unsaved changes of the context, or by changes of the store that the context has merged.
        case objectsDidChange
    }

    /// The reported event.
    public let kind: Kind
    /// The context's name.
    public let contextName: String?
    /// The inserted objects.
    public let inserted: [ObjectID]
    /// The objects whose properties or relationships have changed.
    public let updated: [ObjectID]
    /// The objects that were deleted or marked as deleted.
    public let deleted: [ObjectID]
    /// Whether all objects are listed.
    ///
    /// If false, the lists are empty: either the changed objects are unknown, as after
    /// ``ObjectContext/refreshAll(mergeChanges:)``, or there are too many of them to buffer for a slow consumer.
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
        guard isComplete, next.isComplete else { return next.withoutObjectList }
        var effects = NetEffects()
        for message in [self, next] {
            effects.record(inserted: message.inserted, updated: message.updated, deleted: message.deleted)
        }
        return ContextMessage(kind, contextName: next.contextName, effects)
    }

    var withoutObjectList: ContextMessage { ContextMessage(kind, contextName: contextName, nil) }
}
