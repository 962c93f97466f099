/// What a committed save changed, by identifier.
///
/// It crosses to every thread, and it holds no objects: whoever wants them takes them from a context of his own.
public struct StoreChange: Sendable {
    /// The moment right after the save; ``Store/history(after:since:of:by:limit:)`` goes on after it.
    ///
    /// In a store with many writers it is an earlier moment where a transaction that began its commit before has not ended yet, so that
    /// nobody who goes on from here misses that one.
    public let token: StoreToken
    /// The number of the last transaction that is meant.
    let last: Int64
    /// The context, or the operation, that saved; nil where several did.
    public let contextName: String?
    /// Who saved; nil where several did.
    public let author: String?
    /// The objects that are new.
    public let inserted: [ObjectID]
    /// The objects whose properties or relationships have changed.
    public let updated: [ObjectID]
    /// The objects that are gone.
    public let deleted: [ObjectID]
    /// Whether all objects are listed.
    ///
    /// False, and the lists empty, where more has changed than could be kept for a consumer that lagged behind: then any object may
    /// have changed up to ``token``.
    public let isComplete: Bool

    init(
        token: StoreToken, through last: Int64? = nil, contextName: String?, author: String?,
        effects: NetEffects, isComplete: Bool = true
    ) {
        self.token = token
        self.last = last ?? token.sequence
        self.contextName = contextName
        self.author = author
        self.isComplete = isComplete
        inserted = effects.objects(.insert)
        updated = effects.objects(.update)
        deleted = effects.objects(.delete)
    }
}

extension StoreChange: QueuedMessage {
    var count: Int { inserted.count + updated.count + deleted.count }

    func followed(by next: StoreChange) -> StoreChange {
        let isComplete = isComplete && next.isComplete
        var effects = NetEffects()
        for change in isComplete ? [self, next] : [] {
            effects.note(inserted: change.inserted, updated: change.updated, deleted: change.deleted)
        }
        return StoreChange(
            token: next.token, through: max(last, next.last),
            contextName: contextName == next.contextName ? contextName : nil,
            author: author == next.author ? author : nil, effects: effects,
            isComplete: isComplete)
    }

    var abridged: StoreChange {
        StoreChange(
            token: token, through: last, contextName: contextName, author: author, effects: NetEffects(),
            isComplete: false)
    }
}
