extension FetchRequest {
    /// Makes a request of a class's objects with key paths.
    public init(
        where predicate: TypedPredicate<Object>?, order: [TypedSortKey<Object>] = [], limit: Int? = nil,
        offset: Int = 0,
        prefetching: [PartialKeyPath<Object>] = []
    ) {
        self.init(
            where: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset,
            prefetching: prefetching.map(PropertyPathCache.path))
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
    /// - Throws: what ``fetch(_:fileID:line:)`` throws.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        limit: Int? = nil, offset: Int = 0, prefetching: [PartialKeyPath<Object>] = [],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> [Object] {
        try fetch(
            FetchRequest(
                where: predicate, order: order, limit: limit, offset: offset, prefetching: prefetching),
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
