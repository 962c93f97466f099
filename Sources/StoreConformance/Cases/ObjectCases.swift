import ContextCore
import Foundation
import Observation

extension Topic {
    /// Snapshots, observation, fault warnings, and the lifetime and identity of objects.
    static let objects: Topic = Topic("objects") {
        Requirement(
            "Snapshots with values of every type can be encoded and decoded, and identify their objects"
        ) { run in
            let samples = try await run.samples { context in
                _ = Sample(in: context, label: "empty")
                let full = Sample(in: context, label: "full")
                (full.flag, full.small, full.large) = (true, -7, .max)
                (full.single, full.double, full.exact) = (
                    0.1, .infinity, Decimal(string: "-1234567890.0123456789")
                )
                (full.text, full.bytes) = ("e\u{301}\u{0065}", Data([0, 255]))
                (full.moment, full.token) = (Date(timeIntervalSince1970: -0.000001), UUID())
                (full.link, full.level, full.rank) = (URL(string: "https://example.com/?a=b"), .hard, .low)
                full.tags = Tags(names: ["a"], weights: ["b": 0.5])
                full.address = Address(street: "S", city: nil, number: 3)
            }
            let snapshots = try await samples.read("snapshot") {
                try $0.find(Sample.self, order: "label").map { $0.snapshot() }
            }
            let typed = try JSONDecoder().decode(
                [EntitySnapshot<Sample>].self, from: JSONEncoder().encode(snapshots))
            try expectEqual(typed, snapshots, "The decoded snapshots")
            let plain = try JSONDecoder().decode(
                [ObjectSnapshot].self, from: JSONEncoder().encode(snapshots.map(\.objectSnapshot)))
            try expectEqual(plain, snapshots.map(\.objectSnapshot), "The decoded snapshots without a class")
            try await samples.read("look up") { context in
                for snapshot in typed {
                    let sample = try context.object(from: snapshot)
                    try expectEqual(sample.snapshot(), snapshot, "The object of the snapshot")
                }
            }
        }
        Requirement(
            "A fault's error and warning name the source location of the fetch, and the block that fired it"
        ) {
            run in
            let games = try await run.games()
            let block = #line + 1
            try await games.makeBackgroundContext().perform { context in
                let fetch = #line + 1
                let request = try context.fetch(FetchRequest<Game>(where: FetchPredicate("title = 'Go'")))
                let go = try require(request.first, "The game")
                let warnings = Guarded<[String]>([])
                context.onFaultWarning { warning in warnings.withLock { $0.append(warning) } }
                context.faulting = .warn
                _ = go.rounds
                context.faulting = .forbid
                _ = go.players
                let message = try expectError(.faultForbidden) { try context.count(FetchRequest<Game>()) }
                    .message
                for (text, relationship) in [
                    (warnings.withLock { $0.joined() }, "Game.rounds"), (message, "Game.players"),
                ] {
                    for part in [relationship, "\(#fileID):\(fetch)", "\(#fileID):\(block)"] {
                        try expect(text.contains(part), "“\(text)” says \(part)")
                    }
                }
            }
        }
        Requirement("An observed property notifies once, whatever changes it") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                context.isObserved = true
                let ann = try context.only(Player.self, "name = 'Ann'")
                let (go, chess) = (
                    try require(ann.game), try context.only(Game.self, "title = 'Chess'")
                )
                let changes: [(String, watched: () -> Void, change: () throws -> Void)] = [
                    ("an attribute", { _ = ann.score }, { ann.score = 99 }),
                    ("a to-one by the other side", { _ = ann.game }, { chess.players.insert(ann) }),
                    ("a to-many by the other side", { _ = go.players }, { ann.game = go }),
                    ("a rollback", { _ = ann.score }, { context.rollback() }),
                    (
                        "a batch", { _ = ann.score },
                        {
                            try context.batchUpdate(
                                Player.self, where: \.name == "Ann", .set(\.score, to: 50))
                        }
                    ),
                    ("a deletion", { _ = go.players }, { context.delete(ann) }),
                ]
                for (what, watched, change) in changes {
                    let notifications = Guarded(0)
                    withObservationTracking(watched) { notifications.withLock { $0 += 1 } }
                    try change()
                    try expectEqual(notifications.withLock { $0 }, 1, "The notifications of \(what)")
                }
            }
        }
        Requirement("A context retains only objects with changes") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                try fetchAndChange(context)
                let retained = context.registeredObjects
                try expectEqual(
                    retained.compactMap { ($0 as? Player)?.name }, ["Ann"], "The retained players")
                try expectEqual(retained, context.updatedObjects, "The retained objects")
                try expectEqual(
                    try context.only(Player.self, "score = 1").name, "Ann",
                    "The player whose score was changed")
                try context.save()
            }
        }
        Requirement("A context has one object per identifier, however it is found") { run in
            let games = try await run.games()
            try await games.read("find") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                try expect(try context.object(with: go.objectID) === go, "By its identifier")
                try expect(try context.existingObject(with: go.objectID) === go, "As an existing object")
                try expect(try context.only(Player.self, "name = 'Ann'").game === go, "By a to-one")
                try expect(try context.only(Person.self, "name = 'Paul'").games.first === go, "By a to-many")
                try expect(
                    try context.only(Person.self, "name = 'Paul'").favourites.first === go, "By a link")
                try expect(try context.object(from: go.snapshot()) === go, "By a snapshot")
                try expect(
                    try context.fetchPages(FetchRequest<Game>(where: \.title == "Go")).first === go,
                    "By a page")
            }
        }
    }

    /// Fetches all objects and changes one.
    private static func fetchAndChange(_ context: ObjectContext) throws {
        for player in try context.find(Player.self) { _ = player.game?.owner?.name }
        try context.only(Player.self, "name = 'Ann'").score = 1
        try expect(context.registeredObjects.count >= 1, "Something is registered")
    }
}
