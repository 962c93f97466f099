package import ContextCore

/// A cache of compiled requests: requests that differ only in their constants share one compiled statement.
///
/// ```sql
/// score > 10 ORDER BY name LIMIT 20        SELECT … WHERE t0."score" > ?1 ORDER BY t0."name", t0."_id" LIMIT ?2
/// score > 25 ORDER BY name LIMIT 5         the same SQL with other values
/// ```
///
/// A mutex guards the templates and is held only for a lookup.
package final class StatementTemplates: Sendable {
    private struct State {
        var fetches: RecentValues<RequestShape, Fetch>
        var values: RecentValues<RequestShape, Values>
        var lookups = DatabaseStatistics.Cache()

        /// Counts a lookup that has found an entry, and returns the entry.
        mutating func hit<Entry>(_ entry: Entry?) -> Entry? {
            if entry != nil { lookups.hits += 1 }
            return entry
        }
    }

    private struct Fetch {
        let template: StatementTemplate
        let format: RowFormat
    }

    private struct Values {
        let template: StatementTemplate
        let types: [SQLType]
    }

    private let mapping: StoreMapping
    private let dialect: SQLDialect
    private let state: Guarded<State>

    /// - Parameter capacity: The maximum number of cached shapes of each kind; a program has as many as it has call sites.
    package init(_ mapping: StoreMapping, _ dialect: SQLDialect, capacity: Int = 512) {
        self.mapping = mapping
        self.dialect = dialect
        state = Guarded(
            State(fetches: RecentValues(capacity: capacity), values: RecentValues(capacity: capacity)))
    }

    /// The number of statements compiled so far.
    package var compiled: Int { lookups.misses }
    /// The number of lookups; a miss is a statement that was compiled.
    package var lookups: DatabaseStatistics.Cache { state.withLock { $0.lookups } }
    /// The number of cached shapes.
    package var count: Int { state.withLock { $0.fetches.count + $0.values.count } }

    /// Returns the statement of a fetch and the format of its result.
    package func statement(_ plan: FetchPlan) throws(StoreError) -> (SQLText, RowFormat) {
        var constants = RequestConstants(sharesEqualConstants: false)
        let shape = RequestShape(plan, &constants)
        if let known = state.withLock({ $0.hit($0.fetches.value(shape)) }) {
            return (known.template.text(constants), known.format)
        }
        var (select, selection) = try FetchCompiler(mapping).compile(
            shape.withPlaceholders(plan), ordersByKey: shape.limit != nil || shape.offset != nil)
        select.isGathered = select.order.isEmpty && dialect.supportsGathering(select.columns.count)
        let format = RowFormat(
            selection: selection, isSorted: !select.order.isEmpty, isGathered: select.isGathered)
        let template = try template(of: select, shape)
        state.withLock { state in
            state.lookups.misses += 1
            state.fetches.insert(Fetch(template: template, format: format), for: shape)
        }
        return (template.text(constants), format)
    }

    /// Returns the statement of an aggregate request and the type of each of its columns.
    package func statement(_ plan: AggregatePlan) throws(StoreError) -> (SQLText, [SQLType]) {
        var constants = RequestConstants(sharesEqualConstants: true)
        let shape = RequestShape(plan, &constants)
        if let known = state.withLock({ $0.hit($0.values.value(shape)) }) {
            return (known.template.text(constants), known.types)
        }
        let (select, types) = try AggregateCompiler(mapping).compile(shape.withPlaceholders(plan))
        let template = try template(of: select, shape)
        state.withLock { state in
            state.lookups.misses += 1
            state.values.insert(Values(template: template, types: types), for: shape)
        }
        return (template.text(constants), types)
    }

    private func template(
        of select: SelectStatement, _ shape: RequestShape
    ) throws(StoreError) -> StatementTemplate {
        var select = select
        (select.limit, select.offset) = (shape.limit, shape.offset)
        return StatementTemplate(SQLText(try SQLRenderer(dialect).fragment(select), dialect))
    }
}
