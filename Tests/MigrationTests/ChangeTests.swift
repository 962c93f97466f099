import ContextCore
import Foundation
import Testing

/// Each kind of change alone, with rows to migrate.
struct ChangeTests {
    private func model(_ entities: EntityDescription...) throws -> ObjectModel {
        try ObjectModel(entities: entities)
    }

    private func migrate(
        _ store: MigratedStore, _ old: ObjectModel, _ new: ObjectModel,
        _ hints: MigrationHints = MigrationHints(),
        stages: [MigrationStage] = []
    ) async throws {
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints, stages: stages)]
        let outcome = try await store.migrate(versions)
        #expect(outcome.transitions == ["V1-V2"])
        #expect(try store.drift() == [])
        let again = try await store.migrate(versions)
        #expect(again.steps == 0)
    }

    @Test(arguments: StoreKind.present)
    func `A new property has its default, or null`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let old = try model(.init("Game", attributes: [.init("title", .string)]))
        let new = try model(
            .init(
                "Game",
                attributes: [
                    .init("title", .string), .init("stars", .int16, default: .value(.int(3))),
                    .init("note", .string, isOptional: true), .init("made", .date, default: .now),
                    .init("mark", .uuid, default: .newUUID),
                    .init("price", .decimal(precision: 9, scale: 2), default: .value(.decimal(1.5))),
                ], relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)],
                indexes: [.init(["stars"])]),
            .init(
                "Player", attributes: [.init("name", .string)],
                relationships: [.init("game", to: "Game", inverse: "players")]))
        try await store.write(old) {
            try $0.make("Game", ["title": .string("Go")])
            try $0.make("Game", ["title": .string("Chess")])
        }
        try await migrate(store, old, new)
        let marks = try await store.read(new) { context in
            let games = try context.all("Game")
            #expect(try games.map { try $0["title"] } == [.string("Go"), .string("Chess")])
            #expect(try games.map { try $0["stars"] } == [.int(3), .int(3)])
            #expect(try games.map { try $0["note"] } == [.null, .null])
            #expect(try games.map { try $0["price"] } == [.decimal(1.5), .decimal(1.5)])
            return try games.map { try $0["mark"] }
        }
        #expect(Set(marks).count == 2)
        try await store.write(new) { context in
            let player = try context.make("Player", ["name": .string("Ann")])
            try player.set("game", to: try context.all("Game")[0])
        }
    }

    @Test(arguments: StoreKind.present)
    func `Constant defaults and empty columns are added without recreating the table`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        let old = try model(.init("Game", attributes: [.init("title", .string)]))
        let new = try model(
            .init(
                "Game",
                attributes: [
                    .init("title", .string), .init("stars", .int16, default: .value(.int(3))),
                    .init("note", .string, isOptional: true),
                ]))
        try await store.write(old) { try $0.make("Game", ["title": .string("Go")]) }
        let plan = try store.plan([ModelVersion("V1", old), ModelVersion("V2", new)])
        #expect(plan.isLossless)
        #expect(plan.steps.flatMap(\.rewrites) == [])
        try await migrate(store, old, new)
        #expect(try await store.read(new) { try $0.all("Game")[0]["stars"] } == StoredValue.int(3))
    }

    @Test(arguments: StoreKind.present)
    func `Renamed parts keep their rows, values, links and keys`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let old = try model(
            .init(
                "Game", attributes: [.init("title", .string), .init("note", .string)],
                relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)]),
            .init(
                "Player", attributes: [.init("name", .string)],
                relationships: [.init("game", to: "Game", inverse: "players", isOptional: false)]))
        let new = try model(
            .init(
                "Match",
                attributes: [
                    // The two exchange their names.
                    .init("note", .string, renamingIdentifier: "title"),
                    .init("title", .string, renamingIdentifier: "note"),
                ],
                relationships: [
                    .init(
                        "members", to: "Player", inverse: "match", isToMany: true,
                        renamingIdentifier: "players")
                ], renamingIdentifier: "Game"),
            .init(
                "Player", attributes: [.init("name", .string)],
                relationships: [
                    .init(
                        "match", to: "Match", inverse: "members", isOptional: false,
                        renamingIdentifier: "game")
                ]))
        try await store.write(old) { context in
            let game = try context.make("Game", ["title": .string("Go"), "note": .string("old")])
            for name in ["Ann", "Bob"] {
                try context.make("Player", ["name": .string(name)]).set("game", to: game)
            }
        }
        try await migrate(store, old, new)
        try await store.read(new) { context in
            let match = try context.all("Match")[0]
            #expect(try match["note"] == .string("Go"))
            #expect(try match["title"] == .string("old"))
            #expect(try match.objects("members").map { try $0["name"] } == [.string("Ann"), .string("Bob")])
        }
        try await store.write(new) { context in
            try context.make("Match", ["title": .string(""), "note": .string("")])
        }
        #expect(try await store.read(new) { try $0.all("Match").count } == 2)
    }

    @Test(arguments: StoreKind.present)
    func `A property that becomes required gets the default for missing values`(_ kind: StoreKind)
        async throws
    {
        let store = try MigratedStore(kind)
        let old = try model(
            .init("Game", attributes: [.init("stars", .int64, isOptional: true), .init("rank", .int16)]))
        let new = try model(
            .init(
                "Game",
                attributes: [
                    .init("stars", .int64, default: .value(.int(7))), .init("rank", .int64, isOptional: true),
                ]))
        try await store.write(old) {
            try $0.make("Game", ["stars": .int(1), "rank": .int(5)])
            try $0.make("Game", ["rank": .int(6)])
        }
        try await migrate(store, old, new)
        try await store.read(new) { context in
            let (stars, ranks) = (try context.values("Game", "stars"), try context.values("Game", "rank"))
            #expect(stars == [.int(1), .int(7)])
            #expect(ranks == [.int(5), .int(6)])
        }
    }

    @Test(arguments: StoreKind.present)
    func `Values that violate a unique index are found before, and the store is unchanged`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        let title = AttributeDescription("title", .string, isOptional: true)
        let old = try model(.init("Game", attributes: [title]))
        let indexed = try model(.init("Game", attributes: [title], indexes: [.init(["title"])]))
        let unique = try model(.init("Game", attributes: [title], uniqueConstraints: [.init(["title"])]))
        try await store.write(old) {
            try $0.make("Game", ["title": .string(String(repeating: "é", count: 1_301))])
            try $0.make("Game", ["title": .string(String(repeating: "é", count: 1_300))])
            try $0.make("Game")
        }
        for new in [indexed, unique] {
            let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
            let plan = try store.plan(versions)
            #expect(plan.steps.flatMap(\.checks).contains { $0.rule == "index-on-long-values" })
            let refused = await refusal { try await store.migrate(versions) }
            #expect(refused?.code == .migrationRefused)
            #expect(refused?.message.hasPrefix("1 row of game has more than 2600 bytes in title") == true)
        }
        let count = try await store.read(old) { try $0.values("Game", "title").count }
        #expect(count == 3)
        try store.sql("UPDATE game SET title = 'short' WHERE length(title) = 1301")
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", indexed)])
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `Conflicting rows stop the migration, and the store is unchanged`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let old = try model(.init("Game", attributes: [.init("title", .string, isOptional: true)]))
        let new = try model(.init("Game", attributes: [.init("title", .string)]))
        let unique = try model(
            .init(
                "Game", attributes: [.init("title", .string, isOptional: true)],
                uniqueConstraints: [.init(["title"])]))
        try await store.write(old) {
            try $0.make("Game", ["title": .string("Go")])
            try $0.make("Game", ["title": .string("Go")])
            try $0.make("Game")
        }
        let missing = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        }
        #expect(missing?.code == .migrationRefused)
        #expect(missing?.message.hasPrefix("1 object of Game has no title") == true)
        let twice = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", unique)])
        }
        #expect(twice?.code == .migrationRefused)
        #expect(
            twice?.message == "1 value of game (title) is not unique, as the newer model requires.")
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.models.count == 1)
        #expect(try await store.read(old) { try $0.all("Game").count } == 3)
    }

    @Test(arguments: StoreKind.present)
    func `Relationships become to-many, and to-one again`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        func tag(_ relationship: RelationshipDescription) -> EntityDescription {
            .init("Tag", attributes: [.init("name", .string)], relationships: [relationship])
        }
        func post(_ relationship: RelationshipDescription) -> EntityDescription {
            .init("Post", attributes: [.init("name", .string)], relationships: [relationship])
        }
        let one = try model(
            tag(.init("post", to: "Post", inverse: "tag")), post(.init("tag", to: "Tag", inverse: "post")))
        let many = try model(
            tag(.init("post", to: "Post", inverse: "tags")),
            post(.init("tags", to: "Tag", inverse: "post", isToMany: true, renamingIdentifier: "tag")))
        let both = try model(
            tag(.init("posts", to: "Post", inverse: "tags", isToMany: true, renamingIdentifier: "post")),
            post(.init("tags", to: "Tag", inverse: "posts", isToMany: true)))
        let ordered = try model(
            tag(.init("posts", to: "Post", inverse: "tags", isToMany: true)),
            post(.init("tags", to: "Tag", inverse: "posts", isToMany: true, isOrdered: true)))
        try await store.write(one) { context in
            for name in ["a", "b"] {
                let post = try context.make("Post", ["name": .string(name)])
                try context.make("Tag", ["name": .string(name + "-tag")]).set("post", to: post)
            }
        }
        try await migrate(store, one, many)
        try await store.write(many) { context in
            let third = try context.make("Tag", ["name": .string("c-tag")])
            try third.set("post", to: try context.all("Post")[0])
        }
        try await migrate(store, many, both)
        func names(_ model: ObjectModel) async throws -> [[StoredValue]] {
            try await store.read(model) { context in
                try context.all("Post").map { try $0.objects("tags").map { try $0["name"] } }
            }
        }
        let expected: [[StoredValue]] = [[.string("a-tag"), .string("c-tag")], [.string("b-tag")]]
        #expect(try await names(both) == expected)
        try await migrate(store, both, ordered)
        #expect(try await names(ordered) == expected)
        try await store.write(ordered) { context in
            let post = try context.all("Post")[0]
            try post.set("tags", to: try post.objects("tags").reversed())
        }
        #expect(try await names(ordered) == [[.string("c-tag"), .string("a-tag")], [.string("b-tag")]])
        try await migrate(store, ordered, both, MigrationHints(acceptedLosses: ["Post.tags"]))
        #expect(try await names(both) == expected)
    }

    @Test(arguments: StoreKind.present)
    func `Members of an object become ordered, and unordered again`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        func models(_ isOrdered: Bool) throws -> ObjectModel {
            try model(
                .init(
                    "Game",
                    relationships: [
                        .init("players", to: "Player", inverse: "game", isToMany: true, isOrdered: isOrdered)
                    ]),
                .init(
                    "Player", attributes: [.init("name", .string)],
                    relationships: [.init("game", to: "Game", inverse: "players")]))
        }
        let (loose, ordered) = (try models(false), try models(true))
        try await store.write(loose) { context in
            let game = try context.make("Game")
            for name in ["a", "b", "c"] {
                try context.make("Player", ["name": .string(name)]).set("game", to: game)
            }
            try context.make("Player", ["name": .string("alone")])
        }
        try await migrate(store, loose, ordered)
        try await store.write(ordered) { context in
            let game = try context.all("Game")[0]
            #expect(
                try game.objects("players").map { try $0["name"] } == [
                    .string("a"), .string("b"), .string("c"),
                ])
            try game.set("players", to: try game.objects("players").reversed())
        }
        try await migrate(store, ordered, loose, MigrationHints(acceptedLosses: ["Game.players"]))
        #expect(try await store.read(loose) { try $0.all("Game")[0].objects("players").count } == 3)
    }

    @Test(arguments: StoreKind.present)
    func `Entities move below another one, and out again`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let wheels = AttributeDescription("wheels", .int64)
        let name = AttributeDescription("name", .string)
        let owner = EntityDescription(
            "Owner", relationships: [.init("cars", to: "Car", inverse: "owner", isToMany: true)])
        let flat = try model(
            .init(
                "Car", attributes: [name, wheels],
                relationships: [.init("owner", to: "Owner", inverse: "cars")]),
            owner)
        let tree = try model(
            .init("Vehicle", attributes: [name]),
            .init(
                "Car", superentity: "Vehicle", attributes: [wheels],
                relationships: [.init("owner", to: "Owner", inverse: "cars")]), owner,
            .init("Ship", superentity: "Vehicle", attributes: [.init("masts", .int64)]))
        try await store.write(flat) { context in
            let owner = try context.make("Owner")
            for index in 1...2 {
                try context.make("Car", ["name": .string("c\(index)"), "wheels": .int(4)]).set(
                    "owner", to: owner)
            }
        }
        try await migrate(store, flat, tree)
        try await store.write(tree) { context in
            #expect(try context.values("Vehicle", "name") == [.string("c1"), .string("c2")])
            #expect(try context.all("Owner")[0].objects("cars").count == 2)
            try context.make("Ship", ["name": .string("s"), "masts": .int(3)])
            try context.make("Car", ["name": .string("c3"), "wheels": .int(3)])
        }
        let keys = try await store.read(tree) { try $0.all("Vehicle").map(\.objectID.key) }
        #expect(Set(keys).count == 4)
        try await migrate(
            store, tree, flat, MigrationHints(acceptedLosses: ["Vehicle", "Ship"]))
        try await store.write(flat) { context in
            #expect(
                try context.values("Car", "name") == [.string("c1"), .string("c2"), .string("c3")])
            try context.make("Car", ["name": .string("c4"), "wheels": .int(4)])
        }
        #expect(
            try await store.read(flat) { try $0.all("Car").map(\.objectID.key).max() ?? 0 } > keys.max() ?? 0)
    }

    @Test(arguments: StoreKind.present)
    func `An entity that returns to another tree reuses no keys`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let name = AttributeDescription("name", .string)
        let vehicle = EntityDescription("Vehicle", attributes: [name])
        let car = EntityDescription("Car", superentity: "Vehicle")
        let bike = EntityDescription("Bike", attributes: [name])
        let both = try model(vehicle, car)
        let alone = try model(vehicle)
        let roots = try model(vehicle, .init("Car", attributes: [name]))
        let last = try model(vehicle, bike)
        let below = try model(vehicle, bike, .init("Car", superentity: "Bike"))
        try await store.write(both) { context in
            for _ in 0..<40 { try context.make("Car", ["name": .string("first")]) }
        }
        func keys(_ model: ObjectModel) async throws -> [Int64] {
            try await store.read(model) { try $0.all("Car").map(\.objectID.key) }
        }
        var known = try await keys(both)
        try await migrate(store, both, alone, MigrationHints(acceptedLosses: ["Car"]))
        try await migrate(store, alone, roots)
        try await store.write(roots) { try $0.make("Car", ["name": .string("second")]) }
        known += try await keys(roots)
        try await migrate(store, roots, last, MigrationHints(removed: ["Car"], acceptedLosses: ["Car"]))
        try await migrate(store, last, below)
        try await store.write(below) { try $0.make("Car", ["name": .string("third")]) }
        known += try await keys(below)
        #expect(Set(known).count == 42)
    }

    @Test(arguments: StoreKind.present)
    func `Numbers are widened`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let old = try model(
            .init(
                "Sample",
                attributes: [
                    .init("a", .int16), .init("b", .float), .init("c", .int32),
                    .init("d", .decimal(precision: 6, scale: 2)),
                    .init("e", .decimal(precision: 6, scale: 2)),
                ]))
        let new = try model(
            .init(
                "Sample",
                attributes: [
                    .init("a", .int64), .init("b", .double), .init("c", .double),
                    .init("d", .decimal(precision: 12, scale: 4)),
                    .init("e", .decimal(precision: 30, scale: 6)),
                ]))
        try await store.write(old) {
            try $0.make(
                "Sample",
                ["a": .int(-5), "b": .double(0.5), "c": .int(7), "d": .decimal(-1.25), "e": .decimal(99.75)])
        }
        try await migrate(store, old, new)
        try await store.read(new) { context in
            let sample = try context.all("Sample")[0]
            #expect(try sample["a"] == .int(-5))
            #expect(try sample["b"] == .double(0.5))
            #expect(try sample["c"] == .double(7))
            #expect(try sample["d"] == .decimal(-1.25))
            #expect(try sample["e"] == .decimal(99.75))
        }
    }
}
