import ContextCore

extension Topic {
    /// Reopening and closing stores.
    static let reopening: Topic = Topic("reopening") {
        Requirement(
            "A reopened store has the committed rows, their keys and versions, and its identity",
            requires: .persistent
        ) { run in
            let games = try await run.games()
            let identity = try await games.metadata().storeID
            try await games.setUserInfo(["note": "é"])
            let before = try await games.read("before") {
                try $0.find(Player.self, order: "name").map { $0.snapshot() }
            }
            await games.close()
            let again = try await run.open()
            let metadata = try await again.metadata()
            try expectEqual(metadata.storeID, identity, "The identity")
            try expectEqual(metadata.userInfo, ["note": "é"], "The user info")
            let after = try await again.read("after") {
                try $0.find(Player.self, order: "name").map { $0.snapshot() }
            }
            try expectEqual(after, before, "The players")
            try await again.write("go on") { context in
                try context.only(Player.self, "name = 'Ann'").score = 1
                context.delete(try context.only(Player.self, "name = 'Bob'"))
            }
            try await again.expectNames([("score = 1", ["Ann"]), ("name = 'Bob'", [])])
        }
        Requirement("A reopened store doesn't reserve keys again", requires: .persistent) { run in
            let harness = try run.harness()
            let root = try harness.layout("Box").rootIndex
            let keys = try harness.write { try $0.reserveKeys(10, rootIndex: root) }.result
            let session = try harness.coordinator.openWriteSession(SessionOptions(identifier: "rolled back"))
            let lost = try session.reserveKeys(10, rootIndex: root)
            session.rollback()
            harness.coordinator.close()
            let again = try run.harness()
            let next = try again.write { try $0.reserveKeys(1, rootIndex: root) }.result
            try expect(
                next.lowerBound >= keys.upperBound && next.lowerBound >= lost.upperBound,
                "Keys go up across openings")
        }
        Requirement("A reopened store continues its history", requires: [.persistent, .history]) { run in
            let harness = try run.boxesAndItems()
            let token = try harness.read { $0.token }
            harness.coordinator.close()
            let again = try run.harness()
            try expectEqual(try again.read { $0.token }, token, "The token")
            var changes = ChangeSet(author: "later")
            changes.inserts = [try again.insertion("Label", [(1, ["name": .string("n")])])]
            try again.save(changes)
            let history = try again.read { try $0.history(HistoryRequest()) }
            try expectEqual(history.map(\.author), ["stock", "later"], "The authors")
            try expectEqual(
                try again.read { try $0.history(HistoryRequest(after: token)).count }, 1,
                "What is after the token")
        }
        Requirement(
            "Opening a store with another model fails, and doesn't change the store", requires: .persistent
        ) { run in
            let games = try await run.games()
            await games.close()
            try await expectError(.modelMismatch) { try await run.open(RuleModel.classes) }
            let again = try await run.open()
            let count = try await again.read("count") { try $0.count(Player.self) }
            try expectEqual(count, 5, "The players")
        }
        Requirement("A reopened store has the same links and orders", requires: .persistent) { run in
            let games = try await run.games()
            try await games.write("more") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                go.rounds = [3, 1, 2].map { Round(in: context, number: $0) }
                let mia = try context.only(Person.self, "name = 'Mia'")
                mia.favourites = try ["Empty", "Go"].map { try context.only(Game.self, "title = %@", $0) }
            }
            await games.close()
            let again = try await run.open()
            try await again.read("look") { context in
                try expectEqual(
                    try context.only(Game.self, "title = 'Go'").rounds.map(\.number), [3, 1, 2], "The rounds")
                try expectEqual(
                    try context.only(Person.self, "name = 'Mia'").favourites.map(\.title), ["Empty", "Go"],
                    "The favourites")
            }
        }
        Requirement("Stores at different places are independent") { run in
            let (one, two) = (try await run.open(), try await run.open(beside: "_two"))
            try await one.write("make") { _ = Game(in: $0, title: "Go") }
            let count = try await two.read("look") { try $0.count(Game.self) }
            try expectEqual(count, 0, "The games of the other store")
            let (first, second) = (try await one.metadata().storeID, try await two.metadata().storeID)
            try expect(first != second, "Stores have identities of their own")
        }
        Requirement("A closed store rejects operations") { run in
            let games = try await run.open()
            await games.close()
            await games.close()
            try await expectError(.closed) { try await games.read("late") { try $0.count(Game.self) } }
            try await expectError(.closed) { try await games.write("late") { _ = Game(in: $0, title: "Go") } }
        }
    }
}
