import ContextCore

extension Topic {
    /// Rules of relationships that a save validates.
    static let rules: Topic = Topic("rules") {
        Requirement("An object with too few related objects can't be saved") { run in
            let office = try await run.open(OfficeModel.classes)
            try await office.makeBackgroundContext().perform { context in
                let binder = Binder(in: context, name: "binder")
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(error.failures.map(\.property), ["pages"], "The failures of a new object")
                binder.pages = (1...2).map { Page(in: context, number: $0) }
                try context.save()
                binder.pages.removeLast()
                try context.save()
                context.delete(binder.pages[0])
                try expectEqual(
                    try expectError(.validation) { try context.save() }.failures.map(\.objectID),
                    [binder.objectID], "The objects that fail validation")
                context.rollback()
                try expectEqual(binder.pages.map(\.number), [1], "The pages")
                context.delete(binder)
                try context.save()
                try expectEqual(try context.fetch(Page.self).map(\.number), [2], "The pages that are left")
            }
        }
        Requirement("A to-one relationship with the rule deny prevents a deletion while it isn't nil") {
            run in
            let office = try await run.open(OfficeModel.classes)
            try await office.makeBackgroundContext().perform { context in
                let keeper = Keeper(in: context, name: "keeper")
                let (letter, bill) = (Letter(in: context), Bill(in: context))
                (letter.number, letter.keeper) = (1, keeper)
                (bill.number, bill.keeper) = (2, keeper)
                try context.save()
                context.delete(letter)
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(error.failures.map(\.property), ["keeper"], "The failures")
                context.rollback()
                letter.keeper = nil
                context.delete(letter)
                try context.save()
                context.delete(bill)
                context.delete(keeper)
                try context.save()
                try expectEqual(try context.count(Paper.self), 0, "The papers")
            }
        }
        Requirement("A to-one relationship with the rule deny prevents a batch deletion") { run in
            let harness = try run.harness(OfficeModel.classes)
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Keeper", [(1, ["name": .string("k")])]),
                try harness.insertion("Letter", (1...2).map { ($0, ["number": .int($0)]) }),
                try harness.insertion(
                    "Bill", [(3, ["number": .int(3), "amount": .int(0), "keeper": .int(1)])]),
            ]
            try harness.save(changes)
            let bill = try harness.layout("Bill").index
            try expectEqual(
                try harness.perform("Paper", .delete).conflicts,
                [RowConflict(entityIndex: bill, key: 3, reason: .denied(property: "keeper"))], "The conflicts"
            )
            try expectEqual(
                try harness.perform("Paper", .delete, where: "keeper = NIL").changes.map(\.key), [1, 2],
                "The deleted papers")
        }
        Requirement("An object can't be deleted while required references point to it") { run in
            let office = try await run.open(OfficeModel.classes)
            try await office.makeBackgroundContext().perform { context in
                let folder = Folder(in: context, name: "folder")
                let sheet = Sheet(in: context, name: "sheet", folder: folder)
                try context.save()
                context.delete(folder)
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(
                    error.failures.map(\.objectID), [sheet.objectID], "The objects that fail validation")
                try expectEqual(error.failures.map(\.property), ["folder"], "The failures")
                context.delete(sheet)
                try context.save()
            }
        }
    }
}
