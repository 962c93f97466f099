import ContextCore

/// A list that is shown in part: a results controller with a window that moves with the line that is chosen.
@MainActor final class FollowedList<Object: ManagedObject> {
    /// What the list is of.
    let request: FetchRequest<Object>
    private let results: FetchedResultsController<Object>
    private var rows: Int
    private var selected = 0

    init(_ request: FetchRequest<Object>, rows: Int, in context: ObjectContext) throws {
        self.rows = rows
        self.request = request
        results = try FetchedResultsController(request, window: 0..<rows, in: context)
    }

    private var first: Int { results.window?.lowerBound ?? 0 }

    /// The object of the line that is chosen.
    var selectedObject: Object? {
        let index = selected - first
        return results.count > max(0, index) ? results[max(0, index)] : nil
    }

    /// Chooses another line, so many further down.
    func choose(_ change: Int) throws {
        selected += change
        try follow()
    }

    /// Shows so many lines.
    func setRows(_ rows: Int) throws {
        self.rows = rows
        try follow()
    }

    /// Moves the window as little as lets the chosen line be in it, and no line be empty that needn't be.
    private func follow() throws {
        selected = max(0, min(selected, results.totalCount - 1))
        let last = max(0, results.totalCount - rows)
        let start = max(0, min(max(first, selected - rows + 1), selected, last))
        let window = start..<start + rows
        if window != results.window { try results.move(to: window) }
    }

    /// What it holds, for a comparison with the store.
    func listing(_ row: (Object) -> ListedRow) -> Listing {
        Listing(
            first: first, length: rows, total: results.totalCount, rows: results.objects.map(row))
    }

    /// What is shown: lines may have gone from above the window since the last time.
    func shown(title: String, _ line: (Object) -> ScreenState.Line) throws -> ScreenState.List {
        try follow()
        return ScreenState.List(
            title: title, lines: results.objects.map(line), first: first, total: results.totalCount,
            selected: selected)
    }
}
