import ContextCore

extension Topic {
    /// Atomicity of change sets and batches, and their conflicts.
    static let atomicity: Topic = Topic("atomicity") {
        Requirement(
            "A change set with a conflict changes nothing, and its session's earlier changes are committed"
        ) {
            run in
            let harness = try run.harness(GameModel.classes)
            var first = ChangeSet(author: "first")
            first.inserts = [
                try harness.insertion("Person", [(1, ["name": .string("Ann")])]),
                try harness.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
            ]
            let fans = try harness.relationship("fans", of: "Game")
            func doomed(_ key: Int64, base: Int64, title: String) throws -> ChangeSet {
                var changes = ChangeSet(author: "doomed")
                changes.inserts = [
                    try harness.insertion("Game", [(key, ["title": .string(title), "playerCount": .int(0)])])
                ]
                changes.updates = [
                    try harness.update("Person", 1, base: base, ["name": .string("Bea")], changing: ["name"])
                ]
                changes.links = [fans.change(placing: [RelatedRows.Link(owner: 1, target: 1)])]
                return changes
            }
            let saved = try harness.write { session in
                try expectEqual(try session.apply(first).conflicts, [], "The conflicts of the first")
                let token = session.token
                let stale = try session.apply(doomed(2, base: 9, title: "Chess")).conflicts
                try expectEqual(stale.map(\.reason), [.changed(storedVersion: 1)], "The stale row")
                let double = try session.apply(doomed(3, base: 1, title: "Go")).conflicts
                try expectEqual(
                    double.map(\.reason), [.duplicate(constraint: ["title"], otherKey: 1)], "The duplicate")
                try expectEqual(session.token, token, "The token after the conflicts")
                let games = FetchPlan(entityIndex: try harness.layout("Game").index)
                try expectEqual(try session.fetch(games).count, 1, "The games that the session sees")
            }.token
            let aggregateHarness = AggregateHarness(harness: harness)
            try aggregateHarness.expect(["title"], of: "Game", is: [[.string("Go")]])
            try aggregateHarness.expect(["name"], of: "Person", is: [[.string("Ann")]])
            try expectEqual(try fans.targets(of: [1]), [], "The links")
            try expectEqual(try harness.read { $0.token }, saved, "The token")
            guard harness.coordinator.capabilities.contains(.history) else { return }
            let authors = try harness.read { try $0.history(HistoryRequest()).map(\.author) }
            try expectEqual(authors, ["first"], "The authors")
        }
        Requirement(
            "A batch with a conflict changes nothing, and its session's earlier changes are committed"
        ) {
            run in
            let harness = try run.boxesAndItems()
            var first = ChangeSet(author: "first")
            first.inserts = [
                try harness.seats([(1, "a"), (2, "b")]),
                try harness.insertion("Label", [(1, ["name": .string("l"), "box": .int(1)])]),
                try harness.insertion(
                    "Account",
                    [(1, ["login": .string("ann"), "age": .int(3), "home": .int(2), "number": .int(0)])]),
            ]
            try harness.write { session in
                try expectEqual(try session.apply(first).conflicts, [], "The conflicts of the first")
                let token = session.token
                for plan in [
                    try harness.plan("Seat", .update(["code": .string("c")])),
                    try harness.plan("Item", .update(["box": .int(50)])),
                    try harness.plan("Box", .delete),
                    try harness.plan("Label", .insert([9, 1].map { ($0, ["name": .string("new")]) })),
                ] {
                    let receipt = try session.perform(plan)
                    try expect(!receipt.conflicts.isEmpty, "There is a conflict")
                    try expectEqual(receipt.changes, [], "The changes")
                }
                try expectEqual(session.token, token, "The token after the conflicts")
            }
            let aggregateHarness = AggregateHarness(harness: harness)
            try aggregateHarness.expect(["code"], of: "Seat", is: [[.string("a")], [.string("b")]])
            try aggregateHarness.expect(["box"], of: "Item", is: [[.int(1)], [.int(1)], [.int(2)]])
            try aggregateHarness.expect(["box"], of: "Label", is: [[.int(1)]])
            try aggregateHarness.expect(["@count"], of: "Box", is: [[.int(2)]])
        }
        Requirement("Violated constraints are reported only if no version is stale") { run in
            let harness = try run.boxesAndItems()
            var changes = ChangeSet()
            changes.inserts = [
                try harness.seats([(1, "x"), (2, "x")]),
                try harness.insertion("Item", [(9, ["name": .string("x"), "box": .int(77)])]),
            ]
            changes.updates = [
                try harness.update("Box", 1, base: 7, ["name": .string("x")], changing: ["name"])
            ]
            let box = try harness.layout("Box").index
            try expectEqual(
                try harness.conflicts(of: changes),
                [RowConflict(entityIndex: box, key: 1, reason: .changed(storedVersion: 1))],
                "The conflicts with a stale version")
            changes.updates = []
            let (seat, item) = (try harness.layout("Seat").index, try harness.layout("Item").index)
            try expectEqual(
                Set(try harness.conflicts(of: changes)),
                [
                    RowConflict(
                        entityIndex: seat, key: 1, reason: .duplicate(constraint: ["code"], otherKey: 2)),
                    RowConflict(
                        entityIndex: seat, key: 2, reason: .duplicate(constraint: ["code"], otherKey: 1)),
                    RowConflict(entityIndex: item, key: 9, reason: .missingReference(property: "box")),
                ], "The conflicts without a stale version")
        }
        Requirement("A duplicate among several rows with one unique value names the row with the lowest key")
        {
            run in
            let harness = try run.harness()
            let seat = try harness.layout("Seat").index
            func conflicts(_ keys: [Int64]) throws -> Set<RowConflict> {
                var changes = ChangeSet()
                changes.inserts = [try harness.seats(keys.map { ($0, "x") })]
                return Set(try harness.conflicts(of: changes))
            }
            func named(_ pairs: [Int64: Int64]) -> Set<RowConflict> {
                Set(
                    pairs.map {
                        RowConflict(
                            entityIndex: seat, key: $0.key,
                            reason: .duplicate(constraint: ["code"], otherKey: $0.value))
                    })
            }
            try expectEqual(try conflicts([12, 10, 11]), named([10: 11, 11: 10, 12: 10]), "The conflicts")
            var stored = ChangeSet()
            stored.inserts = [try harness.seats([(11, "x")])]
            try harness.save(stored)
            try expectEqual(
                try conflicts([12, 10, 14]), named([10: 11, 12: 10, 14: 10]),
                "The conflicts with a stored row")
        }
        Requirement("Deleting a missing row is a conflict only if a base version is given") { run in
            let harness = try run.boxesAndItems()
            let item = try harness.layout("Item").index
            let token = try harness.read { $0.token }
            var gone = ChangeSet()
            gone.deletes = [try harness.deletion("Item", 99, base: nil)]
            try expectEqual(try harness.save(gone), token, "The token after deleting a missing row")
            gone.deletes.append(try harness.deletion("Item", 1, base: nil))
            try harness.save(gone)
            try AggregateHarness(harness: harness).expect(
                ["name"], of: "Item", is: [[.string("two")], [.string("three")]])
            gone.deletes = [try harness.deletion("Item", 1, base: 1)]
            try expectEqual(
                try harness.conflicts(of: gone), [RowConflict(entityIndex: item, key: 1, reason: .deleted)],
                "The conflicts")
        }
    }
}

