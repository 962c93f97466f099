import ContextCore

extension Topic {
    /// Read and write sessions of coordinators.
    static let sessions: Topic = Topic("sessions") {
        Requirement("A coordinator has its fixture's capabilities and its model's fingerprint") { run in
            let harness = try run.harness()
            try expectEqual(harness.coordinator.capabilities, run.fixture.capabilities, "The capabilities")
            try expectEqual(
                try harness.coordinator.metadata().modelFingerprint, harness.model.fingerprint,
                "The fingerprint")
        }
        Requirement("Keys begin at 1, and are never reserved twice") { run in
            let harness = try run.harness()
            let root = try harness.layout("Box").rootIndex
            let first = try harness.write { try $0.reserveKeys(3, rootIndex: root) }.result
            try expectEqual(first, 1..<4, "The first keys")
            let session = try harness.coordinator.openWriteSession(SessionOptions(identifier: "rolled back"))
            let second = try session.reserveKeys(5, rootIndex: root)
            session.rollback()
            let third = try harness.write { try $0.reserveKeys(1, rootIndex: root) }.result
            try expect(second.lowerBound >= first.upperBound, "Keys go up")
            try expect(third.lowerBound >= second.upperBound, "A rollback doesn't release keys")
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Box", [(third.lowerBound, ["name": .string("box")])])]
            try harness.save(changes)
            var deletion = ChangeSet()
            deletion.deletes = [try harness.deletion("Box", third.lowerBound, base: 1)]
            try harness.save(deletion)
            let fourth = try harness.write { try $0.reserveKeys(1, rootIndex: root) }.result
            try expect(fourth.lowerBound > third.lowerBound, "A deletion doesn't release keys")
        }
        Requirement("Keys of rows that were inserted without a reservation are not reserved") { run in
            let harness = try run.harness()
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Box", [(1000, ["name": .string("box")])])]
            try harness.save(changes)
            let next = try harness.write {
                try $0.reserveKeys(1, rootIndex: try harness.layout("Box").rootIndex)
            }
            .result
            try expect(next.lowerBound > 1000, "The next key is above the inserted one")
        }
        Requirement(
            "A read session reads one snapshot, and only the session that applied changes sees them before the commit"
        ) { run in
            let harness = try run.harness()
            let before = try harness.coordinator.openReadSession(SessionOptions(identifier: "before"))
            defer { before.end() }
            let boxes = FetchPlan(entityIndex: try harness.layout("Box").index)
            let token = before.token
            try expectEqual(try before.fetch(boxes).count, 0, "The boxes before")
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Box", [(1, ["name": .string("box")])])]
            let saved = try harness.write { session in
                try expectEqual(try session.apply(changes).conflicts, [], "The conflicts")
                try expectEqual(try session.fetch(boxes).count, 1, "The boxes in the session that wrote")
                try expectEqual(
                    try harness.read { try $0.fetch(boxes).count }, 0, "The boxes in another session")
            }.token
            try expectEqual(try before.fetch(boxes).count, 0, "The boxes in the session that was open")
            try expectEqual(before.token, token, "The token of the session that was open")
            try expectEqual(try harness.read { try $0.fetch(boxes).count }, 1, "The boxes afterwards")
            try expect(saved.sequence > token.sequence, "A commit's token is later")
            try expectEqual(try harness.read { $0.token }, saved, "The token of a later session")
        }
        Requirement("Rolling back a savepoint undoes its changes only, and keeps those before and after it") {
            run in
            let harness = try run.harness()
            let (box, root) = (try harness.layout("Box").index, try harness.layout("Box").rootIndex)
            let insert: (Int64) throws -> ChangeSet = { key in
                var changes = ChangeSet(author: "author \(key)")
                changes.inserts = [try harness.insertion("Box", [(key, ["name": .string("box \(key)")])])]
                return changes
            }
            var keys: [Range<Int64>] = []
            var tokens: [StoreToken] = []
            let saved = try harness.write { session in
                for (key, isKept) in [(1, true), (2, false), (3, true)] as [(Int64, Bool)] {
                    if key > 1 { try session.beginSavepoint(SessionOptions(identifier: "part")) }
                    keys.append(try session.reserveKeys(100, rootIndex: root))
                    try expectEqual(try session.apply(insert(key + 1000)).conflicts, [], "The conflicts")
                    tokens.append(session.token)
                    if key > 1 { try session.endSavepoint(keepingWork: isKept) }
                }
                let count = try session.fetch(FetchPlan(entityIndex: box)).count
                try expectEqual(count, 2, "The rows before the commit")
            }.token
            try expect(
                zip(keys, keys.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound },
                "Keys stay reserved")
            let isNumberedLate = harness.coordinator.capabilities.contains(.concurrentWrites)
            if !isNumberedLate {
                try expect(tokens[0] != tokens[1], "A session's token advances when it applies changes")
                try expectEqual(tokens[2], saved, "The token after the last change set")
                try expectEqual(tokens[1], saved, "Rolled back changes leave no gap in the tokens")
            }
            try harness.read { session in
                let rows = try session.fetch(FetchPlan(entityIndex: box))
                try expectEqual((0..<rows.count).map(rows.key), [1001, 1003], "The keys in the store")
                guard harness.coordinator.capabilities.contains(.history) else { return }
                let history = try session.history(HistoryRequest())
                try expectEqual(history.map(\.author), ["author 1001", "author 1003"], "The history")
                try expectEqual(history.last?.token, saved, "The last token")
                if !isNumberedLate { try expectEqual(history[0].token, tokens[0], "The first token") }
            }
        }
        Requirement("Insertions of several saves are applied together in their order, or none is") {
            run in
            let harness = try run.harness()
            let box = try harness.layout("Box").index
            let insert: (Int64) throws -> ChangeSet = { key in
                var changes = ChangeSet(author: "author \(key)")
                changes.inserts = [try harness.insertion("Box", [(key, ["name": .string("box \(key)")])])]
                return changes
            }
            var tokens: [StoreToken] = []
            let saved = try harness.write { session in
                guard let session = session as? any BatchingSession else {
                    for key in 1001...1004 as ClosedRange<Int64> { _ = try session.apply(insert(key)) }
                    return
                }
                tokens += try session.applyBatch([insert(1001), insert(1002)]) ?? []
                try expect(session.token == tokens.last, "The session's token is the last one's")
                let refused = try session.applyBatch([insert(1003), insert(1002), insert(1004)])
                try expectEqual(refused, nil, "The tokens if a key is a duplicate")
                try expect(session.token == tokens.last, "The token after nothing was applied")
                tokens += try session.applyBatch([insert(1003), insert(1004)]) ?? []
            }.token
            try harness.read { session in
                let rows = try session.fetch(FetchPlan(entityIndex: box))
                try expectEqual((0..<rows.count).map(rows.key), [1001, 1002, 1003, 1004], "The rows")
                guard harness.coordinator.capabilities.contains(.history) else { return }
                let history = try session.history(HistoryRequest())
                try expectEqual(
                    history.map(\.author), (1001...1004).map { "author \($0)" }, "The history's authors")
                try expectEqual(history.last?.token, saved, "The last token")
                if !tokens.isEmpty { try expectEqual(history.map(\.token), tokens, "The tokens") }
            }
        }
        Requirement(
            "A session with a deferred BEGIN saves several change sets atomically, and then works like any other"
        ) {
            run in
            let harness = try run.harness()
            let box = try harness.layout("Box").index
            let insert: (Int64) throws -> ChangeSet = { key in
                var changes = ChangeSet(author: "author \(key)")
                changes.inserts = [try harness.insertion("Box", [(key, ["name": .string("box \(key)")])])]
                return changes
            }
            var options = SessionOptions(identifier: "late")
            options.defersBegin = true
            let session = try harness.coordinator.openWriteSession(options)
            defer { session.end() }
            var tokens: [StoreToken] = []
            if harness.coordinator.capabilities.contains(.singleRoundTripSaves),
                let late = session as? any SingleRoundTripSession
            {
                tokens +=
                    try late.saveInOneRoundTrip([insert(1001), insert(1002)], isCancellable: true) ?? []
                let refused = try late.saveInOneRoundTrip([insert(1003), insert(1002)], isCancellable: false)
                try expectEqual(refused, nil, "The tokens if a key is a duplicate")
            } else {
                for key in 1001...1002 as ClosedRange<Int64> { _ = try session.apply(insert(key)) }
            }
            try expectEqual(try session.apply(insert(1004)).conflicts, [], "The conflicts")
            tokens.append(try session.commit())
            try harness.read { session in
                let rows = try session.fetch(FetchPlan(entityIndex: box))
                try expectEqual((0..<rows.count).map(rows.key), [1001, 1002, 1004], "The rows")
                guard harness.coordinator.capabilities.contains(.history) else { return }
                let history = try session.history(HistoryRequest())
                try expectEqual(
                    history.map(\.author), [1001, 1002, 1004].map { "author \($0)" }, "The history's authors")
                try expectEqual(
                    Array(history.map(\.token).suffix(tokens.count)), tokens, "The tokens")
            }
        }
        Requirement("Using a session after its end or a closed store is an error") { run in
            let harness = try run.harness()
            let session = try harness.coordinator.openReadSession(SessionOptions(identifier: "ended"))
            session.end()
            session.end()
            let plan = FetchPlan(entityIndex: try harness.layout("Box").index)
            try expectError(.closed) { try session.fetch(plan) }
            let open = try harness.coordinator.openReadSession(SessionOptions(identifier: "open"))
            harness.coordinator.close()
            harness.coordinator.close()
            try expectError(.closed) { try open.fetch(plan) }
            try expectError(.closed) {
                try harness.coordinator.openReadSession(SessionOptions(identifier: "late"))
            }
            try expectError(.closed) {
                try harness.coordinator.openWriteSession(SessionOptions(identifier: "late"))
            }
            open.end()
        }
        Requirement("An empty commit doesn't change the token") { run in
            let harness = try run.harness()
            let before = try harness.read { $0.token }
            try expectEqual(try harness.write { _ in }.token, before, "The token of an empty commit")
            try expectEqual(try harness.save(ChangeSet()), before, "The token of an empty change set")
        }
        Requirement("Every row with a stale version is a conflict, and nothing is applied") { run in
            let harness = try run.boxesAndItems()
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Label", [(7, ["name": .string("new")])])]
            changes.updates = [
                try harness.update("Box", 1, base: 9, ["name": .string("x")], changing: ["name"]),
                try harness.update("Box", 99, base: 1, ["name": .string("x")], changing: ["name"]),
            ]
            changes.deletes = [
                try harness.deletion("Item", 1, base: 5), try harness.deletion("Item", 99, base: 1),
            ]
            let box = try harness.layout("Box").index, item = try harness.layout("Item").index
            try expectEqual(
                Set(try harness.conflicts(of: changes)),
                [
                    RowConflict(entityIndex: box, key: 1, reason: .changed(storedVersion: 1)),
                    RowConflict(entityIndex: box, key: 99, reason: .deleted),
                    RowConflict(entityIndex: item, key: 1, reason: .changed(storedVersion: 1)),
                    RowConflict(entityIndex: item, key: 99, reason: .deleted),
                ], "The conflicts")
            let labels = FetchPlan(entityIndex: try harness.layout("Label").index)
            try expectEqual(try harness.read { try $0.fetch(labels).count }, 0, "The labels")
        }
        Requirement("A duplicate key is a conflict with an empty constraint") { run in
            let harness = try run.boxesAndItems()
            var changes = ChangeSet()
            changes.inserts = [try harness.insertion("Box", [(1, ["name": .string("again")])])]
            let box = try harness.layout("Box").index
            try expectEqual(
                try harness.conflicts(of: changes),
                [RowConflict(entityIndex: box, key: 1, reason: .duplicate(constraint: [], otherKey: 1))],
                "The conflicts")
        }
        Requirement("A reference to a missing row is a conflict, and so is deleting a referenced row") {
            run in
            let harness = try run.boxesAndItems()
            let item = try harness.layout("Item").index
            var dangling = ChangeSet()
            dangling.inserts = [
                try harness.insertion("Item", [(8, ["name": .string("x"), "box": .int(50)])])
            ]
            try expectEqual(
                try harness.conflicts(of: dangling),
                [RowConflict(entityIndex: item, key: 8, reason: .missingReference(property: "box"))],
                "The conflicts")
            var pulled = ChangeSet()
            pulled.deletes = [try harness.deletion("Box", 1, base: 1)]
            try expectEqual(
                Set(try harness.conflicts(of: pulled)),
                Set(
                    [1, 2].map {
                        RowConflict(entityIndex: item, key: $0, reason: .missingReference(property: "box"))
                    }),
                "The conflicts")
            var free = ChangeSet()
            free.inserts = [try harness.insertion("Note", [(1, ["name": .string("x"), "box": .int(50)])])]
            try expectEqual(
                try harness.conflicts(of: free), [],
                "The conflicts of a reference with the delete rule noAction"
            )
        }
        Requirement("Fetching rows by keys returns each existing row once") { run in
            let harness = try run.boxesAndItems()
            let batch = try harness.read {
                try $0.rows([2, 1, 2, 77], entityIndex: try harness.layout("Item").index)
            }
            try expectEqual(Set((0..<batch.count).map(batch.key)), [1, 2], "The keys")
            try expectEqual(batch.count, 2, "The number of rows")
            let names = try harness.values("name", of: batch, "Item")
            try expectEqual(Set(names), [.string("one"), .string("two")], "The names")
        }
        Requirement("Links are returned owner by owner, and each related row once") { run in
            let harness = try run.boxesAndItems()
            let box = try harness.layout("Box")
            let slot = try require(box.property(named: "items"), "The property").slot
            let plan = RelatedPlan(entityIndex: box.index, slot: slot, owners: [2, 1], includesRows: true)
            let related = try harness.read { try $0.related(plan) }
            try expectEqual(
                related.links.map { [$0.owner, $0.target] }, [[2, 3], [1, 1], [1, 2]], "Owners and targets")
            try expectEqual(related.rows?.count, 3, "The number of rows")
            let bare = RelatedPlan(entityIndex: box.index, slot: slot, owners: [1], includesRows: false)
            try expect(
                try harness.read { try $0.related(bare).rows } == nil, "Rows are returned only if requested")
        }
        Requirement(
            "The change sets of a session are committed together, and each is one transaction in the history",
            requires: .history
        ) { run in
            let harness = try run.boxesAndItems()
            let before = try harness.read { $0.token }
            try harness.write { session in
                for number in 1...3 {
                    var changes = ChangeSet(author: "author \(number)")
                    changes.inserts = [
                        try harness.insertion("Label", [(Int64(number), ["name": .string("l")])])
                    ]
                    try expectEqual(try session.apply(changes).conflicts, [], "The conflicts")
                }
            }
            let history = try harness.read { try $0.history(HistoryRequest(after: before)) }
            try expectEqual(history.map(\.author), ["author 1", "author 2", "author 3"], "The authors")
        }
        Requirement("User info is stored, and a rollback undoes its changes") { run in
            let harness = try run.harness()
            try harness.write { session in
                try expectEqual(try session.userInfo(), [:], "The user info of a new store")
                try session.setUserInfo(["a": "é", "b": ""])
                try expectEqual(try session.userInfo(), ["a": "é", "b": ""], "The user info in the session")
            }
            try expectEqual(
                try harness.coordinator.metadata().userInfo, ["a": "é", "b": ""], "The user info")
            let session = try harness.coordinator.openWriteSession(SessionOptions(identifier: "rolled back"))
            try session.setUserInfo([:])
            session.rollback()
            try expectEqual(
                try harness.coordinator.metadata().userInfo, ["a": "é", "b": ""],
                "The user info after a rollback")
            try harness.write { try $0.setUserInfo(["c": "1"]) }
            try expectEqual(
                try harness.coordinator.metadata().userInfo, ["c": "1"],
                "The user info that replaces the previous one")
        }
    }
}

extension CaseRun {
    /// Opens a coordinator with two boxes and their items.
    func boxesAndItems() throws -> SessionHarness {
        let harness = try harness()
        var changes = ChangeSet(author: "stock")
        changes.inserts = [
            try harness.insertion("Box", [(1, ["name": .string("outer")]), (2, ["name": .string("inner")])]),
            try harness.insertion(
                "Item",
                [
                    (1, ["name": .string("one"), "box": .int(1)]),
                    (2, ["name": .string("two"), "box": .int(1)]),
                    (3, ["name": .string("three"), "box": .int(2)]),
                ]),
        ]
        try harness.save(changes)
        return harness
    }
}
