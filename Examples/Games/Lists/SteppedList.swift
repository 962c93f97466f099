import ContextCore

/// A list that is kept up to date only by the steps of a results controller, as a table view is.
@MainActor final class SteppedList<Object: ManagedObject> {
    private let results: FetchedResultsController<Object>
    private let row: (Object) -> ListedRow
    private var rows: [ListedRow]
    /// The number of received steps.
    private(set) var steps = 0
    /// The first step that could not be applied.
    private(set) var failedStep: ResultsStep?

    init(_ request: FetchRequest<Object>, in context: ObjectContext, _ row: @escaping (Object) -> ListedRow)
        throws
    {
        results = try FetchedResultsController(request, in: context)
        self.row = row
        rows = results.objects.map(row)
        results.onChange = { [weak self] in self?.apply($0) }
    }

    var listing: Listing { Listing(total: rows.count, rows: rows) }

    private func apply(_ difference: ResultsDifference) {
        steps += difference.steps.count
        for step in difference.steps where !apply(step, difference) { failedStep = failedStep ?? step }
    }

    /// Returns whether the step could be applied.
    private func apply(_ step: ResultsStep, _ difference: ResultsDifference) -> Bool {
        switch step {
        case .delete(let id, let position): remove(id, position)
        case .insert(let id, let position): insert(id, position, difference)
        case .move(let id, let from, let to): remove(id, from) && insert(id, to, difference)
        case .update(let id, let position): remove(id, position) && insert(id, position, difference)
        case .insertSection, .deleteSection: true
        }
    }

    private func remove(_ id: ObjectID, _ position: ResultsPosition) -> Bool {
        guard rows.indices.contains(position.row), rows[position.row].id == id else { return false }
        rows.remove(at: position.row)
        return true
    }

    private func insert(_ id: ObjectID, _ position: ResultsPosition, _ difference: ResultsDifference) -> Bool
    {
        guard position.row <= rows.count, let new = difference.snapshot.position(of: id) else { return false }
        rows.insert(row(results[new]), at: position.row)
        return true
    }
}
