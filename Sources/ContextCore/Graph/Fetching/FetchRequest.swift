/// A description of which objects to fetch, in which order, and what to prefetch with them.
///
/// ```swift
/// var request = FetchRequest<Player>(where: \.score > 10, order: [.descending(\.score)])
/// request.limit = 20
/// let players = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The entity's name, for objects that have no class of their own; nil for the entity of `Object`.
    public var entityName: String?
    /// The condition that the objects satisfy; nil for all objects.
    public var predicate: FetchPredicate?
    /// The sort keys; ties are broken by identifier, so the order is total.
    public var order: [SortKey]
    /// The maximum number of objects; a negative number counts as 0.
    public var limit: Int?
    /// The number of objects to skip; a negative number counts as 0.
    public var offset: Int
    /// The number of objects in a page of ``ObjectContext/fetchPages(_:fileID:line:)``; nil for 100.
    ///
    /// Other fetches ignore it and fetch all objects at once.
    public var batchSize: Int?
    /// The relationships to fetch together with the objects, each a path of names such as `players` or `game.owner`.
    public var prefetching: [PropertyPath]
    /// Whether to include objects of subentities.
    public var includesSubentities: Bool
    /// Whether to take unsaved changes of the context into account.
    public var includesPendingChanges: Bool
    /// Whether to update registered objects to the stored values, while keeping their pending changes.
    ///
    /// Otherwise an object keeps the values of its first fetch until it is refreshed or becomes a fault.
    public var refreshesObjects: Bool
    /// The row lock to acquire until the write ends; nil for none.
    ///
    /// Only the context of a ``Store/write(_:lane:isolation:retries:overflow:fileID:line:_:)`` block can lock rows. If
    /// another transaction has changed the rows to lock since the block began, the block runs again. Prefetched objects
    /// are not locked.
    public var lock: RowLock?
    /// What to do about objects that another transaction has locked.
    public var lockWait: LockWait

    /// Creates a request.
    public init(
        entityName: String? = nil, where predicate: FetchPredicate? = nil, order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0, batchSize: Int? = nil, prefetching: [PropertyPath] = [],
        includesSubentities: Bool = true,
        includesPendingChanges: Bool = true, refreshesObjects: Bool = false, lock: RowLock? = nil,
        lockWait: LockWait = .untilTimeout
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
