import ContextCore

extension Topic {
    /// Unique constraints and entity inheritance.
    static let trees: Topic = Topic("trees") {
        Promise("A superentity's unique constraint applies across its subentities") { trial in
            let desk = try trial.desk(OfficeModel.classes)
            var stored = ChangeSet()
            stored.inserts = [try desk.insertion("Letter", [(1, ["number": .int(7)])])]
            try desk.save(stored)
            let bill = try desk.layout("Bill").index
            var changes = ChangeSet()
            changes.inserts = [try desk.bills([2: 7])]
            try expectEqual(
                try desk.conflicts(of: changes),
                [
                    RowConflict(
                        entityIndex: bill, key: 2, reason: .duplicate(constraint: ["number"], otherKey: 1))
                ], "The conflicts with a stored letter")
            changes.inserts = [
                try desk.bills([2: 8]), try desk.insertion("Paper", [(3, ["number": .int(8)])]),
            ]
            let paper = try desk.layout("Paper").index
            try expectEqual(
                Set(try desk.conflicts(of: changes)),
                [
                    RowConflict(
                        entityIndex: bill, key: 2, reason: .duplicate(constraint: ["number"], otherKey: 3)),
                    RowConflict(
                        entityIndex: paper, key: 3, reason: .duplicate(constraint: ["number"], otherKey: 2)),
                ], "The conflicts inside a change set")
        }
        Promise("A subentity's unique constraint doesn't apply to its siblings or its superentity") { trial in
            let desk = try trial.desk(OfficeModel.classes)
            func row(_ key: Int64) -> (Int64, [String: StoredValue]) {
                (key, ["number": .int(key), "code": .string("x"), "amount": .int(0)])
            }
            var stored = ChangeSet()
            stored.inserts = [
                try desk.insertion("Letter", [row(1)]), try desk.insertion("Bill", [row(2), row(3)]),
                try desk.insertion("Paper", [row(4), row(5)]),
            ]
            try desk.save(stored)
            var changes = ChangeSet()
            changes.inserts = [try desk.insertion("Letter", [row(6)])]
            let letter = try desk.layout("Letter").index
            try expectEqual(
                try desk.conflicts(of: changes),
                [
                    RowConflict(
                        entityIndex: letter, key: 6, reason: .duplicate(constraint: ["code"], otherKey: 1))
                ], "The conflicts")
        }
        Promise("Contexts enforce the constraints of each level, also among pending objects") { trial in
            let office = try await trial.open(OfficeModel.classes)
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
        Promise("A batch enforces the constraints of each level") { trial in
            let desk = try trial.desk(OfficeModel.classes)
            var stored = ChangeSet()
            stored.inserts = [
                try desk.insertion("Letter", [(1, ["number": .int(1)])]), try desk.bills([2: 2, 3: 3]),
            ]
            try desk.save(stored)
            let receipt = try desk.perform("Bill", .update(["number": .int(1)]), where: "number = 2")
            try expectEqual(
                receipt.conflicts.map(\.reason), [.duplicate(constraint: ["number"], otherKey: 1)],
                "The conflicts of a bill with a letter")
            try expectEqual(
                try desk.perform("Paper", .update(["code": .string("x")])).conflicts, [],
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
