/// The objects that a to-many relationship of one object leads to, however many they are, without loading them.
///
/// ```swift
/// let players = game.members(\.players)
/// print(try players.count)                    // asked of the store: no player is fetched
/// try players.insert(ann)
/// let best = try players.page(limit: 20, order: .descending(\.score))
/// ```
///
/// Reading `game.players` fetches everybody who is in it. This handle asks for no more than is needed: a count is a count, and a
/// page is a page. Its answers are right at any time: what is pending in the context counts, inserted owners have members too, and
/// an ordered relationship keeps its order. Once the relationship is loaded, the answers come from memory.
///
/// Two questions cost more. A page in the relationship's own order reads the identifiers of all members, and the rows of the page. A
/// condition or an order that goes through other relationships to objects with pending changes loads the members.
public struct Members<Member: ManagedObject> {
    /// The object that has the relationship.
    public let owner: ManagedObject
    let slot: Int

    init(_ owner: ManagedObject, slot: Int) {
        self.owner = owner
        self.slot = slot
    }

    /// Whether all members are in memory.
    public var isLoaded: Bool { query.known != nil }

    private var query: MembersQuery { MembersQuery(owner, slot: slot) }

    // MARK: Asking

    /// How many there are.
    public var count: Int { get throws { try count(matching: nil) } }

    /// Whether there are none.
    public var isEmpty: Bool { get throws { try count == 0 } }

    /// Counts those for which a predicate is true.
    public func count(where predicate: TypedPredicate<Member>) throws -> Int {
        try count(matching: predicate.predicate)
    }

    /// Counts those for which a predicate is true; nil stands for all.
    public func count(matching predicate: FetchPredicate?) throws -> Int {
        try query.count(try plan(predicate, order: []))
    }

    /// Whether an object is one of them.
    public func contains(_ member: Member) throws -> Bool { try query.contains(member) }

    /// Fetches those for which a predicate is true; without an order, in the relationship's own or else by identifier.
    public func fetch(
        where predicate: TypedPredicate<Member>? = nil, order: TypedSortKey<Member>..., limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Member] {
        try fetch(matching: predicate?.predicate, order: order.map(\.key), limit: limit, offset: offset)
    }

    /// Fetches some of them: so many, after so many others.
    public func page(offset: Int = 0, limit: Int, order: TypedSortKey<Member>...) throws -> [Member] {
        try fetch(matching: nil, order: order.map(\.key), limit: limit, offset: offset)
    }

    /// Fetches those for which a predicate is true, asked for as data.
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

    // MARK: Changing

    /// Lets an object in, at the end of an ordered relationship; whoever is in already stays where it is.
    ///
    /// The relationship that leads back follows, as it does when the relationship is set.
    public func insert(_ member: Member) throws {
        if member.state != .detached, try query.contains(member) { return }
        InverseMaintenance(graph: owner.graph).add(member, to: owner, slot)
        try owner.graph.throwDeferredError()
    }

    /// Takes an object out, if it is in.
    public func remove(_ member: Member) throws {
        guard try query.contains(member) else { return }
        InverseMaintenance(graph: owner.graph).remove(member, from: owner, slot)
        try owner.graph.throwDeferredError()
    }
}

extension SnapshotTaking {
    /// What a to-many relationship leads to, to be counted, paged and changed without loading it.
    public func members<Member: ManagedObject>(_ relationship: KeyPath<Self, Set<Member>>) -> Members<Member>
    {
        Members(self, slot: slot(of: relationship))
    }

    /// What an ordered to-many relationship leads to, to be counted, paged and changed without loading it.
    public func members<Member: ManagedObject>(_ relationship: KeyPath<Self, [Member]>) -> Members<Member> {
        Members(self, slot: slot(of: relationship))
    }

    /// The slot of the object's own property that a key path names.
    func slot(of path: PartialKeyPath<Self>) -> Int {
        let names = PropertyPathCache.path(of: path).names
        guard names.count == 1, let property = names.first.flatMap(entity.property(named:)) else {
            programmingError(
                "The key path \(path) leads beyond \(entity.name): take it from the object at its end.")
        }
        return property.slot
    }
}

extension ManagedObject {
    /// What a to-many relationship leads to, by name, to be counted, paged and changed without loading it.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty`` when the entity has no such to-many relationship.
    public final func members(named name: String) throws -> Members<ManagedObject> {
        Members(self, slot: try relationship(named: name, isToMany: true).slot)
    }
}
