extension FetchRequest {
    /// Creates a request for a class's objects with key paths.
    public init(
        where predicate: TypedPredicate<Object>?, order: [TypedSortKey<Object>] = [], limit: Int? = nil,
        offset: Int = 0,
        prefetching: [PartialKeyPath<Object>] = [], lock: RowLock? = nil, lockWait: LockWait = .untilTimeout
    ) {
        self.init(
            where: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset,
            prefetching: prefetching.map(PropertyPathCache.path), lock: lock, lockWait: lockWait)
    }

    /// Creates a request with an untyped predicate, such as one that was parsed, in an order that is written with key paths.
    @_disfavoredOverload
    public init(
        where predicate: FetchPredicate, order: [TypedSortKey<Object>], limit: Int? = nil, offset: Int = 0,
        prefetching: [PartialKeyPath<Object>] = [], lock: RowLock? = nil, lockWait: LockWait = .untilTimeout
    ) {
        self.init(
            where: TypedPredicate(predicate), order: order, limit: limit, offset: offset,
            prefetching: prefetching, lock: lock, lockWait: lockWait)
    }

    /// Creates a request with key paths that prefetches relationships by name, which may lead through to-many ones.
    ///
    /// ```swift
    /// let games = FetchRequest<Game>(order: [.ascending(\.title)], prefetching: ["players.game"])
    /// ```
    @_disfavoredOverload
    public init(
        where predicate: TypedPredicate<Object>? = nil, order: [TypedSortKey<Object>] = [],
        limit: Int? = nil, offset: Int = 0, prefetching: [PropertyPath], lock: RowLock? = nil,
        lockWait: LockWait = .untilTimeout
    ) {
        self.init(
            where: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset,
            prefetching: prefetching, lock: lock, lockWait: lockWait)
    }

    /// Creates a request for all of a class's objects, in an order that is written with key paths.
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
    /// With a lock, no other transaction can change the objects until the write ends:
    ///
    /// ```swift
    /// let job = try context.fetch(Job.self, where: \.state == .open, limit: 1, lock: .update, wait: .skipLocked).first
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: The condition that the objects satisfy; nil for all objects.
    ///   - order: The order; ties are broken by identifier.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - prefetching: The relationships to fetch together with the objects.
    ///   - lock: The row lock to acquire, in the block of a write; see ``FetchRequest/lock``.
    ///   - wait: What to do about objects that another transaction has locked.
    ///   - fileID: The file of the call, for warnings and errors of faults.
    ///   - line: The line of the call, for warnings and errors of faults.
    /// - Returns: The objects.
    /// - Throws: The errors of ``fetch(_:fileID:line:)``.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        limit: Int? = nil, offset: Int = 0, prefetching: [PartialKeyPath<Object>] = [],
        lock: RowLock? = nil, wait: LockWait = .untilTimeout, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> [Object] {
        try fetch(
            FetchRequest(
                where: predicate, order: order, limit: limit, offset: offset, prefetching: prefetching,
                lock: lock, lockWait: wait),
            fileID: fileID, line: line)
    }

    /// Fetches the first object of a class that matches a predicate, in an order; nil if there is none.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Object? {
        try fetch(FetchRequest(where: predicate, order: order, limit: 1), fileID: fileID, line: line).first
    }

    /// Fetches only the identifiers of the objects of a class that match a predicate.
    public func fetchIDs<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [ObjectID] {
        try fetchIDs(FetchRequest(where: predicate, order: order, limit: limit, offset: offset))
    }

    /// Counts the objects of a class that match a predicate.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Int {
        try count(FetchRequest(where: predicate))
    }
}
