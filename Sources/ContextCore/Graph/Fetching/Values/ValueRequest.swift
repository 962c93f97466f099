/// Asks for values instead of objects: properties, aggregates over all objects or over groups of them.
///
/// ```swift
/// var request = ValueRequest("Player", [.property("game.title"), .count(), .maximum(of: "score", as: "best")])
/// request.groupBy = ["game.title"]
/// request.having = try FetchPredicate("@count > 1")
/// for row in try context.values(request) { print(row["game.title"], row["best"]) }
/// ```
///
/// It is data, so tools can make one; for programs there are ``ObjectContext/groups(of:by:_:where:having:order:)`` and the like, which the
/// compiler checks. What is pending in the context counts in all of them.
public struct ValueRequest: Hashable, Sendable {
    /// The entity whose objects are looked at.
    public var entityName: String
    /// What is asked for, a value each in every row of the answer.
    public var columns: [ValueColumn]
    /// Which objects count; nil for all.
    public var predicate: FetchPredicate?
    /// What the objects of a group have in common; empty where there are no groups.
    public var groupBy: [PropertyPath]
    /// Which groups count; it may speak of aggregates: `@count > 1`.
    public var having: FetchPredicate?
    /// The order of the answer; groups may be ordered by aggregates.
    public var order: [SortKey]
    /// Whether rows that are alike count once.
    public var isDistinct: Bool
    /// How many rows at the most.
    public var limit: Int?
    /// How many rows to pass over first.
    public var offset: Int
    /// Whether objects of subentities count too.
    public var includesSubentities: Bool
    /// Whether what the context has changed and not saved counts.
    public var includesPendingChanges: Bool

    /// Makes a request.
    public init(
        _ entityName: String, _ columns: [ValueColumn], where predicate: FetchPredicate? = nil,
        groupBy: [PropertyPath] = [], having: FetchPredicate? = nil, order: [SortKey] = [],
        isDistinct: Bool = false, limit: Int? = nil, offset: Int = 0, includesSubentities: Bool = true,
        includesPendingChanges: Bool = true
    ) {
        self.entityName = entityName
        self.columns = columns
        self.predicate = predicate
        self.groupBy = groupBy
        self.having = having
        self.order = order
        self.isDistinct = isDistinct
        self.limit = limit
        self.offset = offset
        self.includesSubentities = includesSubentities
        self.includesPendingChanges = includesPendingChanges
    }
}

/// One value that a ``ValueRequest`` asks for, and what it is called in the answer.
public struct ValueColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What is asked for.
    public var expression: FetchExpression
    /// The name in the answer.
    public var name: String

    /// Asks for what an expression comes to.
    public init(_ expression: FetchExpression, as name: String) {
        self.expression = expression
        self.name = name
    }

    /// Asks for a property, called by its path.
    public init(stringLiteral path: String) { self = .property(PropertyPath(path)) }

    /// Asks for a property; unless it is named, it is called by its path.
    public static func property(_ path: PropertyPath, as name: String? = nil) -> ValueColumn {
        ValueColumn(.path(path), as: name ?? path.names.joined(separator: "."))
    }

    /// Asks for an aggregate over all rows, or over those of each group.
    public static func aggregate(_ aggregate: AggregateExpression) -> ValueColumn {
        ValueColumn(aggregate.expression, as: aggregate.name)
    }

    /// Counts objects, or those that have a value of a property.
    public static func count(of path: PropertyPath = .itself, as name: String? = nil) -> ValueColumn {
        aggregate(.count(of: path, as: name))
    }

    /// Adds up a property.
    public static func sum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.sum(of: path, as: name))
    }

    /// Finds the mean of a property.
    public static func average(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.average(of: path, as: name))
    }

    /// Finds the least value of a property.
    public static func minimum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.minimum(of: path, as: name))
    }

    /// Finds the greatest value of a property.
    public static func maximum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.maximum(of: path, as: name))
    }
}

/// One row of the answer to a ``ValueRequest``: values by name.
public struct ValueRow: Sendable, Hashable {
    /// The names, in the order in which they were asked for.
    public let names: [String]
    /// The values, in the same order.
    public let values: [StoredValue]

    /// The value of a name; null where there is none, or nothing was asked for by that name.
    public subscript(name: String) -> StoredValue {
        names.firstIndex(of: name).map { values[$0] } ?? .null
    }

    /// The values by name.
    public var dictionary: [String: StoredValue] {
        Dictionary(zip(names, values)) { first, _ in first }
    }
}

extension ObjectContext {
    /// Fetches values instead of objects.
    ///
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/unsupportedRequest`` or ``StoreError/Code/unknownProperty`` before
    ///   the store is asked, or what the store says.
    public func values(_ request: ValueRequest) throws -> [ValueRow] {
        let lines = try lines(request, graph.layout(named: request.entityName))
        let names = request.columns.map(\.name)
        return lines.map { ValueRow(names: names, values: $0) }
    }

    /// The answer to a request, line by line.
    func lines(_ request: ValueRequest, _ entity: EntityLayout) throws -> [[StoredValue]] {
        try graph.begin()
        let plan = try request.plan(entity, in: graph)
        return try request.includesPendingChanges ? graph.lines(plan) : graph.parent.aggregate(plan)
    }
}

extension ObjectGraph {
    /// The answer to a plan, in which pending changes count.
    func lines(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        changes.hasChanges ? try PendingFetch(graph: self).aggregate(plan) : try parent.aggregate(plan)
    }
}

extension ValueRequest {
    /// The request in the store's terms.
    func plan(_ entity: EntityLayout, in graph: ObjectGraph) throws -> AggregatePlan {
        let rows = graph.checker(of: entity)
        let groups = try groupBy.map { try rows.expression(.path($0)) }
        let isGrouped = try groups.count > 0 || having != nil || columns.contains { try $0.isOverRows(rows) }
        let checker = isGrouped ? graph.checker(of: entity, groupedBy: groups) : rows
        return AggregatePlan(
            entityIndex: entity.index, includesSubentities: includesSubentities,
            predicate: try predicate.map(rows.predicate),
            columns: try columns.map { try checker.expression($0.expression) },
            groupBy: groups, having: try having.map(checker.predicate), order: try order.map(checker.sortKey),
            isDistinct: isDistinct, limit: limit, offset: offset)
    }
}

extension ValueColumn {
    /// Whether the column is about many rows at once, and not about one.
    fileprivate func isOverRows(_ rows: RequestChecker) throws -> Bool {
        guard case .aggregate(let aggregate) = expression, aggregate.filter == nil else { return false }
        return try aggregate.collection.isItself || rows.follow(aggregate.collection).collectionLength == nil
    }
}
