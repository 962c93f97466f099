/// The objects that a committed save changed, by identifier.
///
/// It is `Sendable` and contains no objects; get them from a context with `object(with:as:)`.
public struct StoreChange: Sendable {
    /// The position in the history after the save, for ``Store/history(after:since:of:by:limit:)``.
    ///
    /// In a store with concurrent writers it is an earlier position if a transaction with a lower number is still committing, so that a
    /// consumer that continues from the token doesn't miss that transaction.
    public let token: StoreToken
    /// The number of the last transaction that the change includes.
    let last: Int64
    /// The name of the context or operation that saved; nil if the change merges saves of several.
    public let contextName: String?
    /// The author of the save; nil if there is none, or the change merges saves of several.
    public let author: String?
    /// The inserted objects.
    public let inserted: [ObjectID]
    /// The objects whose attributes or relationships changed.
    public let updated: [ObjectID]
    /// The deleted objects.
    public let deleted: [ObjectID]
    /// Whether all changed objects are listed.
    ///
    /// If false, the lists are empty and any object may have changed up to ``token``: too many changes were waiting for the consumer, or
    /// the history of other processes' commits was not available.
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

extension StoreChange {
    /// Whether a snapshot with a token contains the change.
    func isIncluded(in token: StoreToken) -> Bool { last <= token.sequence }
}

extension StoreChange: QueuedMessage {
    var count: Int { inserted.count + updated.count + deleted.count }

    func followed(by next: StoreChange) -> StoreChange {
        let isComplete = isComplete && next.isComplete
        var effects = NetEffects()
        for change in isComplete ? [self, next] : [] {
            effects.record(inserted: change.inserted, updated: change.updated, deleted: change.deleted)
        }
        return StoreChange(
            token: next.token, through: max(last, next.last),
            contextName: contextName == next.contextName ? contextName : nil,
            author: author == next.author ? author : nil, effects: effects,
            isComplete: isComplete)
    }

    var withoutObjectList: StoreChange {
        StoreChange(
            token: token, through: last, contextName: contextName, author: author, effects: NetEffects(),
            isComplete: false)
    }
}
