import ContextCore
import Foundation
import Testing

/// Losses of data that are easily overlooked.
struct LossTests {
    private func model(_ entities: EntityDescription...) throws -> ObjectModel {
        try ObjectModel(entities: entities)
    }

    private func transition(
        _ old: ObjectModel, _ new: ObjectModel, _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelTransition {
        try ModelTransition(from: ModelVersion("V1", old), to: ModelVersion("V2", new, hints: hints))
    }

    private static let name = AttributeDescription("name", .string)
    private static let wheels = AttributeDescription("wheels", .int64)

    private func tree() throws -> ObjectModel {
        try model(
            .init("Vehicle", attributes: [Self.name]),
            .init("Car", superentity: "Vehicle", attributes: [Self.wheels]),
            .init("Ship", superentity: "Vehicle"))
    }

    private func makeTree(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(tree()) { context in
            try context.make("Vehicle", ["name": .string("v")])
            try context.make("Car", ["name": .string("c"), "wheels": .int(4)])
            try context.make("Ship", ["name": .string("s")])
        }
        return store
    }

    // MARK: Orders

    @Test func `Removing an order is a loss, and adding one isn't`() throws {
        func playlist(isOrdered: Bool) throws -> ObjectModel {
            try model(
                .init(
                    "Playlist",
                    relationships: [
                        .init("songs", to: "Song", inverse: "playlist", isToMany: true, isOrdered: isOrdered)
                    ]), .init("Song", relationships: [.init("playlist", to: "Playlist", inverse: "songs")]))
        }
        let (loose, ordered) = (try playlist(isOrdered: false), try playlist(isOrdered: true))
        #expect(try transition(ordered, loose).losses == ["Playlist.songs"])
        #expect(try transition(loose, ordered).losses == [])
    }

    // MARK: Removed entities

    @Test(arguments: StoreKind.present)
    func `An entity is removed from a tree together with its relationships`(_ kind: StoreKind) async throws {
        let older = try model(
            .init(
                "Vehicle", attributes: [Self.name],
                relationships: [.init("tug", to: "Ship", inverse: "towed")]),
            .init("Car", superentity: "Vehicle", attributes: [Self.wheels]),
            .init(
                "Ship", superentity: "Vehicle",
                relationships: [
                    .init("towed", to: "Vehicle", inverse: "tug", isToMany: true),
                    .init("harbours", to: "Harbour", inverse: "ships", isToMany: true),
                ]),
            .init(
                "Harbour", attributes: [Self.name],
                relationships: [.init("ships", to: "Ship", inverse: "harbours", isToMany: true)]))
        let newer = try model(
            .init("Vehicle", attributes: [Self.name]),
            .init("Car", superentity: "Vehicle", attributes: [Self.wheels]),
            .init("Harbour", attributes: [Self.name]))
        let store = try MigratedStore(kind)
        try await store.write(older) { context in
            let ship = try context.make("Ship", ["name": .string("s")])
            let harbour = try context.make("Harbour", ["name": .string("h")])
            try harbour.set("ships", to: [ship])
            for name in ["a", "b"] {
                try context.make("Vehicle", ["name": .string(name)]).set("tug", to: ship)
            }
        }
        let gone: Set = ["Ship", "Vehicle.tug", "Harbour.ships"]
        let hints = MigrationHints(removed: gone, acceptedLosses: gone)
        try await store.migrate([ModelVersion("V1", older), ModelVersion("V2", newer, hints: hints)])
        let names = try await store.read(newer) { context in
            try context.values("Vehicle", "name") + context.values("Harbour", "name")
        }
        #expect(names == [.string("a"), .string("b"), .string("h")])
        let drift = try store.drift()
        #expect(drift == [])
    }

    // MARK: Leaving a tree

    @Test(arguments: StoreKind.present)
    func `An entity that leaves its tree loses inherited properties, which must be accepted`(
        _ kind: StoreKind
    ) async throws {
        let store = try await makeTree(kind)
        let apart = try model(
            .init("Vehicle", attributes: [Self.name]), .init("Car", attributes: [Self.wheels]),
            .init("Ship", superentity: "Vehicle"))
        var versions = [ModelVersion("V1", try tree()), ModelVersion("V2", apart)]
        let plan = try store.plan(versions)
        #expect(plan.losses == ["Car.name"])
        #expect(!plan.isLossless)
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.message == "The migration would lose Car.name.")
        #expect(
            refused?.remedy
                == "If that data may be lost, add --accept-loss Car.name to the command, or the name to "
                + "MigrationOptions.acceptedLosses. Nothing was changed.")
        let opening = await refusal { try await store.open(apart, .automatic).close() }
        #expect(opening?.code == .modelMismatch)
        versions[1].hints.acceptedLosses = ["Car.name"]
        try await store.migrate(versions)
        let wheels = try await store.read(apart) { try $0.values("Car", "wheels") }
        #expect(wheels == [.int(4)])
    }

    @Test(arguments: StoreKind.present)
    func `An entity that leaves its tree keeps properties that it declares itself then`(
        _ kind: StoreKind
    ) async throws {
        let store = try await makeTree(kind)
        let apart = try model(
            .init("Vehicle", attributes: [Self.name]), .init("Car", attributes: [Self.name, Self.wheels]),
            .init("Ship", superentity: "Vehicle"))
        let versions = [ModelVersion("V1", try tree()), ModelVersion("V2", apart)]
        #expect(try store.plan(versions).isLossless)
        try await store.migrate(versions)
        let names = try await store.read(apart) {
            [try $0.values("Car", "name"), try $0.values("Vehicle", "name")]
        }
        #expect(names == [[.string("c")], [.string("v"), .string("s")]])
        let drift = try store.drift()
        #expect(drift == [])
    }

    // MARK: Moving within a tree

    private func moved(_ old: AttributeDescription, _ new: AttributeDescription) throws -> (
        ObjectModel, ObjectModel
    ) {
        (
            try model(
                .init("Vehicle", attributes: [Self.name]),
                .init("Car", superentity: "Vehicle", attributes: [old])),
            try model(
                .init("Vehicle", attributes: [Self.name, new]), .init("Car", superentity: "Vehicle"))
        )
    }

    @Test func `An attribute that moves and becomes narrower needs a decision`() throws {
        let cases: [(AttributeType, AttributeType)] = [
            (.decimal(precision: 12, scale: 4), .decimal(precision: 12, scale: 2)), (.double, .int64),
            (.string, .int64), (.int64, .int16),
        ]
        for (old, new) in cases {
            let (before, after) = try moved(
                .init("price", old, isOptional: true), .init("price", new, isOptional: true))
            let transition = try transition(before, after)
            #expect(transition.undecided.map(\.kind) == [.type(from: old, to: new)])
            for kind in StoreKind.allCases {
                let plan = try kind.backend.migrationPlan([transition])
                #expect(!plan.isLossless)
            }
        }
    }

    @Test func `An attribute that moves and isn't stored any more is a loss`() throws {
        let (before, after) = try moved(
            .init("price", .int64, isOptional: true),
            .init("price", .int64, isOptional: true, storage: .transient))
        #expect(try transition(before, after).losses == ["Vehicle.price"])
        // The values are lost too if the superentity is new.
        let alone = try model(.init("Car", attributes: [.init("price", .int64, isOptional: true)]))
        let below = try model(
            .init(
                "Vehicle", isAbstract: true,
                attributes: [.init("price", .int64, isOptional: true, storage: .transient)]),
            .init("Car", superentity: "Vehicle"))
        #expect(try transition(alone, below).losses == ["Vehicle.price"])
        // A property with another name is no successor.
        let renamed = try model(
            .init("Vehicle", attributes: [.init("price", .string, renamingIdentifier: "name")]),
            .init("Car", superentity: "Vehicle"))
        let hints = MigrationHints(removed: ["Car.price"])
        #expect(try transition(before, renamed, hints).losses == ["Car.price"])
    }

    @Test(arguments: StoreKind.present)
    func `An attribute that moves and becomes wider keeps its values`(_ kind: StoreKind) async throws {
        let (before, after) = try moved(
            .init("price", .decimal(precision: 9, scale: 2), isOptional: true),
            .init("price", .decimal(precision: 12, scale: 4), isOptional: true))
        let store = try MigratedStore(kind)
        try await store.write(before) { context in
            try context.make("Car", ["name": .string("c"), "price": .decimal(1.25)])
            try context.make("Vehicle", ["name": .string("v")])
        }
        try await store.migrate([ModelVersion("V1", before), ModelVersion("V2", after)])
        let prices = try await store.read(after) { try $0.values("Vehicle", "price") }
        #expect(prices == [.decimal(1.25), .null])
    }

    // MARK: Inverses and derived values

    @Test func `A to-many relationship that replaces another one needs a decision`() throws {
        func model(_ players: RelationshipDescription..., game: RelationshipDescription...) throws
            -> ObjectModel
        {
            try self.model(.init("Game", relationships: players), .init("Player", relationships: game))
        }
        let old = try model(
            .init("players", to: "Player", inverse: "game", isToMany: true),
            game: .init("game", to: "Game", inverse: "players"))
        let exchanged = try model(
            .init("players", to: "Player", inverse: "second", isToMany: true),
            .init("others", to: "Player", inverse: "game", isToMany: true),
            game: .init("game", to: "Game", inverse: "others"),
            .init("second", to: "Game", inverse: "players"))
        let undecided = try transition(old, exchanged).undecided.map(\.path)
        #expect(undecided == ["Game.players"])
        let renamed = try model(
            .init("players", to: "Player", inverse: "second", isToMany: true),
            game: .init("second", to: "Game", inverse: "players", renamingIdentifier: "game"))
        #expect(try transition(old, renamed).undecided.isEmpty)
    }

    @Test(arguments: StoreKind.present)
    func `Values are lost when their attribute becomes derived`(_ kind: StoreKind) async throws {
        let old = try model(.init("Game", attributes: [.init("title", .string), .init("key", .string)]))
        let new = try model(
            .init(
                "Game",
                attributes: [
                    .init("title", .string),
                    .init("key", .string, storage: .derived(.lowercased(path: "title"))),
                ]))
        let store = try MigratedStore(kind)
        try await store.write(old) { try $0.make("Game", ["title": .string("Go"), "key": .string("typed")]) }
        var versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        let plan = try store.plan(versions)
        #expect(plan.losses == ["Game.key"])
        #expect(plan.findings.contains { $0.rule == "drop-attribute" && $0.severity == .error })
        let refused = await refusal { try await store.migrate(versions) }
        #expect(refused?.message == "The migration would lose Game.key.")
        versions[1].hints.acceptedLosses = ["Game.key"]
        try await store.migrate(versions)
        let keys = try await store.read(new) { try $0.values("Game", "key") }
        #expect(keys == [.string("go")])
        // The opposite direction loses nothing.
        let back = [ModelVersion("V2", new), ModelVersion("V3", old)]
        #expect(try store.plan(back).isLossless)
        try await store.migrate(back)
        let kept = try await store.read(old) { try $0.values("Game", "key") }
        #expect(kept == [.string("go")])
    }
}
