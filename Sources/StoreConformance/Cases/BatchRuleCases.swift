import ContextCore

extension Topic {
    /// Effects of batches on other rows, and conflicts of batches.
    static let batchRules: Topic = Topic("batches") {
        Requirement("Derived attributes follow a batch that moves, deletes and inserts members") { run in
            let games = try await run.aggregateHarness()
            let harness = games.harness
            func expectCounts(_ counts: [Int64], _ changes: [Int64], _ what: String) throws {
                try games.expect(["playerCount"], of: "Game", order: "title", is: counts.map { [.int($0)] })
                let rows = try harness.read { session in
                    try session.fetch(FetchPlan(entityIndex: try harness.layout("Game").index))
                }
                let titles = try harness.values("title", of: rows, "Game")
                let found = Dictionary(
                    uniqueKeysWithValues: zip(titles, (0..<rows.count).map(rows.version)))
                try expectEqual(
                    ["Chess", "Empty", "Go"].map { found[.string($0)] },
                    changes.map { RowBatch.firstVersion + $0 }, "The versions after \(what)")
            }
            try expectCounts([2, 0, 2], [0, 0, 0], "the beginning")
            let empty = try require(try harness.key(of: "Game", where: "title = 'Empty'"))
            let moved = try harness.perform(
                "Player", .update(["game": .int(empty)]), where: "name IN {'Ann', 'Cid', 'Eve'}")
            try expectCounts([1, 3, 1], [1, 1, 1], "moving players")
            let game = try harness.layout("Game").index
            try expectEqual(
                moved.changes.filter { $0.entityIndex == game }.map(\.changedProperties),
                Array(repeating: ["playerCount"], count: 3), "The changed properties of games in the receipt")
            try harness.perform("Player", .delete, where: "name IN {'Ann', 'Bob'}")
            try expectCounts([1, 2, 0], [1, 2, 2], "deleting players")
            let values: [String: StoredValue] = [
                "name": .string("New"), "score": .int(1), "isActive": .bool(true), "game": .int(empty),
            ]
            try harness.perform("Player", .insert([100, 101].map { ($0, values) }))
            try expectCounts([1, 4, 0], [1, 3, 2], "inserting players")
            try harness.perform("Player", .update(["score": .int(5)]))
            try expectCounts([1, 4, 0], [1, 3, 2], "a change of an attribute that isn't counted")
        }
        Requirement("A batch that assigns a reference moves the rows, or reports that the target is missing")
        {
            run in
            let harness = try run.boxesAndItems()
            let item = try harness.layout("Item").index
            let lost = try harness.perform("Item", .update(["box": .int(50)]), where: "box.name = 'outer'")
            try expectEqual(
                Set(lost.conflicts),
                Set(
                    [1, 2].map {
                        RowConflict(entityIndex: item, key: $0, reason: .missingReference(property: "box"))
                    }), "The conflicts")
            let aggregateHarness = AggregateHarness(harness: harness)
            try aggregateHarness.expect(["box"], of: "Item", is: [[.int(1)], [.int(1)], [.int(2)]])
            let moved = try harness.perform("Item", .update(["box": .int(2)]), where: "box.name = 'outer'")
            try expectEqual(moved.conflicts, [], "The conflicts of a reference with a target")
            try aggregateHarness.expect(["box"], of: "Item", is: [[.int(2)], [.int(2)], [.int(2)]])
        }
        Requirement("A batch can't nullify a required reference") { run in
            let harness = try run.harness(OfficeModel.classes)
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Folder", (1...3).map { ($0, ["name": .string("\($0)")]) }),
                try harness.insertion(
                    "Sheet", (1...3).map { ($0, ["name": .string("s"), "folder": .int($0 == 3 ? 2 : $0)]) }),
            ]
            try harness.save(changes)
            let receipt = try harness.perform("Folder", .delete, where: "name IN {'2', '3'}")
            let sheet = try harness.layout("Sheet").index
            try expectEqual(
                Set(receipt.conflicts),
                Set(
                    [2, 3].map {
                        RowConflict(
                            entityIndex: sheet, key: $0, reason: .missingReference(property: "folder"))
                    }), "The conflicts")
            try AggregateHarness(harness: harness).expect(["@count"], of: "Folder", is: [[.int(3)]])
            try expectEqual(
                try harness.perform("Folder", .delete, where: "name = '3'").conflicts, [],
                "The conflicts of a folder without sheets")
        }
        Requirement("A batch includes subentities, unless its request excludes them") { run in
            let games = try await run.aggregateHarness()
            let harness = games.harness
            func expectNames(_ names: [String]) throws {
                try games.expect(["name"], of: "Person", order: "name", is: names.map { [.string($0)] })
            }
            try harness.perform("Person", .update(["name": .string("X")]), subentities: false)
            try expectNames(["Max", "Mia", "X"])
            try harness.perform("Employee", .update(["name": .string("Y")]))
            try expectNames(["X", "Y", "Y"])
            try harness.perform("Person", .delete, where: "name != 'Z'", subentities: false)
            try expectNames(["Y", "Y"])
            try harness.perform("Person", .delete)
            try expectNames([])
        }
        Requirement("A batch insertion reports duplicate keys and unique values, also among its own rows") {
            run in
            let harness = try run.boxesAndItems()
            var stored = ChangeSet()
            stored.inserts = [try harness.seats([(1, "a")])]
            try harness.save(stored)
            func row(_ key: Int64, _ code: String) -> (Int64, [String: StoredValue]) {
                (key, ["hall": .string("A"), "number": .int(key), "code": .string(code)])
            }
            func reasons(_ rows: [(Int64, [String: StoredValue])]) throws -> [Int64: RowConflict.Reason] {
                let receipt = try harness.perform("Seat", .insert(rows))
                return Dictionary(receipt.conflicts.map { ($0.key, $0.reason) }) { first, _ in first }
            }
            try expectEqual(
                try reasons([row(2, "a"), row(1, "c")]), [1: .duplicate(constraint: [], otherKey: 1)],
                "The conflicts of a duplicate key")
            try expectEqual(
                try reasons([row(2, "b"), row(3, "b"), row(4, "a")]),
                [
                    2: .duplicate(constraint: ["code"], otherKey: 3),
                    3: .duplicate(constraint: ["code"], otherKey: 2),
                    4: .duplicate(constraint: ["code"], otherKey: 1),
                ], "The conflicts of duplicate values")
            try AggregateHarness(harness: harness).expect(["code"], of: "Seat", is: [[.string("a")]])
            try expectEqual(
                try reasons([row(2, "b"), row(3, "c")]), [:], "The conflicts of unique rows")
            let next = try harness.write {
                try $0.reserveKeys(1, rootIndex: try harness.layout("Seat").rootIndex)
            }.result
            try expect(next.lowerBound > 3, "Keys of inserted rows are not reserved again")
        }
        Requirement("A batch insertion enforces validation rules, and reports every failure") { run in
            let harness = try run.boxesAndItems()
            let error = try expectError(.validation) {
                try harness.perform(
                    "Account",
                    .insert([
                        (1, ["login": .string("ANN"), "age": .int(3), "home": .int(1), "number": .int(0)]),
                        (2, ["login": .string("bob"), "age": .int(200), "number": .int(0)]),
                    ]))
            }
            try expectEqual(
                error.failures.compactMap(\.property).sorted(), ["age", "home", "login"], "The failures")
            try AggregateHarness(harness: harness).expect(["@count"], of: "Account", is: [[.int(0)]])
        }
    }
}

extension SessionHarness {
    /// Returns the key of the only row that satisfies a predicate, or nil if none or several do.
    func key(of entity: String, where predicate: String) throws -> Int64? {
        let layout = try layout(entity)
        let plan = FetchPlan(
            entityIndex: layout.index,
            predicate: try FetchPredicate(predicate).resolved(for: layout, in: model), columns: [])
        let rows = try read { try $0.fetch(plan) }
        return rows.count == 1 ? rows.key(at: 0) : nil
    }
}