extension SessionHarness {
    /// Returns an insertion of seats with the given keys and codes; the keys are also the seats' numbers.
    func seats(_ seats: [(key: Int64, code: String)]) throws -> ChangeSet.Insertion {
        try insertion(
            "Seat",
            seats.map {
                ($0.key, ["hall": .string("A"), "number": .int($0.key), "code": .string($0.code)])
            })
    }

    func relationship(_ name: String, of entity: String) throws -> LinkHarness {
        let layout = try layout(entity)
        return LinkHarness(
            harness: self, entityIndex: layout.index,
            slot: try require(layout.property(named: name), "The relationship \(name)").slot)
    }
}

/// Reads and changes the links of one relationship.
struct LinkHarness {
    let harness: SessionHarness
    let entityIndex: Int
    let slot: Int

    func change(placing placed: [RelatedRows.Link] = [], removing removed: [RelatedRows.Link] = [])
        -> ChangeSet.LinkChange
    {
        ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, placed: placed, removed: removed)
    }

    /// Expects that a fetch with `ownersAreAll` returns the same links and rows as a fetch by keys, for all owners and for some.
    func expectAll(_ all: [Int64]) throws {
        for owners in [all, all.sorted(), Array(all.dropFirst(20))] {
            var plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: owners)
            let known = try harness.read { try $0.related(plan) }
            try expect(known.links.count > 100, "There are members")
            plan.ownersAreAll = true
            let found = try harness.read { try $0.related(plan) }
            try expectEqual(found.links, known.links, "The links of \(owners.count) owners")
            let rows = try require(found.rows, "The rows")
            let keys = (0..<rows.count).map(rows.key)
            try expectEqual(
                keys.sorted(), Set(known.links.map(\.target)).sorted(), "The members' rows, each once")
        }
    }

    /// Returns the keys of the targets, owner by owner.
    func targets(of owners: [Int64]) throws -> [Int64] {
        let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: owners, includesRows: false)
        return try harness.read { try $0.related(plan).links.map(\.target) }
    }
}
