/// Says which objects are wanted, in which order, and what to fetch along with them.
///
/// ```swift
/// var request = FetchRequest<Player>(where: \.score > 10, order: [.descending(\.score)])
/// request.limit = 20
/// let players = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The entity's name, for objects that have no class of their own; nil for the entity of `Object`.
    public var entityName: String?
    /// What the objects must fulfil; nil for all.
    public var predicate: FetchPredicate?
    /// The order.
    ///
    /// Ties are broken by identifier, so that it is total.
    public var order: [SortKey]
    /// How many objects at the most; a negative number counts as 0.
    public var limit: Int?
    /// How many objects to pass over first; a negative number counts as 0.
    public var offset: Int
    /// How many objects ``ObjectContext/fetchPages(_:fileID:line:)`` fetches at a time; nil for 100.
    ///
    /// A plain fetch fetches all of them at once.
    public var batchSize: Int?
    /// Relationships to fetch along, each a path of names such as `players` or `game.owner`.
    public var prefetching: [PropertyPath]
    /// Whether objects of subentities are wanted too.
    public var includesSubentities: Bool
    /// Whether what the context has changed and not saved counts.
    public var includesPendingChanges: Bool
    /// Whether objects that the context has already get the values that the store has now, under what is pending in them.
    ///
    /// Otherwise an object shows what it was when it was first fetched, until it is refreshed or touched as a fault.
    public var refreshesObjects: Bool
    /// How the objects are to be kept from everybody else until the write has ended; nil for not at all.
    ///
    /// Rows can be locked only in the block of a ``Store/write(_:lane:isolation:retries:whenFull:fileID:line:_:)``, by its own context. Where
    /// others have changed since the block began what is to be locked, the block runs again. Objects that are fetched along are not locked.
    public var lock: RowLock?
    /// What is done about objects that somebody else has locked.
    public var lockWait: LockWait

    /// Makes a request.
    public init(
        entityName: String? = nil, where predicate: FetchPredicate? = nil, order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0, batchSize: Int? = nil, prefetching: [PropertyPath] = [],
        includesSubentities: Bool = true,
        includesPendingChanges: Bool = true, refreshesObjects: Bool = false, lock: RowLock? = nil,
        lockWait: LockWait = .patiently
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
        self.batchSize = batchSize
        self.prefetching = prefetching
        self.includesSubentities = includesSubentities
        self.includesPendingChanges = includesPendingChanges
        self.refreshesObjects = refreshesObjects
        self.lock = lock
        self.lockWait = lockWait
    }
}
