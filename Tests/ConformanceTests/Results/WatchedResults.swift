import ChildProcesses
import Foundation

@testable import ContextCore

/// A controller, a list that applies its differences, and a consumer of the values of its rows.
final class WatchedResults {
    let name: String
    let request: FetchRequest<Team>
    let controller: FetchedResultsController<Team>
    private let sections: PropertyPath?
    private let context: ObjectContext
    /// Computes the expected results in Swift.
    private let expected: ([Team], (Team) -> Division?) -> [[Team]]
    private var naive: [[Int64]]
    /// The snapshot that an occasional consumer has read last.
    private var consumed: ResultsSnapshot
    /// The mailbox of the consumer of rows, which keeps its list in `shown` and the values in `values`.
    private let rows: ResultsMailbox
    private var shown: ResultsSnapshot?
    private var values: [Int64: ObjectSnapshot] = [:]
    private var mistake: (any Error)?
    private let executor = ThreadExecutor()

    init(
        _ name: String, _ request: FetchRequest<Team>, sections: PropertyPath? = nil,
        window: Range<Int>? = nil, in context: ObjectContext,
        expected: @escaping ([Team], (Team) -> Division?) -> [[Team]]
    ) throws {
        self.name = name
        self.request = request
        self.sections = sections
        self.context = context
        self.expected = expected
        controller = try FetchedResultsController(request, sections: sections, window: window, in: context)
        rows = try controller.results.rowsMailbox()
        consumed = controller.snapshot
        naive = Self.resultRows(controller.snapshot)
        controller.onChange = { [weak self] in self?.record($0) }
    }

    private static func resultRows(_ snapshot: ResultsSnapshot) -> [[Int64]] {
        snapshot.sections.indices.map { snapshot.objectIDs(inSection: $0).map(\.key) }
    }

    private func record(_ difference: ResultsDifference) {
        do {
            naive = try apply(difference, to: naive)
        } catch {
            if mistake == nil {
                mistake = NaiveList.Mistake(text: "\(name): \(error)\n\(naive)\n\(difference.steps)")
            }
        }
    }

    private func apply(_ difference: ResultsDifference, to old: [[Int64]]) throws -> [[Int64]] {
        var list = NaiveList(old)
        for step in difference.steps { try list.apply(step) }
        try list.check(difference, old, Self.resultRows(difference.snapshot))
        return list.sections
    }

    /// Checks that applying the differences gives the controller's list, for each change and for several changes at once.
    func checkDifferences(consumes: Bool) throws {
        if let mistake { throw mistake }
        if let failure = controller.failure { throw failure }
        try expect(naive, Self.resultRows(controller.snapshot), "the reported list")
        guard consumes else { return }
        _ = try apply(controller.snapshot.difference(from: consumed), to: Self.resultRows(consumed))
        consumed = controller.snapshot
    }

    /// Scrolls if the controller has a window.
    func scroll(to window: Range<Int>) throws {
        if controller.window != nil { try controller.move(to: window) }
    }

    /// Checks that the controller has the results computed from the context's objects.
    func checkObjects() throws {
        let teams = try context.fetch(FetchRequest<Team>())
        let answer = windowed(expected(teams, division).map { $0.map(\.objectID.key) })
        try expect(Self.resultRows(controller.snapshot), answer, "the controller")
    }

    /// Returns the part of a list in the window, without sections that are outside of it.
    private func windowed(_ resultRows: [[Int64]]) -> [[Int64]] {
        guard let window = controller.window else { return resultRows }
        var next = 0
        let shown = resultRows.map { line in
            line.filter { _ in
                defer { next += 1 }
                return window.contains(next)
            }
        }
        return sections == nil ? shown : shown.filter { !$0.isEmpty }
    }

    /// Checks that the consumer of rows has the values of the controller's objects, after it has read the latest change.
    func checkRows() throws {
        let list = controller.snapshot
        let lacks = shown.map { !list.difference(from: $0).isEmpty } ?? (list.count > 0)
        if lacks {
            let (difference, newer) = try nextRows()
            if let shown {
                _ = try apply(difference, to: Self.resultRows(shown))
            }
            for value in newer { values[value.objectID.key] = value }
            shown = difference.snapshot
        }
        let present = Set(list.list.rows.elements.map(\.key))
        values = values.filter { present.contains($0.key) }
        for team in controller.objects {
            let (latest, current) = (values[team.objectID.key], team.snapshot() as ObjectSnapshot)
            guard latest?.attributes == current.attributes, latest?.references == current.references else {
                let text =
                    "\(name): the row \(team.objectID.key) is reported as \(latest as Any), not \(current)"
                throw NaiveList.Mistake(text: text)
            }
        }
    }

    /// Waits for the next change of the rows, in a separate task, since the script's thread may block.
    private func nextRows() throws -> (ResultsDifference, [ObjectSnapshot]) {
        let (arrived, box) = (
            DispatchSemaphore(value: 0), Guarded<(ResultsDifference, [ObjectSnapshot])?>(nil)
        )
        let rows = rows
        let waiting = Task(executorPreference: executor) {
            let next = await rows.next()
            box.withLock { $0 = next.map { ($0.difference, $0.values) } }
            arrived.signal()
        }
        guard arrived.wait(timeout: .now() + 300) == .success, let next = box.withLock({ $0 }) else {
            waiting.cancel()
            throw NaiveList.Mistake(text: "\(name): the consumer of the rows got no change")
        }
        return next
    }

    /// Checks that a new controller has the same results.
    func checkFresh() throws {
        let fresh = try FetchedResultsController(
            request, sections: sections, window: controller.window, in: context)
        try expect(
            Self.resultRows(controller.snapshot), Self.resultRows(fresh.snapshot),
            "the controller, unlike a new one,"
        )
        try expect([[Int64(controller.totalCount)]], [[Int64(fresh.totalCount)]], "the number of all rows")
        let names = (controller.sections.map(\.name), fresh.sections.map(\.name))
        if names.0 != names.1 { throw NaiveList.Mistake(text: "\(name): the sections are \(names)") }
    }

    /// Checks that fetching the request again returns the same results.
    func checkFetch() throws {
        if controller.window != nil { return }
        let fetched = try context.fetch(request).map(\.objectID.key)
        let found = Self.resultRows(controller.snapshot).joined()
        try expect([found.sorted()], [fetched.sorted()], "the controller, unlike a fetch,")
        if controller.results.isSectioned { return }
        try expect([Array(found)], [fetched], "the order of the controller, unlike a fetch,")
    }

    /// Returns the division of a team; nil if it doesn't exist any more.
    private func division(_ team: Team) -> Division? {
        defer { context.graph.deferredError = nil }
        guard let division = team.division, (try? context.load(division)) != nil, !division.isDeleted else {
            return nil
        }
        return division
    }

    private func expect(_ found: [[Int64]], _ expected: [[Int64]], _ what: String) throws {
        if found == expected { return }
        throw NaiveList.Mistake(text: "\(name): \(what) is \(found) instead of \(expected)")
    }
}
