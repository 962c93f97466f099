import Testing

@testable import ContextCore
@testable import StoreConformance

/// Deletions that meet changes of other contexts, a partial save, an undo or a refresh.
struct OvertakenDeletionTests {
    @Test(arguments: Subject.all)
    func `An object whose deletion is undone lacks the links that were saved without it`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[5])
            try a.context.save(only: [a[2]])
            a.context.rollback()
            try expectEqual(try a.members(5, "items"), [], "The items of the tag")
            try desk.check()
            try expectEqual(a.world.nodes[5]?.derived["itemCount"], .int(0), "The number of items")
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a saved deletion restores the members that were deleted with it`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[0])
            a.context.processPendingChanges()
            try b[0].set("queue", to: [b[4], b[2], b[3]])
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.mergePolicy = .objectWins
            try a.context.save()
            a.context.undo()
            try expectEqual(try a.members(0, "parts"), [9], "The parts")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `An object that another context reinserts while its deletion is undone has that context's links`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("tags", to: [])
            try a.context.save()
            a.context.delete(try a[5])
            a.context.processPendingChanges()
            try a.context.save()
            a.context.undo()
            b.context.mergePolicy = .objectWins
            try b[5].set("number", to: 2)
            try b.context.save()
            try expectEqual(try desk.stored(5, "items"), [2], "The items in the store")
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try expectEqual(try a.members(5, "items"), [2], "The items")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh reverts the deletion of an object that has lost a member`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let b = desk.b
            b.context.delete(try b[10])
            try b[8].set("keeper", to: nil)
            try b.context.refresh(try b[10], mergeChanges: false)
            try expectEqual(try b.target(8, "keeper"), 10, "The keeper")
            try expectEqual(try b.members(10, "badges"), [8], "The badges of the keeper")
            try expect(!b.hasChanges, "Nothing is pending")
        }
    }

    @Test(arguments: Subject.all)
    func `A deleted object and the owner that another context has given it are freed`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            // The test keeps no reference to the badge.
            _ = try b.context.insert("Badge")
            b.context.processPendingChanges()
            try b.context.save()
            try b.read()
            let badge = try #require(b.world.numbers(of: "Badge").last)
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try a.read()
            try a[10].set("badges", to: [a[8], a[badge]])
            b.context.undo()
            try b.read()
            try a.context.save()
            b.context.mergePolicy = .objectWins
            try b[5].set("items", to: [])
            try b.context.save(only: [b[2], b[5]])
            try b.read()
            try b.context.save(only: b.context.deletedObjects)
            try b.read()
            try expectEqual(try b.members(10, "badges"), [8], "The badges of the keeper")
            try desk.script.checkRelease()
        }
    }

    @Test(arguments: Subject.all)
    func `A partial save writes no member that another context has deleted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            // Otherwise the item would take its partner back, which is a change of its row.
            try b[3].set("partner", to: b[4])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a[2].set("rankedIn", to: [a[6]])
            a.context.processPendingChanges()
            b.context.delete(try b[2])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a.context.save(only: [a[2]])
            try b[3].set("number", to: 2)
            try b.context.save()
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try expectEqual(try a.target(2, "owner"), 0, "The owner of the item")
            try expectEqual(try a.members(0, "items"), [2, 3], "The items of the owner")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A changed object that another context has moved and deleted is no member of its last owner`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[10].set("badges", to: [a[7], a[8]])
            try a.context.save()
            try b[7].set("holder", to: nil)
            b.context.refault(try b[10])
            try expectEqual(
                try b.members(10, "badges"), [7, 8], "The badges, read before the object is deleted")
            a.context.delete(try a[7])
            try a.context.save()
            try b.mergeByHand()
            try expectEqual(try b.members(10, "badges"), [8], "The badges of the keeper")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh gives an object back to its stored owner, which is deleted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            let owner = try a[1]
            try owner.set("queue", to: [a[2]])
            try a.context.save()
            a.context.undo()
            a.context.delete(owner)
            try a.context.refresh(try a[0], mergeChanges: false)
            try c[7].set("holder", to: c[1])
            try c.context.refreshAll()
            try expectEqual(try c.members(1, "queue"), [2], "The queue in the child")
            try desk.check()
            try a.context.refresh(owner, mergeChanges: false)
            try a.read()
            try expectEqual(try a.members(1, "queue"), [2], "The queue")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh keeps a changed member that another context has deleted`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("owner", to: nil)
            try a[2].set("text", to: "mine")
            b.context.delete(try b[2])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expectEqual(Set(try a.members(0, "queue")), [2, 3, 4], "The queue")
            try a.context.refresh(try a[0], mergeChanges: false)
            try expectEqual(Set(try a.members(0, "queue")), [2, 3, 4], "The queue after the refresh")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A failed save keeps the objects that its merge policy had discarded`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.mergePolicy = .rollback
            // Owner 0 is discarded. Item 2, which is saved again, still refers to it.
            a.context.delete(try a[0])
            try c[0].set("text", to: "mine")
            try c[2].set("text", to: "mine")
            a.context.delete(try a[4])
            try c[5].set("ranking", to: [c[2], c[4], c[3]])
            try expectError(.missingReference) { try c.context.save() }
            try expect(try c[2].object("owner") === c[0], "The owner is the object that the context had")
            try c.read()
            try expectEqual(c.world.links(0, "items"), [2, 3], "The items")
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a deletion that was saved without the list adds the member again`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let c = desk.c
            c.context.delete(try c[3])
            c.context.processPendingChanges()
            try c.context.save(only: [c[3], c[0]])
            c.context.undo()
            try c.context.refreshAll()
            try expectEqual(try c.members(5, "ranking"), [2, 3], "The ranking")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A save drops the deletion of an object whose partner was deleted in the store`(
        _ subject: Subject
    ) async throws {
        for policy in [MergePolicy.rollback, .storeWins] {
            for isChild in [true, false] {
                try await OvertakenDesk.run(subject) { desk in
                    let (a, other) = (desk.a, isChild ? desk.c : desk.b)
                    a.context.delete(try a[2])
                    if !isChild { try a.context.save() }
                    other.context.delete(try other[3])
                    other.context.mergePolicy = policy
                    try other.context.save()
                    try expect(!other.hasChanges, "Nothing is pending")
                    try expectEqual(try other.target(3, "partner"), nil, "The partner")
                    try a.context.save()
                    try expectEqual(try desk.stored(0, "items"), [3], "The items in the store")
                    try desk.check()
                }
            }
        }
    }

    @Test(arguments: Subject.all)
    func `A reinserted object has no partner that another context has removed`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[3])
            try a.context.save()
            b.context.mergePolicy = .overwrite
            try b[3].set("text", to: "mine")
            // A change of links, which doesn't change the partner's row.
            try b[2].set("rankedIn", to: [])
            try b.context.save()
            try expectEqual(try desk.stored(3, "partner"), [], "The partner in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `The partner of an object that a save finds deleted is not reinserted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[9].set("text", to: "mine")
            a.context.delete(try a[0])
            try a.context.save()
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try desk.check()
            try expect(desk.script.stored.nodes[7] == nil, "The badge is deleted")
        }
    }

    @Test(arguments: Subject.all)
    func `A deleted object gets no partner from the save of another context`(_ subject: Subject) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try b[7].set("holder", to: b[1])
            a.context.delete(try a[7])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try c[7].set("text", to: "mine")
            try c.context.refreshAll()
            try expectEqual(try c.target(1, "badge"), nil, "The badge of the owner")
            try expectEqual(try c.target(0, "badge"), 7, "The badge of the former owner")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A child follows a reference to an object that its parent has deleted`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            a.context.delete(try a[8])
            try b[0].set("badge", to: b[8])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try c[0].set("badge", to: nil)
            try c.context.refreshAll()
            try c.fetchAll()
            try expectEqual(try c.target(0, "badge"), nil, "The badge")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A changed object that another context has deleted keeps a partner that refers back`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[0].set("badge", to: b[8])
            try a[7].set("holder", to: a[1])
            try a.context.save()
            try b.mergeByHand()
            a.context.delete(try a[7])
            try a.context.save()
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `An object that a child reinserts has the row that its parent has restored`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            try c[3].set("rankedIn", to: [])
            c.context.processPendingChanges()
            c.context.delete(try c[5])
            c.context.processPendingChanges()
            try c.context.save()
            c.context.undo()
            a.context.undo()
            try c.context.refreshAll()
            try expectEqual(try c.members(5, "ranking"), [2, 3], "The ranking")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A new object keeps the links that a save without it leaves pending`(_ subject: Subject) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, c) = (desk.a, desk.c)
            c.context.delete(try c[5])
            c.context.processPendingChanges()
            try c.context.save()
            c.context.undo()
            try c.context.save(only: [c[2], c[3], c[0]])
            a.context.delete(try a[2])
            try c.context.refreshAll()
            try expectEqual(try c.members(5, "items"), [2], "The items of the tag")
            try desk.check()
        }
    }

    @Test func `An object that another context has deleted is lost even if its partner can't be read`()
        async throws
    {
        for readCount in 0..<6 {
            let gate = ReadGate()
            let fixture = StoreFixture(name: "gated", capabilities: [.history, .concurrentReads]) {
                _, model in
                GatedCoordinator(InMemoryCoordinator(model: model), gate)
            }
            try await OvertakenDesk.run(Subject(fixture: fixture)) { desk in
                let (a, b) = (desk.a, desk.b)
                // The refresh of the tag doesn't read item 3, the partner.
                try a[5].set("ranking", to: [a[2]])
                try a.context.save()
                try b.mergeByHand()
                try b.read()
                let item = try b[2]
                a.context.delete(try a[2])
                try a.context.save()
                gate.remaining.withLock { $0 = readCount }
                try? b.context.refresh(try b[5])
                gate.remaining.withLock { $0 = nil }
                // A read error is reported once.
                try? b.context.graph.throwDeferredError()
                let known = b.context.graph.identities.object(item.key, rootIndex: item.rootIndex)
                try expect((known === item) == (item.state != .detached), "The item is there or lost")
                try b.context.refreshAll()
                try b.mergeByHand()
                try desk.check()
            }
        }
    }

    @Test(arguments: Subject.all)
    func `A deleted new object keeps its identifier while another object can be reinserted`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[9])
            a.context.processPendingChanges()
            try a.context.save()
            a.context.undo()
            for isUndone in [false, true] {
                let tag = try a.context.insert("Tag")
                a.context.processPendingChanges()
                if isUndone { a.context.undo() } else { a.context.delete(tag) }
                try expect(!tag.isLive, "The tag is deleted")
                try expect(
                    a.context.graph.identities.object(tag.key, rootIndex: tag.rootIndex) === tag,
                    "The identifier is that of the tag")
            }
            a.context.delete(try a[9])
            try expect(
                a.context.graph.identities.object(try a[9].key, rootIndex: try a[9].rootIndex) == nil,
                "The identifier is free for the part that others may insert again")
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh that reverts a deletion leaves no change if a member has left the object since`(
        _ subject: Subject
    )
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[10].set("badges", to: [])
            b.context.delete(try b[10])
            b.context.refault(try b[8])
            try a.context.save()
            try b.context.refresh(try b[10], mergeChanges: false)
            try expect(!b.hasChanges, "Nothing is pending")
            try expectEqual(try b.members(10, "badges"), [], "The badges")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A reference of another context to an object that a cascade deletes is a conflict of the save`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            a.context.delete(try a[1])
            try b[8].set("holder", to: b[1])
            try b.context.save()
            try a.context.mergeStoreChanges()
            try expect(try !a[8].hasChanges, "The badge is not changed")
            try expectError(.conflict) { try a.context.save() }
            a.context.rollback()
            try expectEqual(try a.target(8, "holder"), 1, "The holder of the badge")
            try desk.check()
        }
    }
}
