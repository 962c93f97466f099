import ContextCore

/// A read session of an in-memory store, with a bug.
class FaultyReadSession: ReadSession {
    private var session: any ReadSession
    let defect: Defect
    private let reopen: () throws -> any ReadSession

    init(_ session: any ReadSession, _ defect: Defect, reopen: @escaping () throws -> any ReadSession) {
        self.session = session
        self.defect = defect
        self.reopen = reopen
    }

    final var token: StoreToken { session.token }
    final var transactionsAfterGap: [StoreToken] { session.transactionsAfterGap }

    final func fetch(_ plan: FetchPlan) throws -> RowBatch {
        var plan = plan
        if defect == .readsWhatIsNew { session = try reopen() }
        if defect == .ignoresOrders { plan.order = [] }
        if defect == .ignoresColumns { plan.columns = nil }
        if defect == .putsNullsWrong {
            plan.order = plan.order.map {
                ResolvedSortKey($0.expression, isDescending: $0.isDescending, nullsFirst: !$0.nullsFirst)
            }
        }
        return try session.fetch(plan)
    }

    final func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try session.rows(few(keys), entityIndex: entityIndex)
    }

    final func related(_ plan: RelatedPlan) throws -> RelatedRows {
        if defect == .readsWhatIsNew { session = try reopen() }
        var plan = plan
        plan.owners = few(plan.owners)
        return try session.related(plan)
    }

    /// Returns only as many keys as a statement can have parameters.
    private func few(_ keys: [Int64]) -> [Int64] {
        defect == .takesFewKeys ? Array(keys.prefix(65_535)) : keys
    }

    final func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        let lines = try session.aggregate(plan)
        guard defect == .foldsTexts, plan.isDistinct || !plan.groupBy.isEmpty else { return lines }
        var seen: Set<[StoredValue]> = []
        return lines.filter { seen.insert($0.map(\.folded)).inserted }
    }

    final func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        var request = request
        if defect == .ignoresDates { request.since = nil }
        if defect == .takesAnyToken {
            request.after = request.after.map {
                StoreToken(storeID: token.storeID, sequence: min($0.sequence, token.sequence))
            }
        }
        return try session.history(request)
    }

    func end() { session.end() }
}

extension StoredValue {
    /// The value as a case-insensitive collation compares it.
    fileprivate var folded: StoredValue {
        if case .string(let text) = self { .string(text.lowercased()) } else { self }
    }
}
