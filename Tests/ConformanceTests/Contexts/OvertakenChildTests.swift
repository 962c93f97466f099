import Testing

@testable import ContextCore
@testable import StoreConformance

/// Saves of a child after its parent or the store has changed.
struct OvertakenChildTests {
    @Test(arguments: Subject.all)
    func `A child can't save a reference to an object that another context has deleted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            b.context.delete(try b[4])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try c[5].set("ranking", to: [c[2], c[4], c[3]])
            try expectError(.missingReference) { try c.context.save() }
            try expect(!a.hasChanges, "Nothing is pending in the parent")
            try c[5].set("ranking", to: [c[2], c[3]])
            try c[2].set("line", to: c[4].object("line"))
            try c.context.save()
            try c.fetchAll()
        }
    }

    @Test(arguments: Subject.all)
    func `A child that reinserts an object deleted in its parent leaves the parent at the stored version`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            a.context.delete(try a[1])
            c.context.mergePolicy = .overwrite
            try c[1].set("text", to: "again")
            try c.context.save()
            try a.context.save()
            try c[4].set("line", to: c[1])
            try c.context.save()
            try a.context.save()
            try desk.check()
            try expectEqual(a.world.nodes[1]?.derived["greatestNumber"], .int(2), "The derived attribute")
            try a[1].set("text", to: "later")
            try a.context.save()
        }
    }

    @Test(arguments: Subject.all)
    func `An object that a child reinserts is a member of its owners, and has its former members`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.mergePolicy = .objectWins
            try c[4].set("owner", to: c[0])
            try c.context.save()
            try c[4].set("partner", to: c[2])
            try c[0].set("parts", to: [])
            a.context.delete(try a[4])
            a.context.delete(try a[0])
            try c.context.save()
            try desk.check()
            try expectEqual(try a.members(0, "queue"), [2, 3, 4], "The queue in the parent")
        }
    }

    @Test(arguments: Subject.all)
    func `A child's deletion of an object that another context has deleted adds no undo to its parent`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            b.context.delete(try b[5])
            try b.context.save()
            try a.context.mergeStoreChanges()
            c.context.delete(try c[5])
            try c.context.save()
            a.context.undo()
            a.context.redo()
            try a.fetchAll()
            try expect(!a.hasChanges, "Nothing is pending")
        }
    }

    @Test(arguments: Subject.all)
    func `A child's object that its parent has deleted has no member without a reference to it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            let none: ManagedObject? = nil
            try a[8].set("keeper", to: none)
            try a.context.save()
            // The rule of a keeper's badges denies a deletion only when it is saved.
            try a[8].set("keeper", to: a[10])
            a.context.delete(try a[10])
            try c[10].set("number", to: 2)
            try c.context.refreshAll()
            try desk.check()
            try expectEqual(try c.members(10, "badges"), [], "The badges of the deleted keeper")
        }
    }

    @Test(arguments: Subject.all)
    func `A child that dropped its change of an object deleted in its parent reads it nowhere`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.mergePolicy = .rollback
            a.context.delete(try a[2])
            try c[2].set("text", to: "mine")
            try c.context.save()
            try c.read()
            try expect(c.world.nodes[2] == nil, "The item is deleted")
            try expectEqual(try c.target(3, "partner"), nil, "The partner")
            try expectEqual(try c.members(5, "items"), [], "The items of the tag")
        }
    }

    @Test(arguments: Subject.all)
    func `A child's object that its parent has deleted has the partner that another context gave it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try b[1].set("badge", to: b[8])
            a.context.delete(try a[1])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try c[9].set("whole", to: c[1])
            try c.context.refreshAll()
            try expectEqual(try c.target(8, "holder"), 1, "The holder of the badge")
            try expectEqual(try c.target(1, "badge"), 8, "The badge of the deleted owner")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `An owner whose changes are dropped gets back the members that a child removed while it was deleted`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            a.context.delete(try a[10])
            let none: ManagedObject? = nil
            try c[8].set("keeper", to: none)
            try a.context.refreshAll()
            try c.context.save()
            try a.context.refresh(try a[10], mergeChanges: false)
            try expectEqual(try a.members(10, "badges"), [8], "The badges of the keeper")
            try expectEqual(try a.target(8, "keeper"), 10, "The keeper of the badge")
            try desk.check()
        }
    }
}
