import ContextCore

/// The part of a request's results that a call of `query` shows.
struct QueryPaging {
    /// The maximum number of objects in a table if no limit is given.
    private static let defaultLimit = 100

    let bound: KeysetBound?
    /// The maximum number of rows; nil for all.
    let limit: Int?
    /// Whether the limit is that of tables, which the user didn't give.
    let hasDefaultLimit: Bool
    /// Whether the report has cursors.
    let hasCursors: Bool
    private let skipsRows: Bool

    init(_ request: ObjectRequest, _ call: CommandCall) throws {
        bound = try KeysetBound(call.arguments, of: request.identity) { $0.fits(request.plan.order) }
        if let bound, request.plan.offset > 0 {
            throw AdminError.usage(
                "an offset can't be combined with --\(bound.isReversed ? "before" : "after").",
                hint: "Leave the offset out: the page starts at the cursor.")
        }
        hasDefaultLimit = call.format == .table && request.plan.limit == nil
        limit = hasDefaultLimit ? Self.defaultLimit : request.plan.limit
        let namesNextPage = call.format == .table && !hasDefaultLimit
        hasCursors = (call.format == .json || namesNextPage || bound != nil) && request.hasFixedOrder
        skipsRows = request.plan.offset > 0
    }

    /// The number of rows to fetch: one more than the limit shows whether there are more.
    var fetchLimit: Int? { limit.map { hasDefaultLimit || hasCursors ? max($0, $0 &+ 1) : $0 } }

    /// Returns the indices of the rows to show, in their order, given how many were fetched.
    func shownRows(of count: Int) -> [Int] {
        let rows = 0..<min(count, limit ?? .max)
        return bound?.isReversed == true ? rows.reversed() : Array(rows)
    }

    /// Returns the ends of the page.
    ///
    /// - Parameters:
    ///   - positions: The positions of the first and the last row; empty if the page is.
    ///   - count: The number of rows that were fetched.
    func ends(_ positions: [KeysetPosition], of count: Int) -> PageEnds {
        PageEnds(
            bound: bound, first: positions.first, last: positions.last, hasMore: count > limit ?? .max,
            skipsRows: skipsRows)
    }

    /// Returns the line below a table of which more rows were fetched than it shows.
    func footer(_ shown: Int, of count: Int, _ ends: PageEnds?, _ request: ObjectRequest) -> String? {
        if bound != nil || !hasDefaultLimit { return ends?.footer(request.identity) }
        return shown < count ? "The first \(shown); --limit shows more." : nil
    }
}

extension ObjectRequest {
    /// Returns the positions of objects in the request's order, of which the values are read in the session's snapshot.
    func positions(of keys: [Int64], _ session: any ReadSession) throws -> [KeysetPosition] {
        if plan.order.isEmpty || keys.isEmpty { return keys.map { KeysetPosition(values: [], key: $0) } }
        let key = ResolvedExpression.ownKey(entity.index)
        let values = AggregatePlan(
            entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            predicate: .isMember(key, of: Set(keys).sorted().map { .int($0) }),
            columns: [key] + plan.order.map(\.expression))
        let found = try session.aggregate(values).compactMap { KeysetPosition(row: $0[...]) }
        return keys.compactMap { key in found.first { $0.key == key } }
    }
}

extension KeysetPosition {
    /// Creates a position from a result row: the key, then the sort values; nil if there is no key.
    init?(row: ArraySlice<StoredValue>) {
        guard case .int(let key)? = row.first else { return nil }
        self.init(values: Array(row.dropFirst()), key: key)
    }
}
