import ContextCore
import Synchronization

extension Topic {
    /// Identifiers, faults and prefetching.
    static let faulting: Topic = Topic("faulting") {
        Requirement("A save makes identifiers permanent, and they are equal in every context") { run in
            let games = try await run.open()
            let id = try await games.write("make") { context in
                let go = Game(in: context, title: "Go")
                try expect(go.objectID.isTemporary, "An identifier is temporary before the save")
                try context.save()
                try expect(
                    !go.objectID.isTemporary && go.objectID.key > 0,
                    "An identifier is permanent after the save")
                return go.objectID
            }
            let uri = try require(ObjectID(uri: id.uri), "The identifier of its URI")
            try expectEqual(uri, id, "The identifier of its URI")
            let storeID = try await games.metadata().storeID
            try expectEqual(id.storeID, storeID, "The identifier's store")
            try await games.read("look") { context in
                try expect(
                    try context.object(with: uri) === context.only(Game.self),
                    "The context has one object per identifier")
            }
        }
        Requirement("Permanent identifiers can be obtained before the save") { run in
            let games = try await run.open()
            try await games.write("make") { context in
                let go = Game(in: context, title: "Go")
                try context.obtainPermanentIDs(for: [go])
                let id = go.objectID
                try expect(
                    !id.isTemporary && go.isInserted, "The identifier is permanent, the object pending")
                try context.save()
                try expectEqual(go.objectID, id, "The identifier after the save")
            }
        }
        Requirement(
            "An identifier of another store is rejected, and one without a row is a fault that can't be fired"
        ) { run in
            let (games, others) = (try await run.open(), try await run.open(beside: "_other"))
            let id = try await others.write("make") { context in
                let game = Game(in: context, title: "Go")
                try context.save()
                return game.objectID
            }
            try await expectError(.objectNotFound) {
                try await games.read("look") { _ = try $0.object(with: id) }
            }
            let gone = try await others.write("delete") { context in
                context.delete(try context.existingObject(with: id))
                return id
            }
            try await expectError(.objectNotFound) {
                try await others.read("touch") { context in
                    let game = try context.object(with: gone, as: Game.self)
                    try expect(game.isFault, "The object is a fault")
                    try expectEqual(game.title, "", "The title of the missing object")
                }
            }
            try await others.read("touch") { context in
                context.inaccessibleFaults = .deletedObject
                let game = try context.object(with: gone, as: Game.self)
                try expectEqual(game.title, "", "The title of the missing object")
                try expect(game.isDeleted, "The object counts as deleted")
            }
        }
        Requirement("Accessing a fault loads it together with the faults that were fetched with it") { run in
            let games = try await run.games()
            try await games.read("touch") { context in
                let players = try context.find(Player.self, "game != NIL", order: "name")
                let (first, last) = (try require(players.first?.game), try require(players.last?.game))
                try expect(first.isFault && last.isFault, "What was not fetched is a fault")
                try expectEqual(first.title, "Go", "The title")
                try expect(!first.isFault, "An object that was accessed is not a fault")
                context.faulting = .forbid
                try expectEqual(last.title, "Chess", "The title of a sibling, without another fault")
            }
        }
        Requirement("Firing a forbidden fault is an error, and warnings name entity and relationship") {
            run in
            let games = try await run.games()
            let error = try await expectError(.faultForbidden) {
                try await games.read("forbid") { context in
                    let game = try context.only(Game.self, "title = 'Go'")
                    context.faulting = .forbid
                    _ = game.players
                }
            }
            try expect(error.message.contains("Game.players"), "The error names the relationship")
            try await games.read("warn") { context in
                let warnings = Warnings()
                context.faulting = .warn
                context.onFaultWarning { warnings.add($0) }
                _ = try context.only(Player.self, "name = 'Ann'").game?.title
                try expect(warnings.all.contains { $0.contains("Game") }, "A warning names the entity")
            }
        }
        Requirement("Prefetched relationships fire no fault, several levels deep") { run in
            let games = try await run.games()
            try await games.read("prefetch") { context in
                let request = FetchRequest<Game>(
                    order: [try SortKey("title")],
                    prefetching: ["players", "owner.mentor", "fans.favourites", "rounds"])
                let found = try context.fetch(request)
                context.faulting = .forbid
                try expectEqual(found.map(\.players.count), [2, 0, 2], "The players")
                try expectEqual(found.map { $0.owner?.name }, ["Mia", nil, "Paul"], "The owners")
                try expectEqual(found.map { $0.owner?.mentor?.name }, ["Max", nil, "Mia"], "Their mentors")
                try expectEqual(
                    found.map { $0.fans.map(\.favourites.count).reduce(0, +) }, [2, 0, 3], "What fans like")
                try expectEqual(found.map(\.rounds.count), [0, 0, 0], "The rounds")
                try expectEqual(
                    found.flatMap { $0.players.map(\.name) }.sorted(), ["Ann", "Bob", "Cid", "Élan"],
                    "The names")
            }
        }
        Requirement("Prefetching works with limits, orders and pending changes") { run in
            let games = try await run.games()
            try await games.write("prefetch") { context in
                let player = Player(in: context, name: "New", score: 99)
                player.game = try context.only(Game.self, "title = 'Empty'")
                var request = FetchRequest<Player>(
                    order: try SortKey.keys("score DESC, name"), prefetching: ["game"])
                request.limit = 2
                let found = try context.fetch(request)
                context.faulting = .forbid
                try expectEqual(found.map { $0.game?.title }, ["Empty", "Go"], "The games of the first two")
                context.rollback()
            }
        }
        Requirement("Objects are turned into faults and refreshed, with and without pending changes") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            try await editor.perform { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                (ann.score, ann.nick) = (13, "mine")
                try context.refresh(ann)
                try expect(ann.score == 13 && ann.isUpdated, "A change stays")
                context.refault(ann)
                try expect(ann.isFault && !context.hasChanges, "The object is a fault without changes")
                try expect(ann.score == 12 && ann.nick == "Ace", "The store's values come back")
                ann.score = 14
                try context.refresh(ann, mergeChanges: false)
                try expect(ann.score == 12 && !ann.hasChanges, "A refresh that drops changes")
                try context.refreshAll()
                try expect(ann.isFault, "Everything is a fault")
                context.reset()
                try expectEqual(context.registeredObjects.count, 0, "The registered objects")
            }
        }
        Requirement("A page is fetched on access, and contains the objects that the request selected") {
            run in
            let games = try await run.open()
            try await games.write("fill") { context in
                for number in 0..<95 { _ = Player(in: context, name: "p\(number)", score: number) }
            }
            try await games.read("pages") { context in
                let pages = try context.fetchPages(
                    FetchRequest<Player>(
                        where: try FetchPredicate("score < 90"), order: [try SortKey("score DESC")],
                        batchSize: 10))
                try expectEqual(pages.count, 90, "The count")
                try expectEqual(pages[89].score, 0, "The last score")
                try expectEqual(pages.map(\.score), Array((0..<90).reversed()), "The scores")
            }
        }
        Requirement("Snapshots cross isolation domains, and identify their objects") { run in
            let games = try await run.games()
            let snapshot = try await games.read("snapshot") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                _ = go.players
                return go.snapshot()
            }
            try expectEqual(snapshot.title, "Go", "The title")
            try expectEqual(snapshot.players?.count, 2, "The players")
            try expect(snapshot.rounds == nil, "What was not loaded is nil")
            let prefetched = try await games.read("prefetch") { context in
                let request = FetchRequest<Game>(
                    where: try FetchPredicate("title = 'Go'"), prefetching: ["owner", "players", "rounds"])
                let found = try require(try context.fetch(request).first)
                context.faulting = .forbid
                return found.snapshot()
            }
            try expectEqual(
                Set(prefetched.players ?? []), Set(snapshot.players ?? []), "The prefetched players")
            try expectEqual(prefetched.rounds, [], "The prefetched rounds")
            try expect(prefetched.fans == nil, "What was not prefetched is nil")
            try await games.read("look up") { context in
                try expectEqual(try context.object(from: snapshot).title, "Go", "The object's title")
            }
        }
    }
}

/// Collects the warnings of a context.
private final class Warnings {
    private(set) var all: [String] = []
    func add(_ warning: String) { all.append(warning) }
}
