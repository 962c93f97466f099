/// The members of an object's to-many relationship, which can be counted, fetched in pages and changed without loading all of them.
///
/// ```swift
/// let players = game.members(\.players)
/// print(try players.count)                    // counts in the store and fetches no player
/// try players.insert(ann)
/// let best = try players.page(limit: 20, order: .descending(\.score))
/// ```
///
/// Reading `game.players` fetches all players. This handle reads only what a method needs. Results take pending changes of the context into
/// account, also for inserted owners, and keep the order of an ordered relationship. Once the relationship is loaded, results come from
/// memory.
///
/// Two cases cost more. A page in the relationship's own order reads the identifiers of all members, and the rows of the page. A
/// predicate or an order that reaches objects with pending changes through other relationships loads the members.
public struct Members<Member: ManagedObject> {
    /// The owner of the relationship.
    public let owner: ManagedObject
    let slot: Int

    init(_ owner: ManagedObject, slot: Int) {
        self.owner = owner
        self.slot = slot
    }

    /// Whether all members are loaded.
    public var isLoaded: Bool { query.loadedMembers != nil }

    private var query: MembersQuery { MembersQuery(owner, slot: slot) }

    // MARK: Reading

    /// The number of members.
    public var count: Int { get throws { try count(matching: nil) } }

    /// Whether there are no members.
    public var isEmpty: Bool { get throws { try count == 0 } }

    /// Counts the members that match a predicate.
    public func count(where predicate: TypedPredicate<Member>) throws -> Int {
        try count(matching: predicate.predicate)
    }

    /// Counts the members that match a predicate; nil counts all.
    public func count(matching predicate: FetchPredicate?) throws -> Int {
        try query.count(try plan(predicate, order: []))
    }

    /// Whether an object is a member.
    public func contains(_ member: Member) throws -> Bool { try query.contains(member) }

    /// Fetches the members that match a predicate; the default order is that of an ordered relationship, or else by identifier.
    public func fetch(
        where predicate: TypedPredicate<Member>? = nil, order: TypedSortKey<Member>..., limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Member] {
        try fetch(matching: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset)
    }

    /// Fetches a page of members.
    public func page(offset: Int = 0, limit: Int, order: TypedSortKey<Member>...) throws -> [Member] {
        try fetch(matching: nil, order: order.map(\.key), limit: limit, offset: offset)
    }

    /// Fetches the members that match an untyped predicate.
    public func fetch(
        matching predicate: FetchPredicate?, order: [SortKey] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Member] {
        var plan = try plan(predicate, order: order)
        (plan.limit, plan.offset) = (limit, offset)
        return try query.objects(plan).map { owner.graph.typed($0, as: Member.self) }
    }

    private func plan(_ predicate: FetchPredicate?, order: [SortKey]) throws -> FetchPlan {
        let checker = owner.graph.checker(of: query.destination)
        return FetchPlan(
            entityIndex: query.destination.index, predicate: try predicate.map(checker.predicate),
            order: try order.map(checker.sortKey))
    }

    // MARK: Changing members

    /// Adds a member, at the end of an ordered relationship; an existing member keeps its position.
    ///
    /// The inverse is updated, as when the relationship is set.
    public func insert(_ member: Member) throws {
        if member.state != .detached, try query.contains(member) { return }
        InverseMaintenance(graph: owner.graph).add(member, to: owner, slot)
        try owner.graph.throwDeferredError()
    }

    /// Removes a member; does nothing if the object is not a member.
    public func remove(_ member: Member) throws {
        guard try query.contains(member) else { return }
        InverseMaintenance(graph: owner.graph).remove(member, from: owner, slot)
        try owner.graph.throwDeferredError()
    }
}

extension SnapshotConvertible {
    /// Returns the members of a to-many relationship, to count, page and change them without loading all of them.
    public func members<Member: ManagedObject>(_ relationship: KeyPath<Self, Set<Member>>) -> Members<Member>
    {
        Members(self, slot: slot(of: relationship))
    }

    /// Returns the members of an ordered to-many relationship, to count, page and change them without loading all of them.
    public func members<Member: ManagedObject>(_ relationship: KeyPath<Self, [Member]>) -> Members<Member> {
        Members(self, slot: slot(of: relationship))
    }

    /// Returns the slot of the property that a key path names; the property must be the object's own.
    func slot(of path: PartialKeyPath<Self>) -> Int {
        let names = PropertyPathCache.path(of: path).names
        guard names.count == 1, let property = names.first.flatMap(entity.property(named:)) else {
            programmingError(
                "The key path \(path) doesn't name a property of \(entity.name) itself. Call the method on the object that has the property."
            )
        }
        return property.slot
    }
}

extension ManagedObject {
    /// Returns the members of the named to-many relationship, to count, page and change them without loading all of them.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` if the entity has no such to-many relationship.
    public final func members(named name: String) throws -> Members<ManagedObject> {
        Members(self, slot: try relationship(named: name, isToMany: true).slot)
    }
}
