import ContextCore

extension Topic {
    /// Reopening and closing stores.
    static let reopening: Topic = Topic("reopening") {
        Promise(
            "A reopened store has the committed rows, their keys and versions, and its identity",
            requires: .persistent
        ) { trial in
            let games = try await trial.games()
            let identity = try await games.metadata().storeID
            try await games.setUserInfo(["note": "é"])
            let before = try await games.read("before") {
                try $0.find(Player.self, order: "name").map { $0.snapshot() }
            }
            await games.close()
            let again = try await trial.open()
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
        Promise("A reopened store doesn't reserve keys again", requires: .persistent) { trial in
            let desk = try trial.desk()
            let root = try desk.layout("Box").rootIndex
            let keys = try desk.write { try $0.reserveKeys(10, rootIndex: root) }.answer
            let session = try desk.coordinator.openWriteSession(SessionOptions(identifier: "rolled back"))
            let lost = try session.reserveKeys(10, rootIndex: root)
            session.rollback()
            desk.coordinator.close()
            let again = try trial.desk()
            let next = try again.write { try $0.reserveKeys(1, rootIndex: root) }.answer
            try expect(
                next.lowerBound >= keys.upperBound && next.lowerBound >= lost.upperBound,
                "Keys go up across openings")
        }
        Promise("A reopened store continues its history", requires: [.persistent, .history]) { trial in
            let desk = try trial.boxesAndItems()
            let token = try desk.read { $0.token }
            desk.coordinator.close()
            let again = try trial.desk()
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
        Promise(
            "Opening a store with another model fails, and doesn't change the store", requires: .persistent
        ) { trial in
            let games = try await trial.games()
            await games.close()
            try await expectError(.modelMismatch) { try await trial.open(RuleModel.classes) }
            let again = try await trial.open()
            let count = try await again.read("count") { try $0.count(Player.self) }
            try expectEqual(count, 5, "The players")
        }
        Promise("A reopened store has the same links and orders", requires: .persistent) { trial in
            let games = try await trial.games()
            try await games.write("more") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                go.rounds = [3, 1, 2].map { Round(in: context, number: $0) }
                let mia = try context.only(Person.self, "name = 'Mia'")
                mia.favourites = try ["Empty", "Go"].map { try context.only(Game.self, "title = %@", $0) }
            }
            await games.close()
            let again = try await trial.open()
            try await again.read("look") { context in
                try expectEqual(
                    try context.only(Game.self, "title = 'Go'").rounds.map(\.number), [3, 1, 2], "The rounds")
                try expectEqual(
                    try context.only(Person.self, "name = 'Mia'").favourites.map(\.title), ["Empty", "Go"],
                    "The favourites")
            }
        }
        Promise("Stores at different places are independent") { trial in
            let (one, two) = (try await trial.open(), try await trial.open(beside: "_two"))
            try await one.write("make") { _ = Game(in: $0, title: "Go") }
            let count = try await two.read("look") { try $0.count(Game.self) }
            try expectEqual(count, 0, "The games of the other store")
            let (first, second) = (try await one.metadata().storeID, try await two.metadata().storeID)
            try expect(first != second, "Stores have identities of their own")
        }
        Promise("A closed store rejects operations") { trial in
            let games = try await trial.open()
            await games.close()
            await games.close()
            try await expectError(.closed) { try await games.read("late") { try $0.count(Game.self) } }
            try await expectError(.closed) { try await games.write("late") { _ = Game(in: $0, title: "Go") } }
        }
    }
}
