import ContextCore

/// A to-many relationship of one object, of which commands show a part.
struct MemberList {
    let owner: Int64
    let entity: EntityLayout
    let property: PropertyLayout
    private let relationship: RelationshipLayout
    private let storeID: String

    /// Creates the list of a relationship; nil if the property isn't a to-many relationship.
    init?(
        _ property: PropertyLayout, of owner: Int64, _ entity: EntityLayout, _ session: any ReadSession
    ) {
        guard let relationship = property.relationship, relationship.description.isToMany else { return nil }
        self.owner = owner
        self.entity = entity
        self.property = property
        self.relationship = relationship
        storeID = session.token.storeID.uuidString
    }

    var destinationIndex: Int { relationship.destinationIndex }
    var isOrdered: Bool { relationship.description.isOrdered }

    /// What a request must have in common with this one to continue it.
    var identity: RequestIdentity {
        RequestIdentity(
            [storeID, "related", "\(entity.name):\(owner)", property.name], parts: "object and relationship")
    }

    /// Whether a position can be one of this list.
    func fits(_ position: KeysetPosition) -> Bool {
        guard position.values.count == 1, case .int = position.values[0] else { return false }
        return true
    }

    /// The number of members, for a query of the owner.
    var countExpression: ResolvedExpression {
        let step = RelationshipStep(
            sourceIndex: entity.index, slot: property.slot, destinationIndex: destinationIndex, column: nil,
            isOptional: false)
        let count = ResolvedAggregate(
            function: .count, collection: ResolvedCollection(scope: 0, steps: [step]), filter: nil, value: nil
        )
        return ResolvedExpression(.aggregate(count), type: .integer, isNullable: false)
    }

    /// Counts the members of several relationships of one object, with one query.
    static func counts(_ lists: [MemberList], _ session: any ReadSession) throws -> [Int] {
        guard let first = lists.first else { return [] }
        let counts = AggregatePlan(
            entityIndex: first.entity.index,
            predicate: .isMember(.ownKey(first.entity.index), of: [.int(first.owner)]),
            columns: lists.map(\.countExpression))
        let row = try session.aggregate(counts).first ?? []
        return lists.indices.map { index in
            if index < row.count, case .int(let count) = row[index] { Int(count) } else { 0 }
        }
    }

    /// Reads a page of the members, in the order of the relationship, without reading the others.
    func page(_ bound: KeysetBound?, limit: Int, _ session: any ReadSession) throws -> MemberPage {
        let plan = MemberPlan(
            entityIndex: entity.index, slot: property.slot, owner: owner, bound: bound.map(Self.bound),
            // One more than the limit shows whether there are more.
            limit: max(limit, limit &+ 1))
        let found = try session.memberPage(plan)
        let nearest = found.prefix(limit)
        let links = bound?.isReversed == true ? nearest.reversed() : Array(nearest)
        let positions = [links.first, links.last].compactMap { link in
            link.map { KeysetPosition(values: [.int($0.position)], key: $0.target) }
        }
        return MemberPage(
            keys: links.map(\.target),
            ends: PageEnds(
                bound: bound, first: positions.first, last: positions.last, hasMore: found.count > limit))
    }

    private static func bound(_ bound: KeysetBound) -> MemberPlan.Bound {
        let place: Int64 = if case .int(let place)? = bound.position.values.first { place } else { 0 }
        let key = bound.position.key
        return bound.isReversed ? .before(position: place, key: key) : .after(position: place, key: key)
    }
}

/// Some members of a to-many relationship, in its order.
struct MemberPage {
    let keys: [Int64]
    let ends: PageEnds
}
