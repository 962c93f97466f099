import ContextCore

extension Topic {
    /// One-to-one relationships, which are stored at both ends.
    static let oneToOne: Topic = Topic("one-to-one") {
        Requirement("Setting a one-to-one at either end sets the other end immediately") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.write("set") { context in
                let (cid, free) = (try context.traveler("Cid"), try context.passport(3))
                cid.passport = free
                try expect(free.holder === cid, "The passport has its holder")
                cid.passport = nil
                try expect(free.holder == nil, "The passport has no holder")
                free.holder = cid
                try expect(cid.passport === free, "The holder has the passport")
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid 3 - -"])
            try await travel.store.write("remove") { context in
                try context.passport(3).holder = nil
                try context.traveler("Bob").passport = nil
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob - Ann -", "Cid - - -"], free: [2, 3])
        }
        Requirement("Reassigning a one-to-one clears it at its previous owner and its previous target") {
            run in
            let travel = try await TravelFixture(run)
            // The previous owner and target are faults, or not registered in the context.
            try await travel.store.write("move") { try $0.traveler("Ann").passport = try $0.passport(2) }
            try travel.expectStored(["Ann 2 Bob -", "Bob - Ann -", "Cid - - -"], free: [1, 3])
            try await travel.store.write("move back") { try $0.passport(1).holder = try $0.traveler("Ann") }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob - Ann -", "Cid - - -"], free: [2, 3])
            try await travel.store.write("hand on") { context in
                let (ann, passport) = (try context.traveler("Ann"), try context.passport(1))
                try context.traveler("Cid").passport = passport
                try expect(
                    ann.passport == nil && passport.holder?.name == "Cid", "Ann has no passport any more")
            }
            try travel.expectStored(["Ann - Bob -", "Bob - Ann -", "Cid 1 - Iceland"], free: [2, 3])
        }
        Requirement("Two objects swap their targets in one save, and swap them back in another") { run in
            let travel = try await TravelFixture(run)
            for expected in [
                ["Ann 2 Bob -", "Bob 1 Ann Iceland", "Cid - - -"],
                ["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"],
            ] {
                try await travel.store.write("swap") { context in
                    let (ann, bob) = (try context.traveler("Ann"), try context.traveler("Bob"))
                    (ann.passport, bob.passport) = (bob.passport, ann.passport)
                }
                try travel.expectStored(expected, free: [3])
            }
        }
        Requirement("A self-inverse one-to-one is set, reassigned and removed at both ends") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.write("move") { context in
                let (ann, cid) = (try context.traveler("Ann"), try context.traveler("Cid"))
                cid.partner = ann
                try expect(ann.partner === cid, "Both are partners")
            }
            try travel.expectStored(["Ann 1 Cid Iceland", "Bob 2 - -", "Cid - Ann -"], free: [3])
            try await travel.store.write("remove") { try $0.traveler("Ann").partner = nil }
            try travel.expectStored(["Ann 1 - Iceland", "Bob 2 - -", "Cid - - -"], free: [3])
            try await travel.store.write("alone") { context in
                let bob = try context.traveler("Bob")
                bob.partner = bob
            }
            try travel.expectStored(["Ann 1 - Iceland", "Bob 2 Bob -", "Cid - - -"], free: [3])
            try await travel.store.write("not alone") { context in
                try context.traveler("Ann").partner = try context.traveler("Bob")
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
        }
        Requirement("Deletion applies the delete rules of a one-to-one, from either end") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.write("cascade") { context in
                context.delete(try context.traveler("Ann"))
                try expectEqual(context.deletedObjects.count, 3, "The deleted objects")
            }
            try travel.expectStored(["Bob 2 - -", "Cid - - -"], free: [3])
            try await travel.store.write("nullify") { context in
                let (bob, passport) = (try context.traveler("Bob"), try context.passport(2))
                context.delete(passport)
                try expect(bob.passport == nil && bob.isUpdated, "The holder has no passport at once")
            }
            try travel.expectStored(["Bob - - -", "Cid - - -"], free: [3])
            try await travel.store.read("look") { context in
                try expectEqual(try context.count(Visa.self), 0, "The visas")
                try expectEqual(try context.count(Passport.self), 1, "The passports")
            }
        }
        Requirement("A required one-to-one can't be removed, but the object can be replaced") {
            run in
            let travel = try await TravelFixture(run)
            let error = try await expectError(.validation) {
                try await travel.store.write("take away") { try $0.passport(1).visa = nil }
            }
            try expectEqual(error.failures.map(\.property), ["passport"], "What has no value")
            try await expectError(.validation) {
                try await travel.store.write("replace") { context in
                    _ = Visa(in: context, country: "Norway", passport: try context.passport(1))
                }
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
            try await travel.store.write("replace, and delete") { context in
                let (passport, old) = (try context.passport(1), try context.only(Visa.self))
                _ = Visa(in: context, country: "Norway", passport: passport)
                context.delete(old)
            }
            try travel.expectStored(["Ann 1 Bob Norway", "Bob 2 Ann -", "Cid - - -"], free: [3])
            try await travel.store.write("move") { context in
                try context.only(Visa.self).passport = try context.passport(2)
            }
            try travel.expectStored(["Ann 1 Bob -", "Bob 2 Ann Norway", "Cid - - -"], free: [3])
        }
        Requirement("Prefetched one-to-one relationships fire no fault, from either end") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.read("prefetch") { context in
                let request = FetchRequest<Traveler>(
                    order: [try SortKey("name")], prefetching: ["passport.visa", "partner.passport"])
                let travelers = try context.fetch(request)
                context.faulting = .forbid
                try expectEqual(travelers.map { $0.passport?.number }, [1, 2, nil], "The passports")
                try expectEqual(
                    travelers.map { $0.passport?.visa?.country }, ["Iceland", nil, nil], "The visas")
                try expectEqual(
                    travelers.map { $0.partner?.passport?.number }, [2, 1, nil], "The partners' passports")
            }
            try await travel.store.read("prefetch from the other end") { context in
                let request = FetchRequest<Passport>(
                    order: [try SortKey("number")], prefetching: ["holder.partner"])
                let passports = try context.fetch(request)
                context.faulting = .forbid
                try expectEqual(passports.map { $0.holder?.name }, ["Ann", "Bob", nil], "The holders")
                try expectEqual(
                    passports.map { $0.holder?.partner?.name }, ["Bob", "Ann", nil], "Their partners")
            }
        }
        Requirement("Predicates and orders follow a one-to-one from either end") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.expectNames(
                [
                    ("passport = NIL", ["Cid"]), ("passport.number >= 2", ["Bob"]),
                    ("passport.visa.country = 'Iceland'", ["Ann"]), ("passport.visa = NIL", ["Bob", "Cid"]),
                    ("partner.name = 'Ann'", ["Bob"]), ("partner.partner.name = 'Ann'", ["Ann"]),
                    ("partner.passport.visa != NIL", ["Bob"]),
                    ("passport.holder.partner.name = 'Bob'", ["Ann"]),
                ], of: "Traveler")
            try await travel.store.write("pending") { context in
                try context.traveler("Cid").passport = try context.passport(2)
                try expectEqual(
                    try context.find(Traveler.self, "passport != NIL", order: "passport.number DESC").map(
                        \.name),
                    ["Cid", "Ann"], "The people with a passport, including pending changes")
                try expectEqual(
                    try context.find(Passport.self, "holder.name = 'Cid'").map(\.number), [2],
                    "The passport of its new holder")
                try expectEqual(
                    try context.find(Passport.self, "holder.name = 'Bob'").count, 0, "The passports of Bob")
                context.rollback()
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
        }
        Requirement("A batch deletion applies the delete rules of a one-to-one, from either end") { run in
            let travel = try await TravelFixture(run)
            try expectEqual(
                try travel.harness.perform("Passport", .delete, where: "number = 2").conflicts, [],
                "The conflicts")
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob - Ann -", "Cid - - -"], free: [3])
            try expectEqual(
                try travel.harness.perform("Traveler", .delete, where: "name = 'Ann'").conflicts, [],
                "The conflicts")
            try travel.expectStored(["Bob - - -", "Cid - - -"], free: [3])
            let left = try await travel.store.read("look") { try $0.count(Visa.self) }
            try expectEqual(left, 0, "The visas")
        }
        Requirement("A batch update can't change one end of a one-to-one only") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.write("set, and remove") { context in
                let free = try context.passport(3)
                try expectError(.unknownProperty) {
                    try context.batchUpdate(Traveler.self, where: \.name == "Cid", .set(\.passport, to: free))
                }
                try expectError(.unknownProperty) {
                    try context.batchUpdate(
                        Passport.self, where: \.number == 2, .set(\.holder, to: nil as ObjectID?))
                }
                try expectError(.unknownProperty) {
                    try context.batchUpdate(
                        Traveler.self, where: \.name == "Ann", .set(\.partner, to: nil as ObjectID?))
                }
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
        }
        Requirement("If two contexts assign the same target, the second save is a conflict") { run in
            let travel = try await TravelFixture(run)
            let editors = [travel.store.makeBackgroundContext(), travel.store.makeBackgroundContext()]
            for (editor, name) in zip(editors, ["Bob", "Cid"]) {
                try await editor.perform { try $0.traveler(name).passport = try $0.passport(3) }
            }
            try await editors[0].perform { try $0.save() }
            try await editors[1].perform { context in try expectError(.conflict) { try context.save() } }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 3 Ann -", "Cid - - -"], free: [2])
        }
        Requirement("Changes of a one-to-one are undone and redone at both ends") { run in
            let travel = try await TravelFixture(run)
            try await travel.store.write("undo") { context in
                context.isUndoEnabled = true
                let (ann, bob, cid) = (
                    try context.traveler("Ann"), try context.traveler("Bob"), try context.traveler("Cid")
                )
                context.undoGroup { cid.passport = ann.passport }
                context.undo()
                try expect(ann.passport?.number == 1 && cid.passport == nil, "Ann has her passport again")
                context.redo()
                try expect(ann.passport == nil && cid.passport?.holder === cid, "Cid has it again")
                context.rollback()
                try expect(ann.passport?.holder === ann && bob.partner === ann, "All is as it was")
            }
            try travel.expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
        }
    }
}
