import Testing

@testable import ContextCore
@testable import StoreConformance

/// Undo and redo after saves of other contexts, and after a refresh or a partial save of a deletion.
struct OvertakenUndoTests {
    @Test(arguments: Subject.all)
    func `An object whose deletion is undone has the changes of others that were merged since`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            b.context.delete(try b[0])
            try a[7].set("holder", to: a[1])
            try a.context.save()
            try b.mergeByHand()
            b.context.undo()
            try expectEqual(try b.target(7, "holder"), 1, "The holder of the badge")
            try expectEqual(try b.target(0, "badge"), nil, "The badge of the former holder")
            try expect(!b.hasChanges, "Nothing is pending")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `An object that another context has deleted is lost when an undo leaves it without changes`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            b.context.delete(try b[0])
            a.context.delete(try a[9])
            try a.context.save()
            try b.context.refreshAll()
            b.context.undo()
            try expect(try !b[9].isLive, "The part is not there")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A changed object that another context has deleted is a member of its restored owner`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            c.context.delete(try c[0])
            try c.context.save()
            try a[5].set("ranking", to: [a[3]])
            b.context.delete(try b[2])
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.undo()
            try a.fetchAll()
            try expectEqual(try a.members(0, "items"), [2, 3], "The items")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A reinserted object has the links that others added before its deletion was saved`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[5].set("ranking", to: [b[4], b[2], b[3]])
            a.context.delete(try a[4])
            a.context.processPendingChanges()
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a.context.save()
            a.context.undo()
            try a.context.save()
            let isRankedInStore = try desk.stored(5, "ranking").contains(4)
            try expectEqual(isRankedInStore, true, "Whether the item is in the ranking in the store")
            try expectEqual(
                try a.members(5, "ranking").contains(4), true, "Whether the item is in the ranking")
            try a.read()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Redo of a deletion leaves room for the object that another context reinserts`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[3])
            a.context.processPendingChanges()
            try b[3].set("owner", to: nil)
            try a.context.save()
            a.context.undo()
            a.context.redo()
            try a.context.save()
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try expectEqual(
                Set(try a.members(0, "queue")), Set(try desk.stored(0, "queue")), "The queue")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo lets an object refer to a deleted object again`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[10])
            a.context.processPendingChanges()
            try a.context.refreshAll()
            try a[8].set("keeper", to: nil)
            a.context.processPendingChanges()
            a.context.undo()
            a.context.undo()
            try expectEqual(try a.target(8, "keeper"), 10, "The keeper")
            try expect(!a.hasChanges, "Nothing is pending")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a child's save takes no partner from the object that has it now`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.mergePolicy = .objectWins
            try c[2].set("text", to: "mine")
            a.context.delete(try a[2])
            a.context.processPendingChanges()
            try a[4].set("partner", to: a[3])
            a.context.processPendingChanges()
            try c.context.save()
            try expectEqual(try a.target(3, "partner"), 4, "The partner after the child's save")
            a.context.undo()
            try expectEqual(try a.target(3, "partner"), 4, "The partner after undo")
            try c.context.refreshAll()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Changes that a save's merge policy drops can be undone`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            c.context.delete(try c[0])
            try c.context.save()
            a.context.processPendingChanges()
            try b[0].set("badge", to: b[8])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a[8].set("holder", to: a[1])
            a.context.mergePolicy = .rollback
            a.context.processPendingChanges()
            try a.context.save()
            a.context.undo()
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Redo clears a reference again that another context has changed too`(_ subject: Subject) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[7].set("holder", to: b[1])
            try a[8].set("holder", to: a[1])
            a.context.processPendingChanges()
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a[0].set("badge", to: a[8])
            a.context.processPendingChanges()
            a.context.undo()
            try expectEqual(try a.target(1, "badge"), 8, "The badge after undo")
            a.context.redo()
            try expectEqual(try a.target(1, "badge"), nil, "The badge after redo")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo keeps the links of an object that a save has reinserted since`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[2].set("text", to: "mine")
            b.context.processPendingChanges()
            a.context.delete(try a[2])
            try a.context.save()
            b.context.mergePolicy = .objectWins
            try b.context.save()
            b.context.undo()
            try expectEqual(try b.members(2, "tags"), [5], "The tags of the item")
            try expectEqual(try b.members(5, "items"), [2], "The items of the tag")
            try b.context.save()
            try expectEqual(try desk.stored(2, "tags"), [5], "The tags in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion keeps the order that another context has saved since`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[5])
            a.context.processPendingChanges()
            try b[5].set("ranking", to: [b[3], b[2]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.undo()
            try expectEqual(try a.members(5, "ranking"), [3, 2], "The ranking")
            try expect(!a.hasChanges, "Nothing is pending")
            a.context.delete(try a[0])
            a.context.processPendingChanges()
            try b[0].set("queue", to: [b[4], b[2], b[3]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.undo()
            try a.fetchAll()
            try expectEqual(try a.members(0, "queue"), [4, 2, 3], "The queue")
            try expect(!a.hasChanges, "Nothing is pending")
            try desk.check()
        }
    }

    /// The list is newer than the row of the member.
    @Test(arguments: Subject.all)
    func `Undo of setting a former owner leaves no member that belongs to another`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try b[1].set("items", to: [b[3]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try c[2].set("number", to: Int64(3))
            try c.context.save()
            c.context.refault(try c[0])
            c.context.processPendingChanges()
            try expectEqual(try c.members(0, "items"), [2], "The items before the change")
            try c[0].set("items", to: [c[2], c[3]])
            c.context.processPendingChanges()
            c.context.undo()
            try expectEqual(try c.members(0, "items"), [2], "The items after undo")
            try c.context.refreshAll()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a one-to-one change that another context has saved too is a conflict`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("badge", to: a[7])
            try a.context.save()
            try b[7].set("holder", to: b[1])
            b.context.processPendingChanges()
            try b.context.refresh(try b[7])
            b.context.undo()
            try expectError(.conflict) { try b.context.save() }
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(0, "badge"), [7], "The badge in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a one-to-one change that contradicts another context's leaves no change`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[0].set("badge", to: nil)
            try a.context.save()
            try b[0].set("badge", to: b[8])
            b.context.processPendingChanges()
            try b.mergeByHand()
            b.context.undo()
            try expect(!b.hasChanges, "Nothing is pending")
            try expectEqual(try b.target(0, "badge"), nil, "The badge")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion leaves no change if the partner has another one since`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[3].set("partner", to: a[4])
            try a.context.save()
            b.context.refault(try b[3])
            b.context.delete(try b[2])
            b.context.processPendingChanges()
            b.context.undo()
            try expect(!b.hasChanges, "Nothing is pending")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo makes only its own objects follow the store`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[2].set("text", to: "mine")
            b.context.processPendingChanges()
            for number in [2, 4] { try a[number].set("text", to: "theirs") }
            try a.context.save()
            try b.mergeByHand()
            // Simulates a merge that could not read the object.
            try a[4].set("text", to: "later")
            try a.context.save()
            b.context.graph.unmerged.insert(try b[4])
            b.context.undo()
            try expectEqual(try b[2]["text"], .string("theirs"), "The text of the object that was changed")
            try expectEqual(try b[4]["text"], .string("theirs"), "The text of the other one")
            try expect(b.context.canRedo, "Redo is left")
            try b.mergeByHand()
            try expectEqual(try b[4]["text"], .string("later"), "The text after the next merge")
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion leaves the object out of a list that was reverted meanwhile`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            try a[10].set("badges", to: [])
            a.context.processPendingChanges()
            a.context.delete(try a[8])
            a.context.processPendingChanges()
            try a.context.refresh(a[10], mergeChanges: false)
            a.context.undo()
            try expect(try a[8].object("keeper") == nil, "The badge has no keeper")
            try expectEqual(try a.members(10, "badges"), [], "The badges of the keeper")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `An object that is inserted again stays in a list that was reverted before the deletion was saved`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[2])
            a.context.processPendingChanges()
            try a.context.refresh(a[0], mergeChanges: false)
            try a.read()
            try a.context.save()
            a.context.undo()
            try a.context.refreshAll()
            try a.read()
            try expectEqual(try a.members(0, "items"), [2, 3], "The items")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion returns the object to a list that another context has put it in`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            let item = try b[2]
            try a[6].set("ranking", to: [a[2]])
            try a.context.save()
            b.context.delete(item)
            b.context.processPendingChanges()
            try b.context.refresh(item, mergeChanges: false)
            b.context.processPendingChanges()
            b.context.undo()
            try b.read()
            try b.mergeByHand()
            b.context.undo()
            try b.read()
            try expectEqual(try b.members(6, "ranking"), [2], "The ranking")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a child's save detaches an object that another context has deleted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try c[0].set("parts", to: [])
            b.context.delete(try b[0])
            try c.context.save()
            try b.context.save(only: [b[2], b[3], b[4], b[0], b[9]])
            try a.context.mergeStoreChanges()
            a.context.undo()
            try a.fetchAll()
            try a.read()
            try expect(!a.hasChanges, "Nothing is pending")
            try expect(a.world.nodes[0] == nil, "The owner is deleted")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion returns no member that an undo of a save has removed`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try c[0].set("badge", to: c[8])
            try c.context.save()
            a.context.processPendingChanges()
            a.context.delete(try a[0])
            a.context.processPendingChanges()
            let item = try b.context.insert("Item")
            try item.set("owner", to: b[0])
            try b[0].set("queue", to: try b[0].objects("queue").reversed())
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.mergePolicy = .storeWins
            try a[7].set("holder", to: a[1])
            a.context.processPendingChanges()
            try a.context.save()
            // Undo of the last edit and its save deletes the owner again, now with the item of the other context.
            a.context.undo()
            try a.fetchAll()
            a.context.undo()
            try expectEqual(try a.members(0, "items"), [2, 3], "The items")
            try desk.check()
        }
    }
}
