import ContextCore
import Foundation

extension Topic {
    /// The history of saves, and the stream of changes.
    static let history: Topic = Topic("history") {
        Requirement("Each save is a transaction with its author, context and changes", requires: .history) {
            run in
            let harness = try run.boxesAndItems()
            let before = try harness.read { $0.token }
            var changes = ChangeSet(author: "ann", contextName: "editor")
            changes.inserts = [try harness.insertion("Label", [(1, ["name": .string("new")])])]
            changes.updates = [
                try harness.update(
                    "Item", 1, base: 1, ["name": .string("x"), "box": .int(2)], changing: ["name", "box"])
            ]
            changes.deletes = [try harness.deletion("Item", 3, base: 1)]
            let token = try harness.save(changes)
            let history = try harness.read { try $0.history(HistoryRequest(after: before)) }
            try expectEqual(history.count, 1, "The number of transactions")
            let transaction = history[0]
            try expectEqual(transaction.token, token, "The token")
            try expectEqual(transaction.author, "ann", "The author")
            try expectEqual(transaction.contextName, "editor", "The context")
            let (item, label) = (try harness.layout("Item").index, try harness.layout("Label").index)
            try expectEqual(
                Set(transaction.changes),
                [
                    HistoryChange(
                        kind: .update, entityIndex: item, key: 1, changedProperties: ["box", "name"]),
                    HistoryChange(kind: .delete, entityIndex: item, key: 3),
                    HistoryChange(kind: .insert, entityIndex: label, key: 1),
                ], "The changes")
        }
        Requirement(
            "The history can be filtered by author, entity and limit, and is sorted from the oldest",
            requires: .history
        ) {
            run in
            let harness = try run.harness()
            let start = try harness.read { $0.token }
            for number in 1...4 {
                var changes = ChangeSet(author: number % 2 == 0 ? "even" : "odd")
                let entity = number > 2 ? "Label" : "Note"
                changes.inserts = [try harness.insertion(entity, [(Int64(number), ["name": .string("n")])])]
                try harness.save(changes)
            }
            func keys(_ request: HistoryRequest) throws -> [Int64] {
                try harness.read { try $0.history(request).flatMap(\.changes).map(\.key) }
            }
            try expectEqual(try keys(HistoryRequest()), [1, 2, 3, 4], "All keys")
            try expectEqual(
                try keys(HistoryRequest(after: start, author: "even")), [2, 4], "The keys of an author")
            let label = try harness.layout("Label").index
            try expectEqual(
                try keys(HistoryRequest(entityIndices: [label])), [3, 4], "The keys of an entity")
            try expectEqual(try keys(HistoryRequest(limit: 2)), [1, 2], "The keys of the first two")
            let tokens = try harness.read { try $0.history(HistoryRequest()).map(\.token) }
            try expectEqual(try keys(HistoryRequest(after: tokens[1])), [3, 4], "The keys after a token")
        }
        Requirement("The history after a date excludes that date", requires: .history) { run in
            let harness = try run.harness()
            for number in 1...4 {
                // Dates have microseconds, and a store's clock may be coarser.
                try await Task.sleep(for: .milliseconds(30))
                var changes = ChangeSet()
                changes.inserts = [try harness.insertion("Label", [(Int64(number), ["name": .string("n")])])]
                try harness.save(changes)
            }
            let dates = try harness.read { try $0.history(HistoryRequest()).map(\.date) }
            func keys(_ request: HistoryRequest) throws -> [Int64] {
                try harness.read { try $0.history(request).flatMap(\.changes).map(\.key) }
            }
            try expectEqual(try keys(HistoryRequest(since: dates[1])), [3, 4], "The keys since a date")
            try expectEqual(
                try keys(HistoryRequest(since: dates[1] - 0.01, limit: 2)), [2, 3],
                "The next two since a date")
            try expectEqual(try keys(HistoryRequest(since: .distantPast)), [1, 2, 3, 4], "All keys")
            try expectEqual(try keys(HistoryRequest(since: .distantFuture)), [], "The keys of the future")
            let token = try harness.read { try $0.history(HistoryRequest()).map(\.token) }[2]
            try expectEqual(
                try keys(HistoryRequest(after: token, since: dates[0])), [4], "The keys after both")
        }
        Requirement(
            "The history rejects tokens of another store and tokens of the future",
            requires: .history
        ) { run in
            let harness = try run.boxesAndItems()
            let token = try harness.read { $0.token }
            let strange = [
                StoreToken(storeID: UUID(), sequence: token.sequence),
                StoreToken(storeID: UUID(), sequence: 0),
                StoreToken(storeID: token.storeID, sequence: token.sequence + 1),
            ]
            let reasons: [ExpiredHistory.Reason] = [.otherStore, .otherStore, .earlierState]
            for (strange, reason) in zip(strange, reasons) {
                for error in [
                    try expectError(.historyExpired) {
                        try harness.read { try $0.history(HistoryRequest(after: strange)) }
                    },
                    try expectError(.historyExpired) {
                        try harness.write { try $0.history(HistoryRequest(after: strange)) }
                    },
                ] {
                    let start = StoreToken(storeID: token.storeID, sequence: 0)
                    try expectEqual(
                        error.expiredHistory,
                        ExpiredHistory(reason: reason, oldest: start, newest: token),
                        "The details of the error for \(strange)")
                }
            }
            try expectError(.historyExpired) {
                try harness.write { try $0.pruneHistory(through: strange[0]) }
            }
            try expectEqual(
                try harness.read { try $0.history(HistoryRequest()).count }, 1,
                "The transactions that are left")
            try expectEqual(
                try harness.read { try $0.history(HistoryRequest(after: token)).count }, 0,
                "The transactions after the last")
        }
        Requirement("The history keeps the preserved values of deleted objects", requires: .history) { run in
            let harness = try run.boxesAndItems()
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion(
                    "Account",
                    [(1, ["login": .string("ann"), "age": .int(3), "home": .int(1), "number": .int(77)])])
            ]
            try harness.save(changes)
            var deletion = ChangeSet()
            deletion.deletes = [try harness.deletion("Account", 1, base: 1)]
            try harness.save(deletion)
            let last = try require(
                try harness.read { try $0.history(HistoryRequest()) }.last?.changes.first, "The last change")
            try expectEqual(last.tombstone, ["number": .int(77)], "What is kept")
        }
        Requirement("Reading from a token before the pruned history is an error", requires: .history) { run in
            let harness = try run.boxesAndItems()
            let first = try harness.read { $0.token }
            for key in 1...2 {
                var changes = ChangeSet()
                changes.inserts = [try harness.insertion("Label", [(Int64(key), ["name": .string("n")])])]
                try harness.save(changes)
            }
            let tokens = try harness.read { try $0.history(HistoryRequest(after: first)).map(\.token) }
            try harness.write { try $0.pruneHistory(through: tokens[0]) }
            let error = try expectError(.historyExpired) {
                try harness.read { try $0.history(HistoryRequest(after: first)) }
            }
            try expectEqual(
                error.expiredHistory,
                ExpiredHistory(reason: .pruned, oldest: tokens[0], newest: tokens[1]),
                "The details of the expired history")
            try expectEqual(
                try harness.read { try $0.history(HistoryRequest(after: tokens[0])).count }, 1, "What is left"
            )
            let newest = try harness.read { try $0.history(HistoryRequest(after: tokens[1])).count }
            try expectEqual(newest, 0, "The transactions after the newest token")
            try expectEqual(
                try harness.read { try $0.history(HistoryRequest()).count }, 1, "All that is left")
        }
        Requirement("A changed link is a change of both objects", requires: .history) { run in
            let games = try await run.aggregateHarness()
            let harness = games.harness
            let store = try Store(coordinator: harness.coordinator)
            run.registerForClosing(store)
            let before = try harness.read { $0.token }
            try await store.write("like") { context in
                try context.only(Game.self, "title = 'Empty'").fans = [
                    try context.only(Person.self, "name = 'Max'")
                ]
            }
            let changes = try harness.read { try $0.history(HistoryRequest(after: before)) }.flatMap(
                \.changes)
            let names = Set(
                changes.map {
                    harness.model.layouts[$0.entityIndex].name + ": "
                        + $0.changedProperties.joined(separator: ",")
                })
            try expectEqual(names, ["Game: fans", "Manager: favourites"], "The changes")
        }
        Requirement("The stream of changes has the order of the saves, with their contexts and authors") {
            run in
            let games = try await run.open()
            let changes = games.changes
            let id = try await games.write("first") { context in
                let go = Game(in: context, title: "Go")
                try context.obtainPermanentIDs(for: [go])
                return go.objectID
            }
            let editor = games.makeBackgroundContext(name: "editor")
            try await editor.perform { context in
                context.author = "ann"
                try context.only(Game.self).title = "Baduk"
                try context.save()
                context.delete(try context.only(Game.self))
                try context.save()
            }
            var iterator = changes.makeAsyncIterator()
            let received = [await iterator.next(), await iterator.next(), await iterator.next()].compactMap {
                $0
            }
            try expectEqual(received.map(\.inserted), [[id], [], []], "The inserted objects")
            try expectEqual(received.map(\.updated), [[], [id], []], "The updated objects")
            try expectEqual(received.map(\.deleted), [[], [], [id]], "The deleted objects")
            try expectEqual(received.map(\.contextName), ["first", "editor", "editor"], "The contexts")
            try expectEqual(received.map(\.author), [nil, "ann", "ann"], "The authors")
            try expect(received[0].token.sequence < received[1].token.sequence, "Tokens go up")
        }
    }
}
