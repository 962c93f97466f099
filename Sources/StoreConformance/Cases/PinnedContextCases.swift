import ContextCore

extension Topic {
    /// Pinned contexts, which read one snapshot of the store.
    static let pinnedContexts: Topic = Topic("pinned contexts") {
        Requirement("A pinned context reads one snapshot: fetches, counts, values, faults and relationships")
        {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try expect(!context.isPinned, "A context that isn't pinned reads the newest state")
                try context.pin()
                try expect(context.isPinned, "The context is pinned")
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players")
            }
            try await games.write("others") { context in
                context.delete(try context.only(Player.self, "name = 'Ann'"))
                try context.only(Player.self, "name = 'Bob'").score = 1000
                _ = Player(in: context, name: "New", game: try context.only(Game.self, "title = 'Go'"))
            }
            try await editor.perform { context in
                let names = try context.find(Player.self, order: "name").map(\.name)
                try expectEqual(names, ["Ann", "Bob", "Cid", "Eve", "Élan"], "The players as they were")
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "Their number")
                try expectEqual(try context.sum(\Player.score), 27, "The sum of their scores")
                let go = try context.only(Game.self, "title = 'Go'")
                try expectEqual(Set(go.players.map(\.name)), ["Ann", "Bob"], "The members of a relationship")
                let id = try require(context.fetchIDs(FetchRequest<Player>(where: \.name == "Ann")).first)
                try expectEqual(
                    try context.object(with: id, as: Player.self).score, 12, "The score that a fault loads")
                let child = context.makeChild()
                try expect(child.isPinned, "A child is pinned with its parent")
                try expectEqual(try child.count(FetchRequest<Player>()), 5, "The players that a child sees")
                try context.unpin()
                try expect(!context.isPinned && !child.isPinned, "Neither context is pinned")
                try expectEqual(
                    try child.find(Player.self, "score > 100").map(\.name), ["Bob"], "What a child sees now")
                try expectEqual(
                    try context.count(FetchRequest<Player>(where: \.name == "Ann")), 0,
                    "The count of the deleted player")
            }
        }
        Requirement(
            "A pinned context reads a newer snapshot after it is pinned again, and after it saves",
            requires: .concurrentReads
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { try $0.pin() }
            let save: @Sendable (String) async throws -> Void = { name in
                try await games.write("others") { _ = Player(in: $0, name: name) }
            }
            try await save("one")
            try await editor.perform { context in
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players at first")
                try context.pin()
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 6, "The players in the second snapshot")
            }
            try await save("two")
            try await editor.perform { context in
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 6, "The players, still in the second snapshot")
                _ = Player(in: context, name: "mine")
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 7, "The players with a pending one")
                try context.save()
                try expectEqual(try context.count(FetchRequest<Player>()), 8, "The players after a save")
                try expect(context.isPinned, "The context is still pinned")
            }
            try await save("three")
            try await editor.perform { context in
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 8, "The players in the snapshot after the save"
                )
                try context.batchDelete(Player.self, where: \.name == "mine")
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 8, "The players in the snapshot after a batch")
            }
        }
        Requirement("A stale save in a pinned context is a conflict", requires: .concurrentReads) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { try $0.pin() }
            try await games.write("others") { try $0.only(Player.self, "name = 'Ann'").score = 1 }
            try await editor.perform { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                try expectEqual(ann.score, 12, "The score as it was")
                ann.score = 13
                let error = try expectError(.conflict) { try context.save() }
                let score = try require(error.conflicts.first?.properties.first, "The property's conflict")
                try expectEqual(
                    [score.base, score.mine, score.theirs], [.int(12), .int(13), .int(1)], "The conflict")
                context.mergePolicy = .objectWins
                try context.save()
            }
            try await games.expectNames([("score = 13", ["Ann"])])
        }
        Requirement(
            "Changes that arrive while a context is pinned are merged when it is pinned again",
            requires: .concurrentReads
        ) { run in
            let games = try await run.games()
            try await follow(games)
        }
        Requirement(
            "A change that is merged into a pinned context appears after it is unpinned",
            requires: .concurrentReads
        ) { run in try await mergeWhilePinned(run.games(), until: .unpinning) }
        Requirement(
            "A change that is merged into a pinned context appears after it is pinned again",
            requires: .concurrentReads
        ) { run in try await mergeWhilePinned(run.games(), until: .pinning) }
        Requirement(
            "A change that is merged into a pinned context appears after it saves",
            requires: .concurrentReads
        ) { run in try await mergeWhilePinned(run.games(), until: .saving) }
        Requirement(
            "A change that is merged into a pinned context appears after it performs a batch",
            requires: .concurrentReads
        ) { run in try await mergeWhilePinned(run.games(), until: .batch) }
        Requirement(
            "A change that is merged into the child of a pinned context appears after the context is unpinned",
            requires: .concurrentReads
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { try $0.pin() }
            let change = try await changeAnnAndDeleteBob(games)
            try await editor.perform { context in
                let child = context.makeChild()
                let ann = try child.only(Player.self, "name = 'Ann'")
                let bob = try child.only(Player.self, "name = 'Bob'")
                try context.merge(change)
                try child.merge(change)
                try expectEqual([ann.score, bob.score], [12, 7], "The scores while the context is pinned")
                try context.unpin()
                try expectEqual(try child.count(FetchRequest<Player>()), 4, "The players")
                try expectEqual(ann.score, 1, "The score after the context is unpinned")
                try expect(!child.registeredObjects.contains(bob), "The deleted player is detached")
            }
        }
        Requirement(
            "A pinned context that begins to merge automatically gets earlier commits with its next snapshot",
            requires: .concurrentReads
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try context.pin()
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players")
            }
            _ = try await changeAnnAndDeleteBob(games)
            try await editor.perform { context in
                context.automaticallyMergesChanges = true
                let ann = try context.only(Player.self, "name = 'Ann'")
                try expectEqual(ann.score, 12, "The score while the context is pinned")
                let eve = try context.only(Player.self, "name = 'Eve'")
                try context.batchDelete(Player.self, where: \.name == "Eve")
                try expectEqual(ann.score, 1, "The score after the batch")
                try expect(!context.registeredObjects.contains(eve), "The player that the batch deleted")
                try expectEqual(try context.count(FetchRequest<Player>()), 3, "The players after the batch")
            }
        }
        Requirement("A pinned context refuses to merge a change of another store", requires: .concurrentReads)
        {
            run in
            let games = try await run.games()
            let other = try await run.open(beside: "_other")
            try await other.write("fill") { try GameWorld.fill($0) }
            let change = try await changeAnnAndDeleteBob(other)
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                try context.pin()
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players")
                try expectError(.objectNotFound) { try context.merge(change) }
                try context.unpin()
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players")
            }
        }
        Requirement(
            "A pinned context keeps its snapshot when it reserves keys, and reads the conflicting save's after a conflict",
            requires: .concurrentReads
        ) { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { try $0.pin() }
            try await games.write("others") { context in
                try context.only(Player.self, "name = 'Ann'").score = 1
                _ = Player(in: context, name: "New")
            }
            try await editor.perform { context in
                try context.obtainPermanentIDs(for: [Player(in: context, name: "Mine")])
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 6, "The players, one of them pending")
                try context.only(Player.self, "name = 'Ann'").score = 2
                try expectError(.conflict) { try context.save() }
                try expectEqual(
                    try context.count(FetchRequest<Player>()), 7, "The players after the conflict")
            }
        }
        Requirement("A store can be closed while contexts are pinned", requires: .concurrentReads) { run in
            let games = try await run.games()
            let editors = (0..<2).map { games.makeBackgroundContext(name: "editor \($0)") }
            for editor in editors { try await editor.perform { try $0.pin() } }
            let count = try await games.read("beside") { try $0.count(FetchRequest<Player>()) }
            try expectEqual(count, 5, "The players that are read while other contexts are pinned")
            await games.close()
            try await expectError(.closed) {
                try await editors[0].perform { _ = try $0.count(FetchRequest<Player>()) }
            }
        }
        Requirement("A read block of a store reads one snapshot, pinned or not", requires: .concurrentReads) {
            run in
            let games = try await run.games()
            try await games.read("block") { context in
                try expect(context.isPinned, "A block's context is pinned from the start")
                try context.pin()
                try context.unpin()
                try expectEqual(try context.count(FetchRequest<Player>()), 5, "The players")
            }
        }
    }
    @MainActor private static func follow(_ games: Store) async throws {
        let context = games.viewContext
        context.automaticallyMergesChanges = true
        let ann = try context.only(Player.self, "name = 'Ann'")
        try context.pin()
        try await games.write("others") { try $0.only(Player.self, "name = 'Ann'").score = 1 }
        try context.mergeStoreChanges()
        try expectEqual(ann.score, 12, "The score while the context is pinned")
        try context.pin()
        try expectEqual(ann.score, 1, "The score after it is pinned again")
    }

    /// What gives a pinned context a newer snapshot.
    private enum NextSnapshot { case unpinning, pinning, saving, batch }

    private static func changeAnnAndDeleteBob(_ games: Store) async throws -> StoreChange {
        var changes = games.changes.makeAsyncIterator()
        try await games.write("others") { context in
            try context.only(Player.self, "name = 'Ann'").score = 1
            context.delete(try context.only(Player.self, "name = 'Bob'"))
        }
        return try require(await changes.next(), "The change")
    }

    private static func mergeWhilePinned(_ games: Store, until step: NextSnapshot) async throws {
        let editor = games.makeBackgroundContext()
        try await editor.perform { context in
            try context.pin()
            try expectEqual(try context.only(Player.self, "name = 'Ann'").score, 12, "The score at first")
        }
        let change = try await changeAnnAndDeleteBob(games)
        try await editor.perform { context in
            let ann = try context.only(Player.self, "name = 'Ann'")
            let bob = try context.only(Player.self, "name = 'Bob'")
            try context.merge(change)
            try expectEqual([ann.score, bob.score], [12, 7], "The scores while the context is pinned")
            switch step {
            case .unpinning: try context.unpin()
            case .pinning: try context.pin()
            case .saving:
                _ = Player(in: context, name: "New")
                try context.save()
            case .batch: try context.batchDelete(Player.self, where: \.name == "Cid")
            }
            try expectEqual(ann.score, 1, "The score in the newer snapshot")
            try expect(!context.registeredObjects.contains(bob), "The deleted player is detached")
        }
    }
}
