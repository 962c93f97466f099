@testable import ContextCore

/// A controller, and a list that follows what it tells.
final class WatchedResults {
    let name: String
    let request: FetchRequest<Team>
    let controller: FetchedResultsController<Team>
    private let context: ObjectContext
    /// Says in plain Swift what must be there.
    private let expected: ([Team], (Team) -> Division?) -> [[Team]]
    private var naive: [[Int64]]
    /// What a consumer has, who looks now and then.
    private var taken: ResultsSnapshot
    private var mistake: (any Error)?

    init(
        _ name: String, _ request: FetchRequest<Team>, sections: PropertyPath? = nil,
        in context: ObjectContext,
        expected: @escaping ([Team], (Team) -> Division?) -> [[Team]]
    ) throws {
        self.name = name
        self.request = request
        self.context = context
        self.expected = expected
        controller = try FetchedResultsController(request, sections: sections, in: context)
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

    /// Expects what the objects of the context say.
    func checkObjects() throws {
        let teams = try context.fetch(FetchRequest<Team>())
        let answer = expected(teams, division).map { $0.map(\.objectID.key) }
        try expect(Self.lines(controller.snapshot), answer, "the controller")
    }

    /// Expects what the request says when it is run again.
    func checkFetch() throws {
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
