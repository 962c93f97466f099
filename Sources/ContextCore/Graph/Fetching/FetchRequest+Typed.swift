extension FetchRequest {
    /// Makes a request of a class's objects with key paths.
    public init(
        where predicate: TypedPredicate<Object>?, order: [TypedSortKey<Object>] = [], limit: Int? = nil,
        offset: Int = 0,
        prefetching: [PartialKeyPath<Object>] = [], lock: RowLock? = nil, lockWait: LockWait = .patiently
    ) {
        self.init(
            where: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset,
            prefetching: prefetching.map(PropertyPathCache.path), lock: lock, lockWait: lockWait)
    }

    /// Makes a request of all of a class's objects, in an order that is written with key paths.
    public init(
        order: [TypedSortKey<Object>], limit: Int? = nil, offset: Int = 0,
        prefetching: [PartialKeyPath<Object>] = []
    ) {
        self.init(where: nil, order: order, limit: limit, offset: offset, prefetching: prefetching)
    }
}

extension ObjectContext {
    /// Fetches objects of a class.
    ///
    /// ```swift
    /// let leaders = try context.fetch(Player.self, where: \.score > 10, order: .descending(\.score), limit: 20)
    /// ```
    ///
    /// With a lock, nobody else can change the objects until the write has ended:
    ///
    /// ```swift
    /// let job = try context.fetch(Job.self, where: \.state == .open, limit: 1, lock: .update, wait: .skipLocked).first
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: What the objects must fulfil; nil for all.
    ///   - order: The order; ties are broken by identifier.
    ///   - limit: How many objects at the most.
    ///   - offset: How many objects to pass over first.
    ///   - prefetching: Relationships to fetch along.
    ///   - lock: How the objects are to be kept from everybody else, in the block of a write; see ``FetchRequest/lock``.
    ///   - wait: What is done about objects that somebody else has locked.
    ///   - fileID: Where the fetch is called.
    ///   - line: Where the fetch is called.
    /// - Returns: The objects.
    /// - Throws: what ``fetch(_:fileID:line:)`` throws.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        limit: Int? = nil, offset: Int = 0, prefetching: [PartialKeyPath<Object>] = [],
        lock: RowLock? = nil, wait: LockWait = .patiently, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> [Object] {
        try fetch(
            FetchRequest(
                where: predicate, order: order, limit: limit, offset: offset, prefetching: prefetching,
                lock: lock, lockWait: wait),
            fileID: fileID, line: line)
    }

    /// Fetches the first object of a class in an order; nil when there is none.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Object? {
        try fetch(FetchRequest(where: predicate, order: order, limit: 1), fileID: fileID, line: line).first
    }

    /// Fetches the identifiers of objects of a class, and no values.
    public func fetchIDs<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [ObjectID] {
        try fetchIDs(FetchRequest(where: predicate, order: order, limit: limit, offset: offset))
    }

    /// Counts objects of a class.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Int {
        try count(FetchRequest(where: predicate))
    }
}
