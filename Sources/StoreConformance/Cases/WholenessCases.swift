import ContextCore

extension Topic {
    /// Atomicity of change sets and batches, and their conflicts.
    static let atomicity: Topic = Topic("atomicity") {
        Promise(
            "A change set with a conflict changes nothing, and its session's earlier changes are committed"
        ) {
            trial in
            let desk = try trial.desk(GameModel.classes)
            var first = ChangeSet(author: "first")
            first.inserts = [
                try desk.insertion("Person", [(1, ["name": .string("Ann")])]),
                try desk.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
            ]
            let fans = try desk.relationship("fans", of: "Game")
            func doomed(_ key: Int64, base: Int64, title: String) throws -> ChangeSet {
                var changes = ChangeSet(author: "doomed")
                changes.inserts = [
                    try desk.insertion("Game", [(key, ["title": .string(title), "playerCount": .int(0)])])
                ]
                changes.updates = [
                    try desk.update("Person", 1, base: base, ["name": .string("Bea")], changing: ["name"])
                ]
                changes.links = [fans.change(placing: [RelatedRows.Link(owner: 1, target: 1)])]
                return changes
            }
            let saved = try desk.write { session in
                try expectEqual(try session.apply(first).conflicts, [], "The conflicts of the first")
                let token = session.token
                let stale = try session.apply(doomed(2, base: 9, title: "Chess")).conflicts
                try expectEqual(stale.map(\.reason), [.changed(storedVersion: 1)], "The stale row")
                let double = try session.apply(doomed(3, base: 1, title: "Go")).conflicts
                try expectEqual(
                    double.map(\.reason), [.duplicate(constraint: ["title"], otherKey: 1)], "The duplicate")
                try expectEqual(session.token, token, "The token after the conflicts")
                let games = FetchPlan(entityIndex: try desk.layout("Game").index)
                try expectEqual(try session.fetch(games).count, 1, "The games that the session sees")
            }.token
            let ledger = Ledger(desk: desk)
            try ledger.expect(["title"], of: "Game", is: [[.string("Go")]])
            try ledger.expect(["name"], of: "Person", is: [[.string("Ann")]])
            try expectEqual(try fans.targets(of: [1]), [], "The links")
            try expectEqual(try desk.read { $0.token }, saved, "The token")
            guard desk.coordinator.capabilities.contains(.history) else { return }
            let authors = try desk.read { try $0.history(HistoryRequest()).map(\.author) }
            try expectEqual(authors, ["first"], "The authors")
        }
        Promise("A batch with a conflict changes nothing, and its session's earlier changes are committed") {
            trial in
            let desk = try trial.boxesAndItems()
            var first = ChangeSet(author: "first")
            first.inserts = [
                try desk.seats([(1, "a"), (2, "b")]),
                try desk.insertion("Label", [(1, ["name": .string("l"), "box": .int(1)])]),
                try desk.insertion(
                    "Account",
                    [(1, ["login": .string("ann"), "age": .int(3), "home": .int(2), "number": .int(0)])]),
            ]
            try desk.write { session in
                try expectEqual(try session.apply(first).conflicts, [], "The conflicts of the first")
                let token = session.token
                for plan in [
                    try desk.plan("Seat", .update(["code": .string("c")])),
                    try desk.plan("Item", .update(["box": .int(50)])),
                    try desk.plan("Box", .delete),
                    try desk.plan("Label", .insert([9, 1].map { ($0, ["name": .string("new")]) })),
                ] {
                    let receipt = try session.perform(plan)
                    try expect(!receipt.conflicts.isEmpty, "There is a conflict")
                    try expectEqual(receipt.changes, [], "The changes")
                }
                try expectEqual(session.token, token, "The token after the conflicts")
            }
            let ledger = Ledger(desk: desk)
            try ledger.expect(["code"], of: "Seat", is: [[.string("a")], [.string("b")]])
            try ledger.expect(["box"], of: "Item", is: [[.int(1)], [.int(1)], [.int(2)]])
            try ledger.expect(["box"], of: "Label", is: [[.int(1)]])
            try ledger.expect(["@count"], of: "Box", is: [[.int(2)]])
        }
        Promise("Violated constraints are reported only if no version is stale") { trial in
            let desk = try trial.boxesAndItems()
            var changes = ChangeSet()
            changes.inserts = [
                try desk.seats([(1, "x"), (2, "x")]),
                try desk.insertion("Item", [(9, ["name": .string("x"), "box": .int(77)])]),
            ]
            changes.updates = [
                try desk.update("Box", 1, base: 7, ["name": .string("x")], changing: ["name"])
            ]
            let box = try desk.layout("Box").index
            try expectEqual(
                try desk.conflicts(of: changes),
                [RowConflict(entityIndex: box, key: 1, reason: .changed(storedVersion: 1))],
                "The conflicts with a stale version")
            changes.updates = []
            let (seat, item) = (try desk.layout("Seat").index, try desk.layout("Item").index)
            try expectEqual(
                Set(try desk.conflicts(of: changes)),
                [
                    RowConflict(
                        entityIndex: seat, key: 1, reason: .duplicate(constraint: ["code"], otherKey: 2)),
                    RowConflict(
                        entityIndex: seat, key: 2, reason: .duplicate(constraint: ["code"], otherKey: 1)),
                    RowConflict(entityIndex: item, key: 9, reason: .missingReference(property: "box")),
                ], "The conflicts without a stale version")
        }
        Promise("A duplicate among several rows with one unique value names the row with the lowest key") {
            trial in
            let desk = try trial.desk()
            let seat = try desk.layout("Seat").index
            func conflicts(_ keys: [Int64]) throws -> Set<RowConflict> {
                var changes = ChangeSet()
                changes.inserts = [try desk.seats(keys.map { ($0, "x") })]
                return Set(try desk.conflicts(of: changes))
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
            stored.inserts = [try desk.seats([(11, "x")])]
            try desk.save(stored)
            try expectEqual(
                try conflicts([12, 10, 14]), named([10: 11, 12: 10, 14: 10]),
                "The conflicts with a stored row")
        }
        Promise("Deleting a missing row is a conflict only if a base version is given") { trial in
            let desk = try trial.boxesAndItems()
            let item = try desk.layout("Item").index
            let token = try desk.read { $0.token }
            var gone = ChangeSet()
            gone.deletes = [try desk.deletion("Item", 99, base: nil)]
            try expectEqual(try desk.save(gone), token, "The token after deleting a missing row")
            gone.deletes.append(try desk.deletion("Item", 1, base: nil))
            try desk.save(gone)
            try Ledger(desk: desk).expect(["name"], of: "Item", is: [[.string("two")], [.string("three")]])
            gone.deletes = [try desk.deletion("Item", 1, base: 1)]
            try expectEqual(
                try desk.conflicts(of: gone), [RowConflict(entityIndex: item, key: 1, reason: .deleted)],
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
            desk: self, entityIndex: layout.index,
            slot: try require(layout.property(named: name), "The relationship \(name)").slot)
    }
}

/// Reads and changes the links of one relationship.
struct LinkHarness {
    let desk: SessionHarness
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
            let known = try desk.read { try $0.related(plan) }
            try expect(known.links.count > 100, "There are members")
            plan.ownersAreAll = true
            let found = try desk.read { try $0.related(plan) }
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
        return try desk.read { try $0.related(plan).links.map(\.target) }
    }
}
