import ContextCore

/// A row of a list, from a list on the screen or from the store.
struct ListedRow: Sendable, Equatable {
    let id: ObjectID
    let line: ScreenState.Line
}

/// The rows that a list shows: a window, or all of them.
struct Listing: Sendable, Equatable {
    /// The number of rows before the window.
    var first = 0
    /// The size of the window; nil if the list shows all rows.
    var length: Int?
    /// The number of all rows.
    var total: Int
    var rows: [ListedRow]

    /// The first difference from all rows of the store; nil if the list agrees.
    func difference(from stored: [ListedRow]) -> String? {
        if total != stored.count { return "\(total) rows, and the store has \(stored.count)" }
        let wanted = min(length ?? total, max(0, total - first))
        if rows.count != wanted { return "\(rows.count) rows instead of \(wanted)" }
        for (index, row) in rows.enumerated()
        where first + index >= stored.count || row != stored[first + index] {
            let storedIndex = first + index
            let other = storedIndex < stored.count ? "\(stored[storedIndex].line)" : "nothing"
            return "\(row.line) in row \(storedIndex + 1), where the store has \(other)"
        }
        return nil
    }

    /// Returns a message about the first difference between a list and the store, or about the error of the comparison; nil if they agree.
    ///
    /// A list updates shortly after the store, so the comparison is repeated until both agree or the timeout has passed.
    @MainActor static func complaint(
        about name: String, timeout: Duration = .seconds(5), shown: () -> Listing,
        stored: @Sendable () async throws -> [ListedRow]
    ) async -> String? {
        let end = ContinuousClock.now + timeout
        do {
            while true {
                let rows = try await stored()
                guard let difference = shown().difference(from: rows) else { return nil }
                if .now > end { return "the list of \(name) shows \(difference)" }
                try await Task.sleep(for: .milliseconds(10))
            }
        } catch {
            return "the list of \(name) can't be compared with the store: \(error)"
        }
    }
}

extension ScreenState.Line: CustomStringConvertible {
    var description: String { "\(name) (\(number))" }
}

extension Game {
    var row: ListedRow { ListedRow(id: objectID, line: .init(name: title, number: "\(points)")) }
}

extension Player {
    var row: ListedRow { ListedRow(id: objectID, line: .init(name: name, number: "\(score)")) }
}
