import ContextCore

/// A list on a screen that nobody sees: after its first rows it knows only what a results controller tells it, step by step.
@MainActor final class ToldList<Object: ManagedObject> {
    private let results: FetchedResultsController<Object>
    private let row: (Object) -> ListedRow
    private var rows: [ListedRow]
    /// How many steps it was told.
    private(set) var steps = 0
    /// The first step that could not be carried out.
    private(set) var misstep: ResultsStep?

    init(_ request: FetchRequest<Object>, in context: ObjectContext, _ row: @escaping (Object) -> ListedRow)
        throws
    {
        results = try FetchedResultsController(request, in: context)
        self.row = row
        rows = results.objects.map(row)
        results.onChange = { [weak self] in self?.follow($0) }
    }

    var listing: Listing { Listing(total: rows.count, rows: rows) }

    private func follow(_ difference: ResultsDifference) {
        steps += difference.steps.count
        for step in difference.steps where !carryOut(step, difference) { misstep = misstep ?? step }
    }

    private func carryOut(_ step: ResultsStep, _ difference: ResultsDifference) -> Bool {
        switch step {
        case .delete(let id, let place): take(id, place)
        case .insert(let id, let place): put(id, place, difference)
        case .move(let id, let from, let to): take(id, from) && put(id, to, difference)
        case .update(let id, let place): take(id, place) && put(id, place, difference)
        case .insertSection, .deleteSection: true
        }
    }

    private func take(_ id: ObjectID, _ place: ResultsPosition) -> Bool {
        guard rows.indices.contains(place.row), rows[place.row].id == id else { return false }
        rows.remove(at: place.row)
        return true
    }

    private func put(_ id: ObjectID, _ place: ResultsPosition, _ difference: ResultsDifference) -> Bool {
        guard place.row <= rows.count, let new = difference.snapshot.position(of: id) else { return false }
        rows.insert(row(results[new]), at: place.row)
        return true
    }
}
