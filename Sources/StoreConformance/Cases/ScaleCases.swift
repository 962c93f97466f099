import ContextCore
import Foundation

extension Topic {
    /// Requests with many keys, and partial rows.
    static let scale: Topic = Topic("scale") {
        Requirement("Rows are fetched by seventy thousand keys at once, of which few exist") { run in
            let harness = try run.boxesAndItems()
            let keys = Array((1...70_000).reversed()) as [Int64]
            let rows = try harness.read { try $0.rows(keys, entityIndex: try harness.layout("Item").index) }
            try expectEqual((0..<rows.count).map(rows.key).sorted(), [1, 2, 3], "The keys")
            let names = Set(try harness.values("name", of: rows, "Item"))
            try expectEqual(names, [.string("one"), .string("two"), .string("three")], "The names")
        }
        Requirement("Relationships of seventy thousand owners are fetched at once, by reference and by links")
        {
            run in
            let harness = try run.harness(GameModel.classes)
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Person", (1...2).map { ($0, ["name": .string("p")]) }),
                try harness.insertion(
                    "Game",
                    (1...3).map { ($0, ["title": .string("\($0)"), "playerCount": .int(0)]) }),
                try harness.insertion(
                    "Round", (1...4).map { ($0, ["number": .int($0), "game": .int($0 < 3 ? 1 : 3)]) }),
            ]
            let fans = try harness.relationship("fans", of: "Game")
            changes.links = [
                fans.change(
                    placing: [(1, 1), (3, 2), (3, 1)].map { RelatedRows.Link(owner: $0, target: $1) })
            ]
            try harness.save(changes)
            let owners = Array((1...70_000).reversed()) as [Int64]
            try expectEqual(
                try fans.targets(of: owners), [1, 2, 1], "The fans, from the last game to the first")
            let rounds = try harness.relationship("rounds", of: "Game")
            try expectEqual(try rounds.targets(of: owners), [3, 4, 1, 2], "The rounds")
            let plan = RelatedPlan(entityIndex: fans.entityIndex, slot: fans.slot, owners: owners)
            let rows = try require(try harness.read { try $0.related(plan).rows }, "The rows")
            try expectEqual((0..<rows.count).map(rows.key).sorted(), [1, 2], "The fans' keys, each once")
        }
        Requirement(
            "Fetching a relationship of all owners yields the same members as by keys, also with many rows without an owner"
        ) {
            run in
            let harness = try run.harness(GameModel.classes)
            let owners = Array((1...100).map { Int64($0) }.shuffled())
            // The keys of an owner's members are far apart, and rounds are ordered by descending key.
            let owner = { (key: Int64) in key * 7 % 97 + 1 }
            let employee = { (key: Int64) -> (Int64, [String: StoredValue]) in
                let (role, salary) = (StoredValue.string("cook"), StoredValue.decimal(Decimal(key)))
                return (key, ["name": role, "role": role, "salary": salary, "mentor": .int(owner(key))])
            }
            let rounds = try harness.relationship("rounds", of: "Game")
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion(
                    "Game", owners.map { ($0, ["title": .string("\($0)"), "playerCount": .int(0)]) }),
                try harness.insertion(
                    "Round", (1...600).map { ($0, ["number": .int($0), "game": .int(owner($0))]) }),
                try harness.insertion("Person", owners.map { ($0, ["name": .string("\($0)")]) }),
                // The members are rows of two entities.
                try harness.insertion(
                    "Person", (101...300).map { ($0, ["name": .string("p"), "mentor": .int(owner($0))]) }),
                try harness.insertion("Employee", (301...500).map(employee)),
            ]
            changes.links = [
                rounds.change(
                    placing: (1...600).map { .init(owner: owner($0), target: $0, position: 1000 - $0) })
            ]
            try harness.save(changes)
            for ownerless in [601...605, 606...700, 701...1500] as [ClosedRange<Int64>] {
                var changes = ChangeSet()
                changes.inserts = [
                    try harness.insertion("Round", ownerless.map { ($0, ["number": .int($0)]) })
                ]
                try harness.save(changes)
                try rounds.expectAll(owners)
                try harness.relationship("pupils", of: "Person").expectAll(owners)
            }
        }
        Requirement(
            "A fetch of some columns has keys, versions and entities too, and partial rows can't be saved"
        ) {
            run in
            let games = try await run.aggregateHarness()
            let harness = games.harness
            let layout = try harness.layout("Person")
            let name = try require(layout.columns.firstIndex { $0.name == "name" }, "The column")
            var plan = FetchPlan(
                entityIndex: layout.index,
                predicate: try FetchPredicate("mentor != NIL OR name = 'Max'").resolved(
                    for: layout, in: harness.model),
                order: [try SortKey("mentor.name").resolved(for: layout, in: harness.model)])
            let whole = try harness.read { try $0.fetch(plan) }
            plan.columns = [name]
            let part = try harness.read { try $0.fetch(plan) }
            plan.columns = []
            let bare = try harness.read { try $0.fetch(plan) }
            try expectEqual(part.loadedColumns, [name], "The columns")
            try expectEqual(bare.loadedColumns, [], "The columns if none are requested")
            try expectEqual(
                try harness.values("name", of: part, "Person"), ["Max", "Mia", "Paul"].map { .string($0) },
                "The names")
            for rows in [part, bare] {
                try expectEqual((0..<rows.count).map(rows.key), (0..<3).map(whole.key), "The keys")
                try expectEqual(
                    (0..<rows.count).map(rows.version), (0..<3).map(whole.version), "The versions")
                try expectEqual(
                    (0..<rows.count).map(rows.entityIndex), (0..<3).map(whole.entityIndex), "The entities")
                var changes = ChangeSet()
                changes.inserts = [ChangeSet.Insertion(entityIndex: layout.index, rows: rows)]
                try expectError(.unsupportedRequest) { try harness.conflicts(of: changes) }
            }
        }
    }
}
