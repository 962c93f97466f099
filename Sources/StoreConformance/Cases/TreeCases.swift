import ContextCore

extension Topic {
    /// Unique constraints and entity inheritance.
    static let trees: Topic = Topic("trees") {
        Requirement("A superentity's unique constraint applies across its subentities") { run in
            let harness = try run.harness(OfficeModel.classes)
            var stored = ChangeSet()
            stored.inserts = [try harness.insertion("Letter", [(1, ["number": .int(7)])])]
            try harness.save(stored)
            let bill = try harness.layout("Bill").index
            var changes = ChangeSet()
            changes.inserts = [try harness.bills([2: 7])]
            try expectEqual(
                try harness.conflicts(of: changes),
                [
                    RowConflict(
                        entityIndex: bill, key: 2, reason: .duplicate(constraint: ["number"], otherKey: 1))
                ], "The conflicts with a stored letter")
            changes.inserts = [
                try harness.bills([2: 8]), try harness.insertion("Paper", [(3, ["number": .int(8)])]),
            ]
            let paper = try harness.layout("Paper").index
            try expectEqual(
                Set(try harness.conflicts(of: changes)),
                [
                    RowConflict(
                        entityIndex: bill, key: 2, reason: .duplicate(constraint: ["number"], otherKey: 3)),
                    RowConflict(
                        entityIndex: paper, key: 3, reason: .duplicate(constraint: ["number"], otherKey: 2)),
                ], "The conflicts inside a change set")
        }
        Requirement("A subentity's unique constraint doesn't apply to its siblings or its superentity") {
            run in
            let harness = try run.harness(OfficeModel.classes)
            func row(_ key: Int64) -> (Int64, [String: StoredValue]) {
                (key, ["number": .int(key), "code": .string("x"), "amount": .int(0)])
            }
            var stored = ChangeSet()
            stored.inserts = [
                try harness.insertion("Letter", [row(1)]), try harness.insertion("Bill", [row(2), row(3)]),
                try harness.insertion("Paper", [row(4), row(5)]),
            ]
            try harness.save(stored)
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Letter", [row(6)])]
            let letter = try harness.layout("Letter").index
            try expectEqual(
                try harness.conflicts(of: changes),
                [
                    RowConflict(
                        entityIndex: letter, key: 6, reason: .duplicate(constraint: ["code"], otherKey: 1))
                ], "The conflicts")
        }
        Requirement("Contexts enforce the constraints of each level, also among pending objects") { run in
            let office = try await run.open(OfficeModel.classes)
            let editor = office.makeBackgroundContext()
            try await editor.perform { context in
                let letter = Letter(in: context)
                (letter.number, letter.code) = (1, "x")
                let bill = Bill(in: context)
                (bill.number, bill.code) = (1, "x")
                try expectError(.duplicate) { try context.save() }
                bill.number = 2
                try context.save()
                let other = Letter(in: context)
                (other.number, other.code) = (2, "y")
                try expectError(.duplicate) { try context.save() }
                (other.number, other.code) = (3, "x")
                try expectError(.duplicate) { try context.save() }
                other.code = "y"
                try context.save()
                try expectEqual(try context.count(Paper.self), 3, "The papers")
            }
        }
        Requirement("A batch enforces the constraints of each level") { run in
            let harness = try run.harness(OfficeModel.classes)
            var stored = ChangeSet()
            stored.inserts = [
                try harness.insertion("Letter", [(1, ["number": .int(1)])]), try harness.bills([2: 2, 3: 3]),
            ]
            try harness.save(stored)
            let receipt = try harness.perform("Bill", .update(["number": .int(1)]), where: "number = 2")
            try expectEqual(
                receipt.conflicts.map(\.reason), [.duplicate(constraint: ["number"], otherKey: 1)],
                "The conflicts of a bill with a letter")
            try expectEqual(
                try harness.perform("Paper", .update(["code": .string("x")])).conflicts, [],
                "The conflicts of one letter and bills with the same code")
        }
    }
}

extension SessionHarness {
    /// Returns an insertion of bills, whose numbers are given by key.
    fileprivate func bills(_ numbers: KeyValuePairs<Int64, Int64>) throws -> ChangeSet.Insertion {
        try insertion(
            "Bill", numbers.map { ($0.key, ["number": .int($0.value), "amount": .int(0)]) })
    }
}
