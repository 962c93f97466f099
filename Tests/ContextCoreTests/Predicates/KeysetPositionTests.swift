import ContextCore
import RandomSeeds
import Testing

/// The conditions of pages, compared with the sorted list of all rows.
struct KeysetPositionTests {
    private let models: PredicateModel

    init() throws { models = try PredicateModel() }

    private func order(_ text: String) throws -> [ResolvedSortKey] {
        try SortKey.keys(text).map { try $0.resolved(for: models.player, in: models.model) }
    }

    @Test func `The rows after and before each position are those of the sorted list`() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let world = players(&random)
            let text = Self.randomOrder(&random)
            let order = text.isEmpty ? [] : try order(text)
            let evaluator = PredicateEvaluator<PredicateWorld.Subject>(now: 0)
            let sorted = try SubjectOrder(order, evaluator: evaluator).sorted(world.subjects)
            for (index, subject) in sorted.enumerated() {
                let position = KeysetPosition(
                    values: try order.map { try evaluator.value($0.expression, subject) }, key: subject.key)
                #expect(position.fits(order), "seed \(seed)")
                let after = position.condition(after: order, entityIndex: models.player.index)
                let before = position.condition(before: order, entityIndex: models.player.index)
                let found = try (
                    sorted.filter { try evaluator.isTrue(after, $0) }.map(\.key),
                    sorted.filter { try evaluator.isTrue(before, $0) }.map(\.key)
                )
                #expect(found.0 == sorted[(index + 1)...].map(\.key), "seed \(seed), order “\(text)”")
                #expect(found.1 == sorted[..<index].map(\.key), "seed \(seed), order “\(text)”")
            }
        }
    }

    /// Makes players with few different values, so that there are ties and nulls.
    private func players(_ random: inout SeededRandom) -> PredicateWorld {
        let world = PredicateWorld(models)
        let texts = ["", "a", "A", "é", "e\u{301}", "z", "日", "\u{1F600}", "\u{FFFD}"]
        for _ in 0..<Int.random(in: 0...18, using: &random) {
            func optional(_ value: StoredValue?) -> StoredValue {
                Int.random(in: 0..<3, using: &random) == 0 ? .null : value ?? .null
            }
            world.add(
                models.player,
                [
                    "name": texts.randomElement(using: &random).map { .string($0) } ?? .null,
                    "nick": optional(texts.randomElement(using: &random).map { .string($0) }),
                    "score": .int(.random(in: -1...1, using: &random)),
                    "bonus": optional(.int(.random(in: 0...1, using: &random))),
                    "weight": optional(
                        .double([-.infinity, 0, 0.1, .infinity].randomElement(using: &random) ?? 0)),
                    "isActive": .bool(.random(using: &random)),
                ])
        }
        return world
    }

    private static func randomOrder(_ random: inout SeededRandom) -> String {
        let expressions = [
            "name", "nick", "name[c]", "nick[cd]", "score", "bonus", "weight", "isActive", "score + bonus",
        ]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let direction = ["", " DESC", " ASC"].randomElement(using: &random) ?? ""
            let nulls = ["", " NULLS FIRST", " NULLS LAST"].randomElement(using: &random) ?? ""
            return (expressions.randomElement(using: &random) ?? "name") + direction + nulls
        }.joined(separator: ", ")
    }

    @Test func `A position fits only an order with its types`() throws {
        let order = try order("score DESC, nick")
        #expect(KeysetPosition(values: [.int(1), .null], key: 1).fits(order))
        #expect(!KeysetPosition(values: [.int(1)], key: 1).fits(order))
        #expect(!KeysetPosition(values: [.null, .null], key: 1).fits(order), "A score is never null.")
        #expect(!KeysetPosition(values: [.string("1"), .null], key: 1).fits(order))
        #expect(!KeysetPosition(values: [.double(.nan)], key: 1).fits(try self.order("weight")))
        let key = ResolvedSortKey(
            .ownKey(models.player.index), isDescending: true, nullsFirst: false)
        #expect(KeysetPosition(values: [.int(7)], key: 1).fits([key]))
        #expect(!KeysetPosition(values: [.double(7)], key: 1).fits([key]))
    }

    @Test func `Without sort keys, only the key is compared`() throws {
        let position = KeysetPosition(values: [], key: 7)
        let key = ResolvedExpression.ownKey(models.player.index)
        guard
            case .compare(key, .greater, let constant) = position.condition(
                after: [], entityIndex: models.player.index)
        else {
            Issue.record("It is another condition.")
            return
        }
        #expect(constant.constant == .int(7))
    }

    @Test func `The plan of the page before a position has the opposite order`() throws {
        let order = try order("score DESC, nick")
        let plan = FetchPlan(entityIndex: models.player.index, order: order, limit: 3)
        let position = KeysetPosition(values: [.int(1), .null], key: 4)
        #expect(plan.bounded(by: .after(position)).order == order)
        let before = plan.bounded(by: .before(position))
        #expect(before.order.map(\.isDescending) == [false, true, true])
        #expect(before.order.map(\.nullsFirst) == [true, false, false])
        #expect(before.order.last?.expression == .ownKey(models.player.index) && before.limit == 3)
    }

    @Test func `A page of members is a part of the sorted links`() {
        let links = [(0, 5), (0, 9), (1, 2), (3, 1), (3, 4)].map {
            RelatedRows.Link(owner: 1, target: Int64($0.1), position: Int64($0.0))
        }
        func keys(_ bound: MemberPlan.Bound?, _ limit: Int) -> [Int64] {
            MemberPlan(entityIndex: 0, slot: 0, owner: 1, bound: bound, limit: limit).page(of: links)
                .map(\.target)
        }
        #expect(keys(nil, 2) == [5, 9] && keys(nil, 9) == [5, 9, 2, 1, 4] && keys(nil, 0) == [])
        #expect(keys(.after(position: 0, key: 5), 2) == [9, 2])
        #expect(keys(.after(position: 2, key: 0), 9) == [1, 4] && keys(.after(position: 3, key: 4), 9) == [])
        #expect(
            keys(.before(position: 3, key: 1), 2) == [2, 9] && keys(.before(position: 0, key: 5), 2) == [])
    }
}
