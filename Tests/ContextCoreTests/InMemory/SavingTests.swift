import ContextCore
import Testing

struct SavingTests {
    @Test func `Committed changes are seen only by later sessions`() throws {
        let store = try InMemoryCoordinator.clubs()
        let before = try store.read()
        try store.save { maker, _ in try maker.insert("Club", 1, ["name": .string("Union")]) }
        let after = try store.read()
        #expect(try before.keys(FetchPlan(entityIndex: store.model.entity("Club").index)).isEmpty)
        #expect(try after.keys(FetchPlan(entityIndex: store.model.entity("Club").index)) == [1])
        #expect(try after.value("name", of: "Club", 1, in: store.model) == .string("Union"))
        #expect(after.token.sequence == before.token.sequence + 1)
    }

    @Test func `A writer sees its own changes, and other sessions see them after the commit`() throws {
        let store = try InMemoryCoordinator.furnished()
        let writer = try store.write()
        var maker = ChangeMaker(store.model)
        try maker.update("Club", 1, ["city": .null], seenBy: writer)
        #expect(try writer.apply(maker.changes).conflicts.isEmpty)
        let reader = try store.read()
        #expect(try writer.value("city", of: "Club", 1, in: store.model) == .null)
        #expect(try reader.value("city", of: "Club", 1, in: store.model) == .string("Essen"))
        let token = try writer.commit()
        #expect(try store.read().token == token)
        #expect(try reader.value("city", of: "Club", 1, in: store.model) == .string("Essen"))
        #expect(try store.read().value("city", of: "Club", 1, in: store.model) == .null)
    }

    @Test func `Rolling back, ending and releasing a writer leave nothing`() throws {
        let store = try InMemoryCoordinator.furnished()
        let ways: [(any WriteSession) -> Void] = [{ $0.rollback() }, { $0.end() }, { _ in }]
        for (number, finish) in ways.enumerated() {
            do {
                let writer = try store.write()
                var maker = ChangeMaker(store.model)
                try maker.insert("Club", 10 + Int64(number), ["name": .string("Club \(number)")])
                try maker.delete("Member", 1)
                #expect(try writer.apply(maker.changes).conflicts.isEmpty)
                finish(writer)
            }
            let reader = try store.read()
            #expect(try reader.keys(FetchPlan(entityIndex: store.model.entity("Club").index)) == [1, 2])
            #expect(try reader.value("name", of: "Member", 1, in: store.model) == .string("Ann"))
        }
    }

    @Test func `A conflict applies nothing, and keeps earlier changes`() throws {
        let store = try InMemoryCoordinator.furnished()
        let writer = try store.write()
        var first = ChangeMaker(store.model)
        try first.insert("Tag", 1, ["label": .string("red")])
        #expect(try writer.apply(first.changes).conflicts.isEmpty)
        var second = ChangeMaker(store.model)
        try second.insert("Tag", 2, ["label": .string("white")])
        try second.insert("Club", 3, ["name": .string("Union")])
        #expect(try !writer.apply(second.changes).conflicts.isEmpty)
        _ = try writer.commit()
        #expect(try store.read().keys(FetchPlan(entityIndex: store.model.entity("Tag").index)) == [1])
    }

    @Test func `Every stale, missing and reused row is reported as a conflict`() throws {
        let store = try InMemoryCoordinator.furnished()
        try store.save { maker, session in
            try maker.update("Member", 1, ["score": .int(4)], seenBy: session)
            try maker.update("Captain", 2, ["score": .int(8)], seenBy: session)
        }
        let model = store.model
        let conflicts = try store.save { maker, session in
            try maker.update("Member", 1, ["score": .int(5)], base: 1, seenBy: session)
            try maker.delete("Captain", 2, base: 1)
            try maker.update("Member", 3, ["score": .int(6)], seenBy: session)
            try maker.update("Member", 7, ["name": .string("Zoe"), "score": .int(0)], seenBy: session)
            try maker.delete("Member", 8, base: 1)
            try maker.delete("Member", 9)
            try maker.insert("Club", 1, ["name": .string("Union")])
        }
        let (club, member) = (try model.entity("Club").index, try model.entity("Member").index)
        #expect(
            Set(conflicts) == [
                RowConflict(entityIndex: member, key: 1, reason: .changed(storedVersion: 2)),
                RowConflict(
                    entityIndex: try model.entity("Captain").index, key: 2, reason: .changed(storedVersion: 2)
                ),
                RowConflict(entityIndex: member, key: 7, reason: .deleted),
                RowConflict(entityIndex: member, key: 8, reason: .deleted),
                RowConflict(entityIndex: club, key: 1, reason: .duplicate(constraint: [], otherKey: 1)),
            ])
        #expect(conflicts.count == 5)
    }

    @Test func `Keys start at one and are never reused, even after a rollback`() throws {
        let store = try InMemoryCoordinator.clubs()
        let root = try store.model.entity("Person").index
        let first = try store.write()
        #expect(try first.reserveKeys(3, rootIndex: root) == 1..<4)
        first.rollback()
        try store.save { maker, session in
            #expect(try session.reserveKeys(1, rootIndex: root) == 4..<5)
            #expect(try session.reserveKeys(2, rootIndex: try store.model.entity("Club").index) == 1..<3)
            try maker.insert("Captain", 40, ["name": .string("Ann"), "score": .int(1)])
        }
        try store.save { maker, _ in try maker.delete("Captain", 40) }
        let last = try store.write()
        #expect(try last.reserveKeys(1, rootIndex: root) == 41..<42)
    }

    @Test func `The greatest key can be stored, and none is allocated after it`() throws {
        let store = try InMemoryCoordinator.clubs()
        try store.save { maker, _ in try maker.insert("Club", .max, ["name": .string("Last")]) }
        let writer = try store.write()
        #expect(throws: StoreError.self) {
            try writer.reserveKeys(1, rootIndex: try store.model.entity("Club").index)
        }
    }

    @Test func `An empty change set changes nothing`() throws {
        let store = try InMemoryCoordinator.furnished()
        let before = try store.read().token
        #expect(try store.save { _, _ in }.isEmpty)
        #expect(try store.read().token == before)
    }

    @Test func `Rows of another model are refused`() throws {
        let store = try InMemoryCoordinator.clubs()
        var stranger = ChangeMaker(try ClubModel.make())
        try stranger.insert("Club", 1, ["name": .string("Union")])
        let writer = try store.write()
        let error = #expect(throws: StoreError.self) { try writer.apply(stranger.changes) }
        #expect(error?.code == .modelMismatch)
    }

    @Test func `Metadata of the program is committed with the rest`() throws {
        let store = try InMemoryCoordinator.clubs()
        let writer = try store.write()
        try writer.setUserInfo(["season": "2026"])
        #expect(try store.metadata().userInfo.isEmpty)
        _ = try writer.commit()
        #expect(try store.metadata().userInfo == ["season": "2026"])
        #expect(try store.metadata().modelFingerprint == store.model.fingerprint)
    }
}
