import ContextCore

extension Topic {
    /// Batch updates and deletions, performed by sessions.
    static let batches: Topic = Topic("batches") {
        Requirement(
            "A batch update changes the rows that satisfy its predicate, and increases their versions"
        ) {
            run in
            let harness = try run.boxesAndItems()
            let receipt = try harness.perform(
                "Item", .update(["name": .string("new")]), where: "box.name = 'outer'")
            try expectEqual(receipt.conflicts, [], "The conflicts")
            try expectEqual(receipt.changes.map(\.key), [1, 2], "The changed keys")
            let rows = try harness.read {
                try $0.rows([1, 2, 3], entityIndex: try harness.layout("Item").index)
            }
            let names = Dictionary(
                uniqueKeysWithValues: try zip((0..<3).map(rows.key), harness.values("name", of: rows, "Item"))
            )
            try expectEqual(names, [1: .string("new"), 2: .string("new"), 3: .string("three")], "The names")
            let versions = Dictionary(
                uniqueKeysWithValues: (0..<3).map { (rows.key(at: $0), rows.version(at: $0)) })
            try expectEqual(versions, [1: 2, 2: 2, 3: 1], "The versions")
        }
        Requirement("A batch update enforces validation rules and unique constraints") { run in
            let harness = try run.boxesAndItems()
            try expectError(.validation) { try harness.perform("Item", .update(["name": .null])) }
            var seats = ChangeSet()
            seats.inserts = [
                try harness.insertion(
                    "Seat", (1...2).map { ($0, ["hall": .string("A"), "row": .int(1), "number": .int($0)]) })
            ]
            try harness.save(seats)
            let receipt = try harness.perform("Seat", .update(["number": .int(9)]))
            try expect(
                !receipt.conflicts.isEmpty && receipt.changes.isEmpty,
                "A unique value in use makes the batch fail")
            let found = try harness.perform("Seat", .update(["number": .int(7)]), where: "number = 9")
            try expectEqual(found.changes, [], "The rows with the number that collided")
        }
        Requirement("A batch deletion applies the delete rules") { run in
            let harness = try run.boxesAndItems()
            var more = ChangeSet()
            more.inserts = [
                try harness.insertion("Label", [(1, ["name": .string("label"), "box": .int(1)])]),
                try harness.insertion("Note", [(1, ["name": .string("note"), "box": .int(1)])]),
            ]
            try harness.save(more)
            let receipt = try harness.perform("Box", .delete, where: "name = 'outer'")
            let kinds = receipt.changes.map {
                "\($0.kind.rawValue) \(harness.model.layouts[$0.entityIndex].name) \($0.key)"
            }
            try expectEqual(
                Set(kinds), ["delete Box 1", "delete Item 1", "delete Item 2", "update Label 1"],
                "The changes")
            try AggregateHarness(harness: harness).expect(
                ["name", "box"], of: "Label", is: [[.string("label"), .null]])
            try AggregateHarness(harness: harness).expect(
                ["name"], of: "Note", where: "box.name = 'outer'", is: [])
            try AggregateHarness(harness: harness).expect(["name"], of: "Item", is: [[.string("three")]])
        }
        Requirement("A batch deletion fails as a whole where a delete rule denies it") { run in
            let harness = try run.boxesAndItems()
            var account = ChangeSet()
            account.inserts = [
                try harness.insertion(
                    "Account",
                    [(1, ["login": .string("ann"), "age": .int(3), "home": .int(2), "number": .int(0)])])
            ]
            try harness.save(account)
            let receipt = try harness.perform("Box", .delete)
            let box = try harness.layout("Box").index
            try expectEqual(
                receipt.conflicts,
                [RowConflict(entityIndex: box, key: 2, reason: .denied(property: "accounts"))],
                "The conflicts")
            try AggregateHarness(harness: harness).expect(["@count"], of: "Box", is: [[.int(2)]])
            try AggregateHarness(harness: harness).expect(["@count"], of: "Item", is: [[.int(3)]])
        }
        Requirement("A batch is one transaction in the history", requires: .history) { run in
            let harness = try run.boxesAndItems()
            let before = try harness.read { $0.token }
            try harness.perform("Item", .update(["name": .string("new")]))
            let history = try harness.read { try $0.history(HistoryRequest(after: before)) }
            try expectEqual(history.count, 1, "The number of transactions")
            try expectEqual(history.first?.changes.map(\.key), [1, 2, 3], "The changed keys")
            try expectEqual(
                history.first?.changes.first?.changedProperties, ["name"], "The changed properties")
        }
    }
}

extension SessionHarness {
    enum Batch {
        case insert([(Int64, [String: StoredValue])])
        case update([String: StoredValue])
        /// Inserts rows, or sets some columns of the rows with the same values of a constraint.
        case upsert([(Int64, [String: StoredValue])], matching: [String], setting: [String])
        /// Inserts the rows that violate no unique constraint.
        case ignoring([(Int64, [String: StoredValue])])
        case delete
    }

    /// Returns the plan of a batch whose predicate is given as text.
    func plan(
        _ entity: String, _ batch: Batch, where predicate: String? = nil, subentities: Bool = true
    ) throws -> BatchPlan {
        let layout = try layout(entity)
        let operation: BatchPlan.Operation
        switch batch {
        case .insert(let rows): operation = .insert(try self.rows(entity, rows))
        case .ignoring(let rows):
            operation = .upsert(BatchUpsert(ignoringDuplicates: try self.rows(entity, rows)))
        case .upsert(let rows, let names, let setting):
            let constraint = try require(
                layout.uniqueConstraints.first { $0.names == names }, "The constraint of \(names)")
            let group = BatchUpsert.Group(
                rows: try self.rows(entity, version: RowBatch.firstVersion, rows),
                columns: try setting.map { name in
                    try require(layout.columns.firstIndex { $0.name == name }, "The column \(name)")
                }.sorted())
            operation = .upsert(BatchUpsert(updating: [group], matching: constraint))
        case .delete: operation = .delete
        case .update(let values):
            operation = .update(
                Dictionary(
                    uniqueKeysWithValues: try values.map { name, value in
                        (
                            try require(layout.columns.firstIndex { $0.name == name }, "The column \(name)"),
                            value
                        )
                    }))
        }
        let resolved = try predicate.map { try FetchPredicate($0).resolved(for: layout, in: model) }
        return BatchPlan(
            entityIndex: layout.index, includesSubentities: subentities, predicate: resolved,
            operation: operation, author: "batch")
    }

    /// Performs a batch whose predicate is given as text, and commits.
    @discardableResult
    func perform(
        _ entity: String, _ batch: Batch, where predicate: String? = nil, subentities: Bool = true
    ) throws -> BatchReceipt {
        let plan = try plan(entity, batch, where: predicate, subentities: subentities)
        return try write { try $0.perform(plan) }.result
    }
}
