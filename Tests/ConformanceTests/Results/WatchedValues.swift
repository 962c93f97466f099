@testable import ContextCore

/// Live values, which are compared with the results of aggregate queries.
final class WatchedValues {
    private let context: ObjectContext
    private let count: LiveValue<Team, Int>
    private let sum: LiveValue<Team, Int>
    private let best: LiveValue<Team, Int?>
    private let ofGoodDivisions: LiveValue<Team, Int>
    /// The last sum that was reported.
    private var last: Int

    init(in context: ObjectContext) throws {
        self.context = context
        count = try LiveValue(Team.self, .count(), where: \.points > 3, in: context)
        sum = try LiveValue(Team.self, .sum(\.points), in: context)
        best = try LiveValue(Team.self, .maximum(\.points), in: context)
        ofGoodDivisions = try LiveValue(
            Team.self, .sum(\.points), where: \.division?.rank < 2, in: context)
        last = sum.value
        sum.onChange = { [weak self] in self?.last = $0 }
    }

    func check() throws {
        for failure in [count.failure, sum.failure, best.failure, ofGoodDivisions.failure] {
            if let failure { throw failure }
        }
        let fresh = try (
            context.count(Team.self, where: \.points > 3), context.sum(\Team.points),
            context.maximum(\Team.points),
            context.sum(\Team.points, where: \.division?.rank < 2)
        )
        let live = (count.value, sum.value, best.value, ofGoodDivisions.value)
        if live != fresh { throw NaiveList.Mistake(text: "the live values are \(live) instead of \(fresh)") }
        if last != live.1 { throw NaiveList.Mistake(text: "the sum is \(live.1), but \(last) was reported") }
        let points = try context.fetch(FetchRequest<Team>()).map(\.points)
        let plain = (points.count { $0 > 3 }, points.reduce(0, +), points.max())
        if (live.0, live.1, live.2) != plain {
            throw NaiveList.Mistake(text: "the live values are \(live), but the objects have \(plain)")
        }
    }
}
