import ContextCore

extension Topic {
    /// Requests about many keys, and rows in part.
    static let scale: Topic = Topic("scale") {
        Promise("Rows are asked for by seventy thousand keys at once, few of which are there") { trial in
            let desk = try trial.stocked()
            let keys = Array((1...70_000).reversed()) as [Int64]
            let rows = try desk.read { try $0.rows(keys, entityIndex: try desk.layout("Item").index) }
            try expectEqual((0..<rows.count).map(rows.key).sorted(), [1, 2, 3], "The keys")
            let names = Set(try desk.values("name", of: rows, "Item"))
            try expectEqual(names, [.string("one"), .string("two"), .string("three")], "The names")
        }
        Promise("Seventy thousand owners are asked at once what they lead to, by reference and by links") {
            trial in
            let desk = try trial.desk(GameModel.classes)
            var changes = ChangeSet()
            changes.inserts = [
                try desk.insertion("Person", (1...2).map { ($0, ["name": .string("p")]) }),
                try desk.insertion(
                    "Game",
                    (1...3).map { ($0, ["title": .string("\($0)"), "playerCount": .int(0)]) }),
                try desk.insertion(
                    "Round", (1...4).map { ($0, ["number": .int($0), "game": .int($0 < 3 ? 1 : 3)]) }),
            ]
            let fans = try desk.relationship("fans", of: "Game")
            changes.links = [
                fans.change(
                    placing: [(1, 1), (3, 2), (3, 1)].map { RelatedRows.Link(owner: $0, target: $1) })
            ]
            try desk.save(changes)
            let owners = Array((1...70_000).reversed()) as [Int64]
            try expectEqual(
                try fans.targets(of: owners), [1, 2, 1], "The fans, from the last game to the first")
            let rounds = try desk.relationship("rounds", of: "Game")
            try expectEqual(try rounds.targets(of: owners), [3, 4, 1, 2], "The rounds")
            let plan = RelatedPlan(entityIndex: fans.entityIndex, slot: fans.slot, owners: owners)
            let rows = try require(try desk.read { try $0.related(plan).rows }, "The rows")
            try expectEqual((0..<rows.count).map(rows.key).sorted(), [1, 2], "The fans' keys, each once")
        }
        Promise("All owners have the same members as when each is asked for, however many rows have none") {
            trial in
            let desk = try trial.desk(GameModel.classes)
            let games = Array((1...100).map { Int64($0) }.shuffled())
            // Rounds of one game lie far from each other.
            let owned = (1...600).map { (key: Int64) -> (Int64, [String: StoredValue]) in
                (key, ["number": .int(key), "game": .int(key * 7 % 97 + 1)])
            }
            var changes = ChangeSet()
            changes.inserts = [
                try desk.insertion(
                    "Game", games.map { ($0, ["title": .string("\($0)"), "playerCount": .int(0)]) }),
                try desk.insertion("Round", owned),
            ]
            try desk.save(changes)
            let relationship = try desk.relationship("rounds", of: "Game")
            for strays in [nil, 601...620, 621...1000] as [ClosedRange<Int64>?] {
                if let strays {
                    var changes = ChangeSet()
                    changes.inserts = [
                        try desk.insertion("Round", strays.map { ($0, ["number": .int($0)]) })
                    ]
                    try desk.save(changes)
                }
                // The last time, not all are there that are said to be.
                for owners in [games, games.sorted(), Array(games.dropFirst(20))] {
                    var plan = RelatedPlan(
                        entityIndex: relationship.entityIndex, slot: relationship.slot, owners: owners)
                    let known = try desk.read { try $0.related(plan) }
                    plan.ownersAreAll = true
                    let all = try desk.read { try $0.related(plan) }
                    try expectEqual(all.links, known.links, "The links, with \(owners.count) owners")
                    let rows = try require(all.rows, "The rows")
                    let keys = Set((0..<rows.count).map(rows.key))
                    try expectEqual(keys.count, rows.count, "The rows' keys, each once")
                    try expect(
                        keys.isSuperset(of: known.links.map(\.target)), "Each member's row is there")
                }
            }
        }
        Promise("A fetch of some columns has those, with keys, versions and entities, and can't be saved") {
            trial in
            let games = try await trial.ledger()
            let desk = games.desk
            let layout = try desk.layout("Person")
            let name = try require(layout.columns.firstIndex { $0.name == "name" }, "The column")
            var plan = FetchPlan(
                entityIndex: layout.index,
                predicate: try FetchPredicate("mentor != NIL OR name = 'Max'").resolved(
                    for: layout, in: desk.model),
                order: [try SortKey("mentor.name").resolved(for: layout, in: desk.model)])
            let whole = try desk.read { try $0.fetch(plan) }
            plan.columns = [name]
            let part = try desk.read { try $0.fetch(plan) }
            plan.columns = []
            let bare = try desk.read { try $0.fetch(plan) }
            try expectEqual(part.loadedColumns, [name], "The columns")
            try expectEqual(bare.loadedColumns, [], "The columns where none are wanted")
            try expectEqual(
                try desk.values("name", of: part, "Person"), ["Max", "Mia", "Paul"].map { .string($0) },
                "The names")
            for rows in [part, bare] {
                try expectEqual((0..<rows.count).map(rows.key), (0..<3).map(whole.key), "The keys")
                try expectEqual(
                    (0..<rows.count).map(rows.version), (0..<3).map(whole.version), "The versions")
                try expectEqual(
                    (0..<rows.count).map(rows.entityIndex), (0..<3).map(whole.entityIndex), "The entities")
                var changes = ChangeSet()
                changes.inserts = [ChangeSet.Insertion(entityIndex: layout.index, rows: rows)]
                try expectError(.unsupportedRequest) { try desk.conflicts(of: changes) }
            }
        }
    }
}
