import Testing

@testable import ContextCore
@testable import StoreConformance

/// Members of relationships that several contexts have changed.
struct OvertakenMembersTests {
    @Test(arguments: Subject.all)
    func `A member that another context has removed can be added although its row still has the owner`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("owner", to: nil)
            try a.context.save()
            b.context.refault(try b[0])
            try expectEqual(try b.members(0, "items"), [3], "The items, read anew")
            try b[0].set("items", to: [b[2], b[3]])
            try expect(try b[2].hasChanges, "The item has a reference to be saved")
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(0, "items"), [2, 3], "The items in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A child shows the members that still refer to an object deleted in its parent`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            a.context.delete(try a[10])
            try c[7].set("keeper", to: c[10])
            try c.context.refreshAll()
            try expectEqual(try c.members(10, "badges"), [7, 8], "The badges of the keeper")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A list whose members two contexts placed at the same position can be reordered`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("queue", to: [a[4]])
            try a.context.save()
            try b[1].set("queue", to: [b[2]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expectEqual(try a.members(1, "queue"), [2, 4], "The queue")
            try a[1].set("queue", to: [a[4], a[2]])
            try expect(a.hasChanges, "The order is to be saved")
            try a.context.save()
            try expectEqual(try desk.stored(1, "queue"), [4, 2], "The queue in the store")
        }
    }

    @Test(arguments: Subject.all)
    func `A reloaded list omits a member that another context added and this context has removed`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[4].set("line", to: a[1])
            try a.context.save()
            try b[3].set("line", to: b[1])
            try b[4].set("line", to: nil)
            try b.context.refreshAll()
            try expectEqual(try b.members(1, "queue"), [3], "The queue")
            try expect(try b[4].object("line") == nil, "The removed item has no owner")
        }
    }

    @Test(arguments: Subject.all)
    func `A member whose removal was reverted stays a member when another context removes it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[3].set("line", to: nil)
            try b[3].set("line", to: b[1])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expectEqual(try a.members(1, "queue"), [], "The queue, without what was removed")
            try a[3].set("line", to: a[1])
            try b[3].set("line", to: nil)
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expectEqual(try a.members(1, "queue"), [3], "The queue")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A list that is saved without a member's row gives the member no position`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let b = desk.b
            try b[4].set("line", to: b[1])
            try b.context.save(only: [b[0], b[1]])
            try expectEqual(try desk.stored(0, "queue"), [2, 3, 4], "The queue, of which nothing was saved")
            try b.context.save()
            try expectEqual(try desk.stored(0, "queue"), [2, 3], "The former queue")
            try expectEqual(try desk.stored(1, "queue"), [4], "The new queue")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A list takes the stored order once the member that was moved in it is gone`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("queue", to: [a[4]])
            try a[0].set("queue", to: [a[3], a[2]])
            try a.context.save()
            try b[0].set("queue", to: [b[4], b[2], b[3]])
            try b.mergeByHand()
            try expectEqual(try b.members(0, "queue"), [3, 2], "The queue")
            try expect(!b.hasChanges, "Nothing is pending")
        }
    }

    @Test(arguments: Subject.all)
    func `A reloaded list omits a member that another context has moved away and back`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("queue", to: [a[2]])
            try b[2].set("line", to: nil)
            try b.context.save()
            try a.context.mergeStoreChanges()
            try b[0].set("queue", to: [b[3], b[2], b[4]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expectEqual(try a.members(0, "queue"), [3, 4], "The queue")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A member that another context moved leaves its new list even if the list was loaded before`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[9].set("whole", to: a[1])
            try a.context.save()
            b.context.refault(try b[0])
            try expectEqual(try b.members(0, "parts"), [], "The parts, read anew")
            try b[0].set("parts", to: [b[9]])
            try b.mergeByHand()
            try a[1].set("text", to: "later")
            try a.context.save()
            try b.mergeByHand()
            try expectEqual(try b.members(1, "parts"), [], "The parts of the owner in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A context removes links at both ends of an object that others deleted and reinserted`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            a.context.delete(try a[2])
            try a.context.save()
            try b[2].set("rankedIn", to: [])
            c.context.mergePolicy = .overwrite
            try c[0].set("queue", to: [c[3], c[4]])
            try c.context.saveToStore()
            try expectEqual(try desk.stored(5, "ranking"), [3, 2], "The ranking in the store")
            try b.mergeByHand()
            try expectEqual(try b.members(5, "ranking"), [3], "The ranking")
            try b.read()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A save that drops its changes keeps a link that another context has added too`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try c[1].set("badge", to: c[7])
            try c[3].set("rankedIn", to: [c[5], c[6]])
            try b[3].set("rankedIn", to: [b[5], b[6]])
            try b[3].set("owner", to: b[1])
            try b.context.save()
            try a.context.mergeStoreChanges()
            c.context.mergePolicy = .rollback
            try c.context.save()
            try expectEqual(try a.members(6, "ranking"), [3], "The ranking in the parent")
            try a.context.save()
            try expectEqual(try desk.stored(6, "ranking"), [3], "The ranking in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A link that another context removed and this context adds again is added at both ends`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[5].set("ranking", to: [a[2]])
            try a.context.save()
            b.context.refault(try b[3])
            try expectEqual(try b.members(3, "rankedIn"), [], "What ranks the item, read anew")
            try b[3].set("rankedIn", to: [b[5]])
            try b.mergeByHand()
            try expectEqual(try b.members(5, "ranking"), [2, 3], "The ranking")
            try b.context.save()
            try expectEqual(try desk.stored(5, "ranking"), [2, 3], "The ranking in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A link that another context added and this context removes again is removed at both ends`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[4].set("tags", to: [a[6]])
            try a.context.save()
            b.context.refault(try b[4])
            try expectEqual(try b.members(4, "tags"), [6], "The tags, read anew")
            try b[4].set("tags", to: [])
            try b.mergeByHand()
            try expectEqual(try b.members(6, "items"), [], "The items")
            try b.context.save()
            try expectEqual(try desk.stored(6, "items"), [], "The items in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A member that another context moved can be removed from its new owner`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[9].set("whole", to: a[1])
            try a.context.save()
            b.context.refault(try b[1])
            try expectEqual(try b.members(1, "parts"), [9], "The parts, read anew")
            try b[1].set("parts", to: [])
            try expectEqual(try b.target(9, "whole"), nil, "The owner of the part")
            try b.context.refreshAll()
            try expectEqual(try b.members(1, "parts"), [], "The parts")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A list whose new member another context has saved has the stored order`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            let item = try b.context.insert("Item")
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try a.read()
            let number = b.number(of: item)
            try a[number].set("line", to: a[0])
            try b[0].set("queue", to: [item, b[2], b[3], b[4]])
            try b.context.save(only: [item])
            try a.context.mergeStoreChanges()
            try expect(!a.hasChanges, "Nothing is pending")
            try expectEqual(try a.members(0, "queue"), try desk.stored(0, "queue"), "The queue")
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh reverts the removal of a link that another context has removed too`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[2].set("tags", to: [])
            try a[2].set("tags", to: [])
            try a.context.save()
            try b.context.refresh(b[5])
            try expectEqual(try b.members(5, "items"), [], "The items, read anew")
            try b.context.refresh(b[2], mergeChanges: false)
            try expectEqual(try b.members(5, "items"), [], "The items")
            try expect(try !b[2].hasChanges, "Nothing is pending in the item")
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh reverts adding a member that another context has removed`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("line", to: nil)
            try a.context.save()
            b.context.refault(try b[0])
            try expectEqual(try b.members(0, "queue"), [3, 4], "The queue, read anew")
            try b[0].set("queue", to: [b[2], b[3], b[4]])
            try b.context.refresh(b[0], mergeChanges: false)
            try expectEqual(try b.members(0, "queue"), [3, 4], "The queue")
            try expect(!b.hasChanges, "Nothing is pending")
        }
    }

    @Test(arguments: Subject.all)
    func `A list that was not loaded has the stored order once another context has saved its pending member`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            b.context.refault(try b[1])
            try b[2].set("line", to: b[1])
            try a[1].set("queue", to: [a[2], a[4]])
            try a.context.save()
            try b.mergeByHand()
            try expectEqual(try b.members(1, "queue"), [2, 4], "The queue")
            try expect(!b.hasChanges, "Nothing is pending")
            try b[3].set("text", to: "mine")
            try b.context.save()
            try expectEqual(try desk.stored(1, "queue"), [2, 4], "The queue in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Members that a list had before another context emptied it are freed`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[5].set("ranking", to: [])
            try b[3].set("rankedIn", to: [])
            try a.context.save()
            try b.context.refreshAll()
            try b.read()
            try expectEqual(try b.members(5, "ranking"), [], "The ranking")
            try desk.script.checkRelease()
        }
    }

    @Test(arguments: Subject.all)
    func `A member that another context has deleted can be removed`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[2])
            try a.context.save()
            b.context.refault(try b[2])
            try b[0].set("items", to: [b[3], b[4]])
            try b[0].set("queue", to: [b[4], b[3]])
            try b.context.save()
            try expectEqual(try desk.stored(0, "items"), [3, 4], "The items in the store")
            try expectEqual(try desk.stored(0, "queue"), [4, 3], "The queue in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A deleted member is removed from a many-to-many relationship although it has derived attributes`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[2])
            try a.context.save()
            b.context.refault(try b[2])
            try b[5].set("items", to: [])
            try b[5].set("ranking", to: [b[3]])
            try b.context.save()
            try expectEqual(try desk.stored(5, "items"), [], "The items in the store")
            try expectEqual(try desk.stored(5, "ranking"), [3], "The ranking in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A child removes a member that another context has deleted from a many-to-many relationship`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            a.context.automaticallyMergesChanges = false
            b.context.delete(try b[2])
            try b.context.save()
            a.context.refault(try a[2])
            c.context.refault(try c[2])
            try c[5].set("items", to: [])
            try c.context.save()
            try a.context.save()
            try expectEqual(try desk.stored(5, "items"), [], "The items in the store")
        }
    }

