import Testing

@testable import ContextCore
@testable import StoreConformance

/// The order of lists after undo, when other contexts or a partial save have changed the members since.
struct OvertakenListUndoTests {
    @Test(arguments: Subject.all)
    func `A list has its order again when the deletion of its owner is undone`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (b, c) = (desk.b, desk.c)
            b.context.delete(try b[0])
            try b.context.refreshAll()
            b.context.undo()
            try expectEqual(try b.members(0, "queue"), [2, 3, 4], "The queue after a refresh")
            try expect(!b.hasChanges, "Nothing is pending")
            b.context.delete(try b[0])
            b.context.processPendingChanges()
            try b.context.save(only: [b[3], b[4]])
            b.context.undo()
            try expectEqual(try b.members(0, "queue"), [2, 3, 4], "The queue after a partial save")
            c.context.delete(try c[5])
            c.context.processPendingChanges()
            try c.context.refreshAll()
            try c.context.save()
            c.context.undo()
            try expectEqual(try c.members(5, "ranking"), [2, 3], "The ranking after a refresh and a save")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A member has its position again after undo, redo and undo`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let b = desk.b
            b.context.delete(try b[3])
            b.context.processPendingChanges()
            try b.context.save()
            b.context.undo()
            b.context.redo()
            try expectEqual(try b.members(0, "queue"), [2, 4], "The queue after redo")
            try b.context.save()
            try b.context.refreshAll()
            b.context.undo()
            try expectEqual(try b.members(0, "queue"), [2, 3, 4], "The queue after undo")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion returns an object that was saved since to a list with other changes`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let b = desk.b
            try b[1].set("queue", to: [b[2]])
            b.context.processPendingChanges()
            b.context.delete(try b[0])
            b.context.processPendingChanges()
            try b.context.save(only: [b[3], b[1]])
            b.context.undo()
            try b.read()
            try expectEqual(try b.members(0, "queue"), [3, 4], "The queue")
            try b.context.save()
            try expectEqual(try desk.stored(0, "queue"), [3, 4], "The queue in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A member returns to its place although others have deleted the members before it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("owner", to: a[1])
            try a.context.save()
            try b.context.pin()
            try b.mergeByHand()
            try b.context.refreshAll()
            try b.fetchAll()
            try b.read()
            a.context.delete(try a[2])
            try a.context.save()
            try b.mergeByHand()
            try b.context.mergeStoreChanges()
            try b.context.unpin()
            try b.read()
            try b[0].set("queue", to: [b[4]])
            b.context.processPendingChanges()
            try b.context.save()
            try b.context.refreshAll()
            b.context.undo()
            try expectEqual(try b.members(0, "queue"), [3, 4], "The queue")
            try desk.check()
        }
    }
}
