import ContextCore

extension Topic {
    /// Edge cases in which implementations of stores have differed.
    static let edgeCases: Topic = Topic("edge cases") {
        Requirement("A sum that overflows 64 bits is null, and a mean divides the exact sum") {
            run in
            let aggregateHarness = try run.numbers([.max, 1, 1])
            try aggregateHarness.expect(["@sum.number"], of: "Seat", is: [[.null]])
            let means = try run.numbers([9_007_199_254_740_992, 1, 1], beside: "_means")
            try means.expect(["@avg.number"], of: "Seat", is: [[.double(9_007_199_254_740_994.0 / 3)]])
        }
        Requirement("Rows with equal sort keys are sorted by identifier, and groups by their values") { run in
            let games = try await run.aggregateHarness()
            try games.expect(
                ["name"], of: "Player", order: "isActive DESC",
                is: [
                    [.string("Ann")], [.string("Bob")], [.string("Cid")], [.string("Élan")], [.string("Eve")],
                ])
            try games.expect(
                ["score", "isActive"], order: "isActive DESC", distinct: true,
                is: [
                    [.int(12), .bool(true)], [.int(7), .bool(true)], [.int(-4), .bool(false)],
                    [.int(0), .bool(false)],
                ])
            try games.expect(
                ["bonus", "@count"], by: ["bonus"], order: "@count DESC",
                is: [
                    [.null, .int(2)], [.int(0), .int(1)], [.int(3), .int(1)], [.int(5), .int(1)],
                ])
        }
        Requirement("Members of an ordered relationship without a position come first, ordered by key") {
            run in
            let harness = try run.harness(GameModel.classes)
            var changes = ChangeSet()
            let game = try harness.layout("Game")
            let slot = try require(game.property(named: "rounds")?.slot, "The slot")
            changes.inserts = [
                try harness.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
                try harness.insertion("Round", (1...4).map { ($0, ["number": .int($0), "game": .int(1)]) }),
            ]
            changes.links = [
                ChangeSet.LinkChange(
                    entityIndex: game.index, slot: slot,
                    placed: [
                        RelatedRows.Link(owner: 1, target: 3, position: 20),
                        RelatedRows.Link(owner: 1, target: 2, position: 30),
                    ])
            ]
            try harness.save(changes)
            let plan = RelatedPlan(entityIndex: game.index, slot: slot, owners: [1], includesRows: false)
            let found = try harness.read { try $0.related(plan).links.map(\.target) }
            try expectEqual(found, [1, 4, 3, 2], "The rounds")
        }
        Requirement("Sessions return a link of a self-inverse relationship in both directions") {
            run in
            let harness = try run.harness(GameModel.classes)
            let person = try harness.layout("Person")
            let slot = try require(person.property(named: "friends")?.slot, "The slot")
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Person", (1...3).map { ($0, ["name": .string("p")]) })]
            changes.links = [
                ChangeSet.LinkChange(
                    entityIndex: person.index, slot: slot,
                    placed: [RelatedRows.Link(owner: 1, target: 2), RelatedRows.Link(owner: 3, target: 3)])
            ]
            try harness.save(changes)
            let plan = RelatedPlan(
                entityIndex: person.index, slot: slot, owners: [1, 2, 3], includesRows: false)
            let links = try harness.read { try $0.related(plan).links.map { [$0.owner, $0.target] } }
            try expectEqual(links, [[1, 2], [2, 1], [3, 3]], "The links")
            var removal = ChangeSet()
            removal.links = [
                ChangeSet.LinkChange(
                    entityIndex: person.index, slot: slot, removed: [RelatedRows.Link(owner: 2, target: 1)])
            ]
            try harness.save(removal)
            let left = try harness.read { try $0.related(plan).links.map { [$0.owner, $0.target] } }
            try expectEqual(left, [[3, 3]], "The links that are left")
        }
        Requirement("A reference to a row of the wrong subentity is reported as missing") { run in
            let harness = try run.harness(GameModel.classes)
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Person", [(1, ["name": .string("plain")])]),
                try harness.insertion(
                    "Employee",
                    [
                        (
                            2,
                            [
                                "name": .string("e"), "role": .string("r"), "salary": .decimal(0),
                                "boss": .int(1),
                            ]
                        )
                    ]),
            ]
            let employee = try harness.layout("Employee").index
            try expectEqual(
                try harness.conflicts(of: changes),
                [RowConflict(entityIndex: employee, key: 2, reason: .missingReference(property: "boss"))],
                "The conflicts")
        }
        Requirement("A limit may be Int.max, also with pending objects") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try expectEqual(try context.find(Player.self, limit: .max).count, 5, "The players")
                _ = Player(in: context, name: "New")
                try expectEqual(
                    try context.find(Player.self, limit: .max).count, 6, "The players with a pending one")
                try expectEqual(
                    try context.find(Player.self, limit: .max, offset: 4).count, 2, "The players after four")
                try expectEqual(
                    try context.find(Player.self, limit: .max, offset: .max).count, 0, "The players after all"
                )
            }
        }
        Requirement("IN accepts tens of thousands of texts, and identifiers") { run in
            let games = try await run.games()
            try await games.read("many") { context in
                let names = (0..<40_000).map { "name \($0)" } + ["Bob"]
                try expectEqual(
                    try context.find(Player.self, "name IN %@", names).map(\.name), ["Bob"], "The players")
                let ids = try context.find(Player.self).map(\.objectID)
                try expectEqual(
                    try context.find(Player.self, "SELF IN %@", ids).count, 5, "The players by identifier")
            }
        }
        Requirement("Deep and wide predicates are evaluated or rejected, and never trap") { run in
            let games = try await run.games()
            try await games.read("wide") { context in
                let wide = (0..<400).map { "score = \($0)" }.joined(separator: " OR ")
                try expectEqual(
                    try context.find(Player.self, wide).count, 4, "The players of a wide predicate")
                for depth in [20, 5_000] {
                    let deep =
                        String(repeating: "NOT (", count: depth) + "score = 7"
                        + String(repeating: ")", count: depth)
                    do {
                        try expectEqual(
                            try context.find(Player.self, deep).map(\.name), ["Bob"],
                            "The player of a deep one")
                    } catch is PredicateSyntaxError where depth > 20 {
                    } catch let error as StoreError where depth > 20 {
                        try expectEqual(error.code, .unsupportedRequest, "The code")
                    }
                }
            }
        }
    }
}

extension CaseRun {
    /// Opens a coordinator with seats that have the given numbers.
    func numbers(_ numbers: [Int64], beside suffix: String = "") throws -> AggregateHarness {
        let harness = SessionHarness(coordinator: try coordinator(RuleModel.classes, beside: suffix))
        var changes = ChangeSet()
        changes.inserts = [
            try harness.insertion(
                "Seat",
                numbers.enumerated().map { (Int64($0 + 1), ["hall": .string("\($0)"), "number": .int($1)]) })
        ]
        try harness.save(changes)
        return AggregateHarness(harness: harness)
    }
}