    @Test(arguments: Subject.all)
    func `A child removes a deleted member from which its parent has removed another link`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            a.context.automaticallyMergesChanges = false
            b.context.delete(try b[2])
            try b.context.save()
            a.context.refault(try a[2])
            try a[5].set("items", to: [])
            c.context.refault(try c[2])
            try c[5].set("ranking", to: [c[3]])
            try c.context.save()
            try a.context.save()
            try expectEqual(try desk.stored(5, "items"), [], "The items in the store")
            try expectEqual(try desk.stored(5, "ranking"), [3], "The ranking in the store")
        }
    }

    @Test(arguments: Subject.all)
    func
        `A save detaches no fault of an object that another context has deleted, whatever the policy for such faults`(
            _ subject: Subject
        ) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[2])
            try a.context.save()
            b.context.inaccessibleFaults = .deletedObject
            b.context.refault(try b[2])
            let item = try b[2]
            try b[5].set("items", to: [])
            try b[0].set("text", to: "mine")
            try b.context.save()
            try expectEqual(try desk.stored(5, "items"), [], "The items in the store")
            try b.mergeByHand()
            try expect(!b.context.registeredObjects.contains(item), "The item is detached")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A member is removed although its parent context has an error to report`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.refault(try c[2])
            a.context.graph.deferError(StoreError(.objectNotFound, "Item/99 is no longer in the store."))
            try expectError(.objectNotFound) {
                try c[0].set("items", to: [c[3]])
                try c.context.save()
            }
            try c.context.save()
            try expectEqual(try a.members(0, "items"), [3], "The items in the parent")
        }
    }

    @Test(arguments: Subject.all)
    func `A member that another context moved keeps its owner when an older list is cleared`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[9].set("whole", to: a[1])
            try a.context.save()
            b.context.refault(try b[9])
            try expectEqual(try b.target(9, "whole"), 1, "The owner, read anew")
            try b[0].set("parts", to: [])
            try expectEqual(try b.target(9, "whole"), 1, "The owner of the part")
            try expect(!b.hasChanges, "Nothing is pending")
            try b.context.save()
            try expectEqual(try desk.stored(1, "parts"), [9], "The parts in the store")
            try b.context.refreshAll()
            try desk.check()
        }
    }
}
