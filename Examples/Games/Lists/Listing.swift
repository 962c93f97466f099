import ContextCore

/// A row of a list, wherever it was read.
struct ListedRow: Sendable, Equatable {
    let id: ObjectID
    let line: ScreenState.Line
}

/// What a list shows: some of its rows, or all of them.
struct Listing: Sendable, Equatable {
    /// How many rows come before.
    var first = 0
    /// How many rows it has room for; nil where that is as many as there are.
    var length: Int?
    /// How many there are in all.
    var total: Int
    var rows: [ListedRow]

    /// What differs from all rows that there are; nil where nothing does.
    func difference(from stored: [ListedRow]) -> String? {
        if total != stored.count { return "\(total) rows, and the store has \(stored.count)" }
        let wanted = min(length ?? total, max(0, total - first))
        if rows.count != wanted { return "\(rows.count) rows where \(wanted) are to be seen" }
        for (index, row) in rows.enumerated()
        where first + index >= stored.count || row != stored[first + index] {
            let place = first + index
            let other = place < stored.count ? "\(stored[place].line)" : "nothing"
            return "\(row.line) in row \(place + 1), where the store has \(other)"
        }
        return nil
    }

    /// What is wrong with a list that follows a store, or keeps that from being found out; nil when it shows what the store has.
    ///
    /// Lists follow shortly after the store, so it is looked at again until it agrees, or has had its time.
    @MainActor static func complaint(
        about name: String, patience: Duration = .seconds(5), shown: () -> Listing,
        stored: @Sendable () async throws -> [ListedRow]
    ) async -> String? {
        let end = ContinuousClock.now + patience
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
