import ContextCore

extension Topic {
    /// Fetches that lock the rows they return.
    static let locking: Topic = Topic("locking") {
        Requirement("A locking fetch returns the same objects as any fetch, for every way to wait for locks")
        {
            run in
            let games = try await run.games()
            try await games.write("lock") { context in
                for wait in [LockWait.untilTimeout, .wait(.seconds(5)), .noWait, .skipLocked] {
                    for predicate in ["score > 5", "game.title = 'Go'", "ANY game.players.bonus = 0"] {
                        var request = FetchRequest<Player>(
                            where: try FetchPredicate(predicate),
                            order: try SortKey.keys("game.title DESC, score DESC, name"), limit: 2, offset: 1)
                        let names = try context.fetch(request).map(\.name)
                        (request.lock, request.lockWait) = (.update, wait)
                        try expectEqual(try context.fetch(request).map(\.name), names, "What is locked")
                        try expectEqual(
                            try context.fetchIDs(request), try context.fetch(request).map(\.objectID),
                            "The identifiers of what is locked")
                    }
                }
            }
        }
        Requirement("A locking fetch can include subentities and prefetch relationships") { run in
            let games = try await run.games()
            try await games.write("lock") { context in
                let people = FetchRequest<Person>(order: try SortKey.keys("name"), lock: .update)
                try expectEqual(try context.fetch(people).map(\.name), ["Max", "Mia", "Paul"], "The people")
                let go = try require(
                    try context.fetch(
                        Game.self, where: \.title == "Go", prefetching: [\.players, \.fans], lock: .update
                    ).first, "The game")
                context.faulting = .forbid
                try expectEqual(Set(go.players.map(\.name)), ["Ann", "Bob"], "The players")
                try expectEqual(go.fans.count, 2, "The fans")
                go.title = "Baduk"
            }
            try await games.expectNames([("title = 'Baduk'", ["Baduk"])], of: "Game")
        }
        Requirement("Only the context of a write can lock rows") { run in
            let games = try await run.games()
            let request = FetchRequest<Player>(lock: .update)
            try await games.read("lock") { context in
                try expectError(.unsupportedRequest) { try context.fetch(request) }
                try expectError(.unsupportedRequest) { try context.fetchIDs(request) }
            }
            try await games.makeBackgroundContext().perform { context in
                try expectError(.unsupportedRequest) { try context.fetch(request) }
            }
            try await games.write("lock") { context in
                try expectError(.unsupportedRequest) { try context.makeChild().fetch(request) }
                try expectError(.unsupportedRequest) { try context.count(request) }
                try expectError(.unsupportedRequest) { try context.fetchPages(request) }
                try expectEqual(try context.fetch(request).count, 5, "The players")
            }
        }
        Requirement("An entity with unsaved changes can't be locked until they are saved") { run in
            let games = try await run.games()
            try await games.write("lock") { context in
                let request = FetchRequest<Player>(where: try FetchPredicate("score > 5"), lock: .update)
                try context.only(Player.self, "name = 'Ann'").score = 1
                try expectError(.unsupportedRequest) { try context.fetch(request) }
                let people = FetchRequest<Person>(order: try SortKey.keys("name"), lock: .update)
                try expectEqual(try context.fetch(people).count, 3, "The people, who haven't changed")
                try context.save()
                try expectEqual(Set(try context.fetch(request).map(\.name)), ["Bob", "Cid"], "The players")
            }
        }
        Requirement(
            "Several processes with the same store dequeue each row once", requires: .sharedByProcesses
        ) {
            run in
            let stores = [try await run.games(), try await run.open(), try await run.open()]
            try await stores[0].write("fill") { context in
                for number in 0..<30 { _ = Round(in: context, number: number) }
            }
            let dequeued = try await withThrowingTaskGroup(of: [Int].self) { group in
                for (worker, store) in stores.enumerated() {
                    group.addTask { try await dequeueRounds(from: store, 1000 * (worker + 1)) }
                }
                return try await group.reduce([], +)
            }
            try expectEqual(dequeued.sorted(), Array(0..<30), "The dequeued rounds")
        }
    }

    /// Dequeues rounds, each in its own write, until none is left, and adds `offset` to the number of each.
    private static func dequeueRounds(from store: Store, _ offset: Int) async throws -> [Int] {
        var dequeued: [Int] = []
        while true {
            let number = try await store.write("take") { context -> Int? in
                let next = try context.fetch(
                    Round.self, where: \.number < 1000, order: .ascending(\.number), limit: 1, lock: .update,
                    wait: .skipLocked
                ).first
                defer { next?.number += offset }
                return next?.number
            }
            guard let number else { return dequeued }
            dequeued.append(number)
        }
    }
}
