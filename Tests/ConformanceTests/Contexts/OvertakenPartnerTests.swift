import Testing

@testable import ContextCore
@testable import StoreConformance

/// One-to-one relationships and attributes that several contexts have changed.
struct OvertakenPartnerTests {
    @Test(arguments: Subject.all)
    func `A refresh reverts the deletion of a partner that another object has replaced`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[7])
            try a[8].set("holder", to: a[0])
            try a.context.refresh(try a[7], mergeChanges: false)
            try expectEqual(try a.target(0, "badge"), 7, "The badge")
            try expectEqual(try a.target(8, "holder"), nil, "The holder of the other badge")
            try expect(!a.hasChanges, "Nothing is pending")
        }
    }

    @Test(arguments: Subject.all)
    func `A reference that another context has changed too is a conflict when it is set back`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[4].set("partner", to: b[2])
            try a[3].set("partner", to: a[4])
            try a.context.save()
            try b.mergeByHand()
            // Item 4 had no partner when it was changed, and has item 3 in the store.
            try b[2].set("partner", to: b[3])
            try expect(try b[4].hasChanges, "The item has a reference to be saved")
            try expectError(.conflict) { try b.context.save() }
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(3, "partner"), [2], "The partner in the store")
            try expectEqual(try desk.stored(4, "partner"), [], "The former partner in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A merge keeps the list of an owner whose deletion is rolled back`(_ subject: Subject) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[5].set("ranking", to: [b[4], b[2], b[3]])
            a.context.delete(try a[0])
            try b.context.save()
            try a.context.mergeStoreChanges()
            a.context.rollback()
            try expectEqual(try a[0].objects("queue").count, 3, "The queue after the rollback")
            try desk.check()
        }
    }

    /// The row of one end of the relationship is older than the save of another context, and that of the other end is newer.
    @Test(arguments: Subject.all)
    func `A partner that is assigned although it refers back already is a conflict`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("partner", to: a[4])
            try a.context.save()
            b.context.refault(try b[3])
            try b[3].set("partner", to: b[2])
            try expectError(.conflict) { try b.context.save() }
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(3, "partner"), [2], "The partner in the store")
            try expectEqual(try desk.stored(4, "partner"), [], "The former partner in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A partner that is removed although it refers to another is a conflict`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("partner", to: a[4])
            try a.context.save()
            b.context.refault(try b[4])
            try b[4].set("partner", to: nil)
            try expectError(.conflict) { try b.context.save() }
            b.context.mergePolicy = .storeWins
            try b.context.save()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `A refresh reverts a reference that another context has changed too`(_ subject: Subject) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[7].set("holder", to: a[1])
            try a.context.save()
            try b[1].set("badge", to: b[8])
            try b.mergeByHand()
            try b.context.refresh(try b[8], mergeChanges: false)
            try expectEqual(try b.target(1, "badge"), 7, "The badge")
            try b.context.save()
            try expectEqual(try desk.stored(1, "badge"), [7], "The badge in the store")
            try desk.check()
        }
    }

    /// The context has merged the removal, which contradicts its change, but not the return to the former value.
    @Test(arguments: Subject.all)
    func `A partner that another context has removed and restored is a conflict`(_ subject: Subject)
        async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[0].set("badge", to: nil)
            a.context.processPendingChanges()
            try a.context.save()
            try b[7].set("holder", to: b[1])
            try b.mergeByHand()
            a.context.undo()
            try a.context.save()
            try expectError(.conflict) { try b.context.save() }
            try expectEqual(try desk.stored(0, "badge"), [7], "The badge in the store after the conflict")
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(1, "badge"), [7], "The badge in the store")
            try expectEqual(try desk.stored(0, "badge"), [], "The former holder's badge in the store")
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `If the store wins, a partner stays that another context has removed and restored`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[3].set("partner", to: nil)
            try a.context.save()
            try b[2].set("partner", to: b[4])
            try b.mergeByHand()
            try a[3].set("partner", to: a[2])
            try a.context.save()
            b.context.mergePolicy = .storeWins
            try b.context.save()
            try expectEqual(try desk.stored(3, "partner"), [2], "The partner in the store")
            try expectEqual(try desk.stored(4, "partner"), [], "The partner of the other item")
            try b.mergeByHand()
            try desk.check()
        }
    }

    /// The row of the badge is newer than that of the former holder.
    @Test(arguments: Subject.all)
    func `If the store wins, a badge stays with the holder that another context has given it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("badge", to: a[7])
            try a.context.save()
            b.context.refault(try b[7])
            try b[0].set("badge", to: b[8])
            b.context.mergePolicy = .storeWins
            try b.context.save()
            try expectEqual(try desk.stored(1, "badge"), [7], "The badge in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func
        `A refresh of a deleted object leaves its former partner to the one that another context has given it`(
            _ subject: Subject
        ) async throws
    {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[3].set("partner", to: a[4])
            try a.context.save()
            b.context.refault(try b[3])
            b.context.delete(try b[2])
            try b.context.refresh(try b[2], mergeChanges: false)
            try b.context.save()
            try expectEqual(try desk.stored(3, "partner"), [4], "The partner in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `If the store wins, stored values stay, even if the context set its change back`(
        _ subject: Subject
    ) async throws {
        for isSetBack in [false, true] {
            try await OvertakenDesk.run(subject) { desk in
                let (a, b) = (desk.a, desk.b)
                try b[4].set("partner", to: b[2])
                try b[8].set("text", to: "mine")
                try a[3].set("partner", to: a[4])
                try a[8].set("text", to: "theirs")
                try a.context.save()
                try b.mergeByHand()
                if isSetBack {
                    try b[4].set("partner", to: nil)
                    try b[8].set("text", to: "B1")
                }
                b.context.mergePolicy = .storeWins
                try b.context.save()
                try expect(!b.hasChanges, "Nothing is pending")
                try expectEqual(try desk.stored(4, "partner"), [3], "The partner in the store")
                try expectEqual(desk.script.stored.nodes[8]?.text, "theirs", "The text in the store")
                try desk.check()
                // Saved properties are no longer in conflict.
                try b[8].set("text", to: "new")
                try b[8].set("text", to: "theirs")
                try expect(!b.hasChanges, "The text is as it was saved")
            }
        }
    }

    /// The row of the badge is newer than those of its holders.
    @Test(arguments: Subject.all)
    func `A badge that another context has given to another holder is a conflict when it is set back`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[1].set("badge", to: a[7])
            try a.context.save()
            b.context.refault(try b[7])
            try b[8].set("holder", to: b[0])
            try b[0].set("badge", to: b[7])
            try expectError(.conflict) { try b.context.save() }
            b.context.mergePolicy = .objectWins
            try b.context.save()
            try expectEqual(try desk.stored(0, "badge"), [7], "The badge in the store")
            try expectEqual(try desk.stored(1, "badge"), [], "The other holder's badge in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `If the store wins, a badge stays with its new holder although its row is newer than the holder's`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[8].set("holder", to: a[1])
            try a.context.save()
            try b.mergeByHand()
            try a[0].set("badge", to: a[8])
            try a.context.save()
            b.context.refault(try b[8])
            try b[8].set("holder", to: b[1])
            b.context.mergePolicy = .storeWins
            try b.context.save()
            try expectEqual(try desk.stored(0, "badge"), [8], "The badge in the store")
            try b.mergeByHand()
            try desk.check()
        }
    }

    @Test(arguments: Subject.all)
    func `Undo of a change that another context made too is no change; redo of setting it back is one`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try b[8].set("text", to: "mine")
            b.context.processPendingChanges()
            try a[8].set("text", to: "theirs")
            try a.context.save()
            try b.mergeByHand()
            try b[8].set("text", to: "B1")
            b.context.processPendingChanges()
            b.context.undo()
            try expectEqual(try b[8]["text"], .string("mine"), "The text after undo")
            b.context.redo()
            try expect(try b[8].hasChanges, "The text that is set back again is a change")
            try expectError(.conflict) { try b.context.save() }
            b.context.undo()
            b.context.undo()
            try expect(try !b[8].hasChanges, "Nothing is pending")
            try b.context.save()
            try expectEqual(try b[8]["text"], .string("theirs"), "The text after the save")
        }
    }

    @Test(arguments: Subject.all)
    func `A partner that others deleted and inserted again without its partner is a conflict`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b, c) = (desk.a, desk.b, desk.c)
            try b[3].set("tags", to: [b[5]])
            a.context.delete(try a[3])
            try a.context.save()
            try b.mergeByHand()
            c.context.mergePolicy = .objectWins
            try c[3].set("line", to: c[1])
            try c.context.saveToStore()
            try expectError(.conflict) { try b.context.save() }
            try expectEqual(
                try desk.stored(2, "partner"), try desk.stored(3, "partner"), "The partners in the store")
        }
    }

    @Test(arguments: Subject.all)
    func `Overwriting takes a partner that isn't loaded from the object that another context has given it`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[7].set("holder", to: a[1])
            try a.context.save()
            b.context.mergePolicy = .overwrite
            try b[0].set("number", to: 2)
            b.context.refault(try b[7])
            try b.context.save()
            try expectEqual(try desk.stored(0, "badge"), [7], "The badge of the first owner in the store")
            try expectEqual(try desk.stored(1, "badge"), [], "The badge of the second owner in the store")
            try desk.check()
        }
    }
}
