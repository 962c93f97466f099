/// Who answers what is fetched along with a request.
protocol PrefetchSource {
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch
    func related(_ plan: RelatedPlan) throws -> RelatedRows
    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue]
}

/// A context's parent, which answers as it is asked.
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

/// What was fetched along with a request in one isolation, for the same request in another: the answers, in the order in which they are
/// asked for.
struct PrefetchedAnswers: Sendable {
    fileprivate enum Answer: Sendable {
        case rows(RowBatch), related(RelatedRows), values([Int64: StoredValue])
    }

    fileprivate var answers: [Answer] = []
}

/// Lets a parent answer, and notes what it says.
final class RecordingSource: PrefetchSource {
    private let parent: any ContextParent
    private(set) var recorded = PrefetchedAnswers()

    init(_ parent: any ContextParent) { self.parent = parent }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        let rows = try parent.rows(keys, entityIndex: entityIndex)
        recorded.answers.append(.rows(rows))
        return rows
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        let related = try parent.related(plan)
        recorded.answers.append(.related(related))
        return related
    }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        let values = try parent.externalValues(wanted)
        recorded.answers.append(.values(values))
        return values
    }
}

/// Answers what was answered elsewhere.
///
/// The same paths from the same rows are asked for in the same order; an answer that doesn't fit would be a mistake of this library.
final class RecordedSource: PrefetchSource {
    private var answers: ArraySlice<PrefetchedAnswers.Answer>

    init(_ recorded: PrefetchedAnswers) { answers = recorded.answers[...] }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        guard case .rows(let rows)? = answers.popFirst() else { programmingError(Self.mistake) }
        return rows
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        guard case .related(let related)? = answers.popFirst() else { programmingError(Self.mistake) }
        return related
    }

    func externalValues(_ wanted: DeferredValues) throws -> [Int64: StoredValue] {
        guard case .values(let values)? = answers.popFirst() else { programmingError(Self.mistake) }
        return values
    }

    private static let mistake =
        "What was fetched along in the shared context is not what its proxy asks for."
}
