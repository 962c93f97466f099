/// A request for values instead of objects: properties, or aggregates over all objects or over groups.
///
/// ```swift
/// var request = ValueRequest("Player", [.property("game.title"), .count(), .maximum(of: "score", as: "best")])
/// request.groupBy = ["game.title"]
/// request.having = try FetchPredicate("@count > 1")
/// for row in try context.values(request) { print(row["game.title"], row["best"]) }
/// ```
///
/// It is data that tools can create; programs can use ``ObjectContext/groups(of:by:_:where:having:order:)`` and similar methods, which the
/// compiler checks. All of them take pending changes of the context into account.
public struct ValueRequest: Hashable, Sendable {
    /// The entity of the objects.
    public var entityName: String
    /// The columns of the result.
    public var columns: [ValueColumn]
    /// The condition that the objects satisfy; nil for all objects.
    public var predicate: FetchPredicate?
    /// The properties by which to group; empty for no groups.
    public var groupBy: [PropertyPath]
    /// The condition that the groups satisfy, which may use aggregates: `@count > 1`.
    public var having: FetchPredicate?
    /// The order of the result; groups may be sorted by aggregates.
    public var order: [SortKey]
    /// Whether to remove duplicate rows.
    public var isDistinct: Bool
    /// The maximum number of rows.
    public var limit: Int?
    /// The number of rows to skip.
    public var offset: Int
    /// Whether to include objects of subentities.
    public var includesSubentities: Bool
    /// Whether to take unsaved changes of the context into account.
    public var includesPendingChanges: Bool

    /// Creates a request.
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

/// A column of a ``ValueRequest``: an expression with its name in the result.
public struct ValueColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The expression to evaluate.
    public var expression: FetchExpression
    /// The name in the result.
    public var name: String

    /// Creates a column with the value of an expression.
    public init(_ expression: FetchExpression, as name: String) {
        self.expression = expression
        self.name = name
    }

    /// Creates a column with the value of a property, named by its path.
    public init(stringLiteral path: String) { self = .property(PropertyPath(path)) }

    /// A column with the value of a property; its default name is the path.
    public static func property(_ path: PropertyPath, as name: String? = nil) -> ValueColumn {
        ValueColumn(.path(path), as: name ?? path.names.joined(separator: "."))
    }

    /// A column with an aggregate over all rows or over those of each group.
    public static func aggregate(_ aggregate: AggregateExpression) -> ValueColumn {
        ValueColumn(aggregate.expression, as: aggregate.name)
    }

    /// The number of objects, or of those whose property is not nil.
    public static func count(of path: PropertyPath = .itself, as name: String? = nil) -> ValueColumn {
        aggregate(.count(of: path, as: name))
    }

    /// The sum of a property.
    public static func sum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.sum(of: path, as: name))
    }

    /// The average of a property.
    public static func average(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.average(of: path, as: name))
    }

    /// The minimum of a property.
    public static func minimum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.minimum(of: path, as: name))
    }

    /// The maximum of a property.
    public static func maximum(of path: PropertyPath, as name: String? = nil) -> ValueColumn {
        aggregate(.maximum(of: path, as: name))
    }
}

/// A row of the result of a ``ValueRequest``: values by name.
public struct ValueRow: Sendable, Hashable {
    /// The names of the columns.
    public let names: [String]
    /// The values of the columns.
    public let values: [StoredValue]

    /// The value of the named column; null if the value is null or there is no such column.
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
    ///   anything is read, or an error of the store.
    public func values(_ request: ValueRequest) throws -> [ValueRow] {
        let resultRows = try resultRows(request, graph.layout(named: request.entityName))
        let names = request.columns.map(\.name)
        return resultRows.map { ValueRow(names: names, values: $0) }
    }

    /// Returns the rows of the result of a request.
    func resultRows(_ request: ValueRequest, _ entity: EntityLayout) throws -> [[StoredValue]] {
        try graph.prepareToRead()
        let plan = try request.plan(entity, in: graph)
        return try request.includesPendingChanges ? graph.resultRows(plan) : graph.parent.aggregate(plan)
    }
}

extension ObjectGraph {
    /// Returns the rows of the result of a plan, including pending changes.
    func resultRows(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        changes.hasChanges ? try PendingFetch(graph: self).aggregate(plan) : try parent.aggregate(plan)
    }
}

extension ValueRequest {
    /// Checks the request and translates it to a plan.
    func plan(_ entity: EntityLayout, in graph: ObjectGraph) throws -> AggregatePlan {
        let rows = graph.checker(of: entity)
        let groups = try groupBy.map { try rows.expression(.path($0)) }
        let isGrouped =
            try groups.count > 0 || having != nil || columns.contains { try $0.containsRowAggregate(rows) }
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
    /// Whether the column is an aggregate over all rows or over those of a group.
    fileprivate func containsRowAggregate(_ rows: RequestChecker) throws -> Bool {
        guard case .aggregate(let aggregate) = expression, aggregate.filter == nil else { return false }
        return try aggregate.collection.isItself
            || rows.resolvePath(aggregate.collection).collectionLength == nil
    }
}
