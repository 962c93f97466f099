import Foundation

/// Evaluates whether an object is among the results, and at which position.
struct RowEvaluator {
    let query: ResultsQuery
    private let evaluator = PredicateEvaluator<RecordingSubject>(now: Date().microseconds)

    init(_ query: ResultsQuery) { self.query = query }

    /// A row with its section and the objects that its position depends on.
    struct EvaluatedRow {
        let row: ResultsRow
        let section: SectionEntry
        let references: Set<RowReference>
    }

    /// Whether an object matches the request.
    func isResult(_ object: ManagedObject) throws -> Bool {
        guard object.isLive else { return false }
        let isKind =
            query.plan.includesSubentities
            ? object.entity.isKind(of: query.entity) : object.entity.index == query.entity.index
        guard isKind else { return false }
        guard let predicate = query.plan.predicate else { return true }
        return try evaluator.isTrue(predicate, subject(object))
    }

    private func subject(_ object: ManagedObject) -> RecordingSubject {
        RecordingSubject(subject: ObjectSubject(object: object), recorder: ReferenceRecorder())
    }

    /// Returns the row of an object, whose sort values determine its position.
    func evaluate(_ object: ManagedObject, revision: Int) throws -> EvaluatedRow {
        let subject = subject(object)
        var order = OrderedBytesWriter()
        for key in query.order {
            order.append(try evaluator.value(key.expression, subject), key.sortingOrder)
        }
        var section = OrderedBytesWriter()
        var value = StoredValue.null
        if let key = query.section {
            value = try evaluator.value(key.expression, subject)
            section.append(value, key.sortingOrder)
        }
        return EvaluatedRow(
            row: ResultsRow(
                section: section.bytes, order: order.bytes, key: object.key, entityIndex: object.entity.index,
                revision: revision),
            section: SectionEntry(bytes: section.bytes, value: value), references: subject.recorder.references
        )
    }
}

extension ResolvedSortKey {
    fileprivate var sortingOrder: SortingOrder {
        SortingOrder(isDescending: isDescending, nullsFirst: nullsFirst)
    }
}
