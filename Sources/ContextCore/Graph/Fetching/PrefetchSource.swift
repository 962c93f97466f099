/// The source of prefetched rows.
protocol PrefetchSource {
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue]
}

/// A source that reads from a context's parent.
struct ParentSource: PrefetchSource {
    let parent: any ContextParent

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try parent.rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try parent.related(plan) }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        try parent.externalValues(wanted)
    }
}

/// The results of a prefetch's reads, in order, which repeat the same prefetch in another isolation.
struct RecordedPrefetch: Sendable {
    fileprivate enum ReadResult: Sendable {
        case rows(RowBatch), related(RelatedRows), values([Int64: StoredValue])
    }

    fileprivate var results: [ReadResult] = []
}

/// A source that reads from a context's parent and records the results.
final class RecordingSource: PrefetchSource {
    private let parent: any ContextParent
    private(set) var recorded = RecordedPrefetch()

    init(_ parent: any ContextParent) { self.parent = parent }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        let rows = try parent.rows(keys, entityIndex: entityIndex)
        recorded.results.append(.rows(rows))
        return rows
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        let related = try parent.related(plan)
        recorded.results.append(.related(related))
        return related
    }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        let values = try parent.externalValues(wanted)
        recorded.results.append(.values(values))
        return values
    }
}

/// A source that returns recorded results.
///
/// The same prefetch of the same rows makes the same reads in the same order; a result that doesn't match is a bug of this library.
final class RecordedSource: PrefetchSource {
    private var results: ArraySlice<RecordedPrefetch.ReadResult>

    init(_ recorded: RecordedPrefetch) { results = recorded.results[...] }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        guard case .rows(let rows)? = results.popFirst() else { programmingError(Self.mismatchMessage) }
        return rows
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        guard case .related(let related)? = results.popFirst() else { programmingError(Self.mismatchMessage) }
        return related
    }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        guard case .values(let values)? = results.popFirst() else { programmingError(Self.mismatchMessage) }
        return values
    }

    private static let mismatchMessage =
        "A proxy's prefetch doesn't match the reads that the shared context recorded for it."
}
