import ContextCore

/// A scrolling list: a results controller whose window follows the selected row.
@MainActor final class ScrollingList<Object: ManagedObject> {
    /// The request of the results controller.
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

    /// The object of the selected row.
    var selectedObject: Object? {
        let index = selected - first
        return results.count > max(0, index) ? results[max(0, index)] : nil
    }

    /// Moves the selection down by a number of rows.
    func moveSelection(_ change: Int) throws {
        selected += change
        try moveWindow()
    }

    /// Sets the number of visible rows.
    func setRows(_ rows: Int) throws {
        self.rows = rows
        try moveWindow()
    }

    /// Moves the window as little as possible to show the selected row, without empty rows if there are enough rows.
    private func moveWindow() throws {
        selected = max(0, min(selected, results.totalCount - 1))
        let last = max(0, results.totalCount - rows)
        let start = max(0, min(max(first, selected - rows + 1), selected, last))
        let window = start..<start + rows
        if window != results.window { try results.move(to: window) }
    }

    /// The rows in the window, for a comparison with the store.
    func listing(_ row: (Object) -> ListedRow) -> Listing {
        Listing(
            first: first, length: rows, total: results.totalCount, rows: results.objects.map(row))
    }

    /// The visible list; first moves the window, because rows above it may have been deleted.
    func shown(title: String, _ line: (Object) -> ScreenState.Line) throws -> ScreenState.List {
        try moveWindow()
        return ScreenState.List(
            title: title, lines: results.objects.map(line), first: first, total: results.totalCount,
            selected: selected)
    }
}
