import ChildProcesses
import Foundation

@testable import ContextCore

/// A controller, a list that follows what it tells, and a consumer who follows the values of its rows.
final class WatchedResults {
    let name: String
    let request: FetchRequest<Team>
    let controller: FetchedResultsController<Team>
    private let sections: PropertyPath?
    private let context: ObjectContext
    /// Says in plain Swift what must be there.
    private let expected: ([Team], (Team) -> Division?) -> [[Team]]
    private var naive: [[Int64]]
    /// What a consumer has, who looks now and then.
    private var taken: ResultsSnapshot
    /// What a consumer of the rows has of them: the list, and the values by key.
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
        taken = controller.snapshot
        naive = Self.lines(controller.snapshot)
        controller.onChange = { [weak self] in self?.note($0) }
    }

    private static func lines(_ snapshot: ResultsSnapshot) -> [[Int64]] {
        snapshot.sections.indices.map { snapshot.objectIDs(inSection: $0).map(\.key) }
    }

    private func note(_ difference: ResultsDifference) {
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
        try list.check(difference, old, Self.lines(difference.snapshot))
        return list.sections
    }

    /// Expects that whoever has carried out all steps has the list, one by one or taken together.
    func checkDifferences(takes: Bool) throws {
        if let mistake { throw mistake }
        if let failure = controller.failure { throw failure }
        try expect(naive, Self.lines(controller.snapshot), "what was told")
        guard takes else { return }
        _ = try apply(controller.snapshot.difference(from: taken), to: Self.lines(taken))
        taken = controller.snapshot
    }

    /// Scrolls, where there is a window.
    func scroll(to window: Range<Int>) throws {
        if controller.window != nil { try controller.move(to: window) }
    }

    /// Expects what the objects of the context say.
    func checkObjects() throws {
        let teams = try context.fetch(FetchRequest<Team>())
        let answer = windowed(expected(teams, division).map { $0.map(\.objectID.key) })
        try expect(Self.lines(controller.snapshot), answer, "the controller")
    }

    /// What the window shows of a list; of a section of which nothing is shown, nothing is.
    private func windowed(_ lines: [[Int64]]) -> [[Int64]] {
        guard let window = controller.window else { return lines }
        var next = 0
        let shown = lines.map { line in
            line.filter { _ in
                defer { next += 1 }
                return window.contains(next)
            }
        }
        return sections == nil ? shown : shown.filter { !$0.isEmpty }
    }

    /// Expects what the values of the objects are that have a row, once the consumer has taken what was told.
    func checkRows() throws {
        let list = controller.snapshot
        let lacks = shown.map { !list.difference(from: $0).isEmpty } ?? (list.count > 0)
        if lacks {
            let (difference, newer) = try nextRows()
            if let shown {
                _ = try apply(difference, to: Self.lines(shown))
            }
            for value in newer { values[value.objectID.key] = value }
            shown = difference.snapshot
        }
        let present = Set(list.list.rows.elements.map(\.key))
        values = values.filter { present.contains($0.key) }
        for team in controller.objects {
            let (told, current) = (values[team.objectID.key], team.snapshot() as ObjectSnapshot)
            guard told?.attributes == current.attributes, told?.references == current.references else {
                let text =
                    "\(name): the row \(team.objectID.key) was told as \(told as Any), and is \(current)"
                throw NaiveList.Mistake(text: text)
            }
        }
    }

    /// What has come for the consumer of the rows, who waits in a task of his own, as the script's thread may block.
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
            throw NaiveList.Mistake(text: "\(name): nothing was told to the consumer of the rows")
        }
        return next
    }

    /// Expects what a controller says that begins now.
    func checkFresh() throws {
        let fresh = try FetchedResultsController(
            request, sections: sections, window: controller.window, in: context)
        try expect(
            Self.lines(controller.snapshot), Self.lines(fresh.snapshot), "the controller, beside a fresh one,"
        )
        try expect([[Int64(controller.totalCount)]], [[Int64(fresh.totalCount)]], "the number of all rows")
        let names = (controller.sections.map(\.name), fresh.sections.map(\.name))
        if names.0 != names.1 { throw NaiveList.Mistake(text: "\(name): the sections are \(names)") }
    }

    /// Expects what the request says when it is run again.
    func checkFetch() throws {
        if controller.window != nil { return }
        let fetched = try context.fetch(request).map(\.objectID.key)
        let found = Self.lines(controller.snapshot).joined()
        try expect([found.sorted()], [fetched.sorted()], "the controller, beside a fetch,")
        if controller.results.isSectioned { return }
        try expect([Array(found)], [fetched], "the order of the controller, beside a fetch,")
    }

    /// The division of a team, as far as it is still there.
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
