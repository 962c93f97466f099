import Testing

@testable import ContextCore

@Composite struct UpsertPlace: Equatable {
    var city: String
    var number: Int
}

@Entity final class UpsertTeam: ManagedObject {
    @Attribute(.unique) var name: String
    @Derived(.count(\.players)) var size: Int
    @Relationship(deleteRule: .cascade, inverse: \UpsertPlayer.team) var players: Set<UpsertPlayer>
}

@Entity(unique: [[\.team, \.shirt], [\.plainName]]) final class UpsertPlayer: ManagedObject {
    var name: String
    var shirt: Int?
    var score: Int = 5
    var home: UpsertPlace = UpsertPlace(city: "", number: 0)
    @Attribute(.codable) var tags: [String] = []
    var team: UpsertTeam?
    @Derived(.lowercased(\.name)) var plainName: String
}

@Entity final class UpsertNode: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \.children) var parent: UpsertNode?
    @Relationship(deleteRule: .nullify, inverse: \.parent) var children: Set<UpsertNode>
    @Derived(.count(\.children)) var size: Int
}

struct UpsertTests {
    private let store: Store

    init() throws { store = try Store.inMemory([UpsertTeam.self, UpsertPlayer.self, UpsertNode.self]) }

    private func players() async throws -> [String] {
        try await store.read("players") { context in
            try context.fetch(UpsertPlayer.self, order: .ascending(\.name)).map { player in
                "\(player.name) \(player.team?.name ?? "-") \(player.shirt ?? -1) \(player.score)"
            }
        }
    }

    @Test func `A reference can be part of the constraint`() async throws {
        try await store.write("upsert") { context in
            let red = UpsertTeam(in: context, name: "red")
            try context.save()
            let rows = [("Ann", 1), ("Bob", 2), ("Cid", 1)]
            let result = try context.upsert(UpsertPlayer.self, matching: \.shirt, \.team, from: rows) {
                [.set(\.team, to: red), .set(\.shirt, to: $0.1), .set(\.name, to: $0.0)]
            }
            #expect(result.inserted.count == 2 && red.size == 2 && red.players.count == 2)
            let (player, isNew) = try context.upsert(
                UpsertPlayer.self, matching: \.team, \.shirt, with: .set(\.team, to: red),
                .set(\.shirt, to: 2), .set(\.name, to: "Ben"))
            #expect(!isNew && player.name == "Ben" && player.plainName == "ben" && player.team === red)
        }
        #expect(try await players() == ["Ben red 2 5", "Cid red 1 5"])
    }

    @Test func `Rows with nil in the constraint are inserted, one upsert at a time too`() async throws {
        try await store.write("upsert") { context in
            for name in ["Ann", "Bob"] {
                let (player, isNew) = try context.upsert(
                    UpsertPlayer.self, matching: \.team, \.shirt, with: .set(\.shirt, to: 1),
                    .set(\.team, to: nil as UpsertTeam?), .set(\.name, to: name))
                #expect(isNew && player.shirt == 1)
            }
        }
        #expect(try await players() == ["Ann - 1 5", "Bob - 1 5"])
    }

    @Test func `Ignoring considers a derived constraint`() async throws {
        try await store.write("insert") { context in
            _ = UpsertPlayer(in: context, name: "Ann")
            try context.save()
            let result = try context.batchInsert(
                UpsertPlayer.self, from: ["ANN", "Bob", "BOB"], onConflict: .ignore
            ) { [.set(\.name, to: $0)] }
            #expect(result.inserted.count == 1 && result.unchangedCount == 2)
        }
        #expect(try await players() == ["Ann - -1 5", "Bob - -1 5"])
    }

    @Test func `Parts of a composite, and properties of merged rows, are set as named`() async throws {
        try await store.write("upsert") { context in
            let red = UpsertTeam(in: context, name: "red")
            let ann = UpsertPlayer(in: context, name: "Ann", shirt: 1, team: red)
            ann.home = UpsertPlace(city: "Ulm", number: 1)
            try context.save()
            let rows: [(Int, UpsertPlace)] = [
                (1, UpsertPlace(city: "Bonn", number: 2)), (2, UpsertPlace(city: "Köln", number: 3)),
                (2, UpsertPlace(city: "Kiel", number: 4)),
            ]
            try context.batchInsert(
                UpsertPlayer.self, from: rows,
                onConflict: .update(matching: \.team, \.shirt, setting: \.home.city)
            ) {
                [
                    .set(\.team, to: red), .set(\.shirt, to: $0.0), .set(\.home, to: $0.1),
                    .set(\.name, to: "N\($0.0)"),
                ]
            }
            #expect(ann.home == UpsertPlace(city: "Bonn", number: 1) && ann.name == "Ann")
            let second = try context.first(UpsertPlayer.self, where: \.shirt == 2)
            #expect(second?.home == UpsertPlace(city: "Kiel", number: 3) && second?.name == "N2")
        }
    }

    @Test func `A codable value counts as changed, other equal values don't`() async throws {
        try await store.write("upsert") { context in
            let red = UpsertTeam(in: context, name: "red")
            _ = UpsertPlayer(in: context, name: "Ann", shirt: 1, team: red)
            try context.save()
            let key: [PropertyAssignment] = [.set("team", to: red.objectID), .set("shirt", to: 1)]
            func upsert(_ more: PropertyAssignment...) throws -> BatchResult {
                try context.upsert(
                    "UpsertPlayer", matching: ["team", "shirt"], [key + [.set("name", to: "Ann")] + more])
            }
            #expect(try upsert(.set("score", to: 5)).unchangedCount == 1)
            let tags = PropertyAssignment("tags", .stored(.string("[]")))
            #expect(try upsert(tags).updated.count == 1)
        }
    }

    @Test func `An upsert of one object returns it, also if its parent was updated too`() async throws {
        try await store.write("upsert") { context in
            let (root, leaf) = (UpsertNode(in: context, name: "root"), UpsertNode(in: context, name: "leaf"))
            try context.save()
            let (found, isNew) = try context.upsert(
                UpsertNode.self, matching: \.name, with: .set(\.name, to: "leaf"), .set(\.parent, to: root))
            #expect(found === leaf && !isNew && root.size == 1 && leaf.parent === root)
            let again = try context.upsert(
                UpsertNode.self, matching: \.name, from: ["leaf"]
            ) { [.set(\.name, to: $0), .set(\.parent, to: nil as UpsertNode?)] }
            #expect(Set(again.updated) == [root.objectID, leaf.objectID])
        }
    }

    @Test func `Values of merged rows that aren't set must have the right type`() async throws {
        try await store.write("upsert") { context in
            let red = UpsertTeam(in: context, name: "red")
            try context.save()
            let row: [PropertyAssignment] = [
                .set("team", to: red.objectID), .set("shirt", to: 1), .set("name", to: "Ann"),
            ]
            let error = #expect(throws: StoreError.self) {
                try context.batchInsert(
                    "UpsertPlayer", [row, row + [.set("score", to: "many")]],
                    onConflict: .update(matching: ["team", "shirt"], setting: ["name"]))
            }
            #expect(error?.code == .unknownProperty)
        }
    }

    @Test func `A rejected row is named by its index in the batch`() async throws {
        try await store.write("upsert") { context in
            let red = UpsertTeam(in: context, name: "red")
            for (shirt, name) in [(1, "Ann"), (2, "Bob")] {
                _ = UpsertPlayer(in: context, name: name, shirt: shirt, team: red)
            }
            try context.save()
            let rows = [(1, "Al"), (1, "Abe"), (2, "Ben"), (3, "ABE")]
            func assign(_ row: (Int, String)) -> [TypedAssignment<UpsertPlayer>] {
                [.set(\.team, to: red), .set(\.shirt, to: row.0), .set(\.name, to: row.1)]
            }
            let upsert = #expect(throws: StoreError.self) {
                try context.upsert(UpsertPlayer.self, matching: \.team, \.shirt, from: rows, assign)
            }
            #expect(upsert?.code == .duplicate)
            #expect(upsert?.remedy?.hasPrefix("Correct the rows whose conflicts the error lists") == true)
            let insertion = #expect(throws: StoreError.self) {
                try context.batchInsert(UpsertPlayer.self, from: [(4, "Cid"), (2, "Dan")], assign)
            }
            #expect(
                insertion?.message
                    == "The store rejected the batch because of the row of UpsertPlayer at index 1. Nothing was changed."
            )
            #expect(insertion?.remedy?.hasSuffix("pass onConflict:.") == true)
        }
    }

    @Test func `An upsert that can't work says why`() async throws {
        try await store.write("upsert") { context in
            func message(_ body: () throws -> Void) -> String {
                do {
                    try body()
                    return "no error"
                } catch { return (error as? StoreError)?.message ?? "\(error)" }
            }
            let team: [[PropertyAssignment]] = [[.set("name", to: "a")]]
            let keyless = message { try context.upsert("UpsertTeam", matching: [], team) }
            #expect(
                keyless == "The upsert of UpsertTeam names no properties by which it finds its objects.")
            let key = message {
                try context.batchInsert(
                    "UpsertTeam", team, onConflict: .update(matching: ["name"], setting: ["name"]))
            }
            #expect(key == "An upsert can't set UpsertTeam.name, by which it finds its objects.")
            let unassigned = message {
                try context.batchInsert(
                    UpsertPlayer.self, from: [1],
                    onConflict: .update(matching: \.team, \.shirt, setting: \.score)
                ) { [.set(\.shirt, to: $0), .set(\.team, to: nil as UpsertTeam?), .set(\.name, to: "a")] }
            }
            #expect(unassigned == "No row assigns UpsertPlayer.score, which the upsert should set.")
            let missing = message {
                try context.upsert(UpsertPlayer.self, matching: \.name, from: ["a"]) {
                    [.set(\.name, to: $0)]
                }
            }
            #expect(
                missing
                    == "UpsertPlayer has no unique constraint over name, so an upsert can't find its objects by that."
            )
            let derived = message {
                try context.upsert(UpsertPlayer.self, matching: \.plainName, from: ["a"]) {
                    [.set(\.name, to: $0)]
                }
            }
            #expect(
                derived == "UpsertPlayer.plainName is derived, so an upsert can't find its objects by it.")
            let incomplete = message {
                try context.upsert(UpsertPlayer.self, matching: \.team, \.shirt, from: ["a"]) {
                    [.set(\.name, to: $0), .set(\.shirt, to: 1)]
                }
            }
            #expect(
                incomplete == "A row doesn't assign UpsertPlayer.team, by which the upsert finds its object.")
            let unknown = message {
                try context.batchInsert(
                    "UpsertTeam", [[.set("name", to: "a")]],
                    onConflict: .update(matching: ["name"], setting: ["size"]))
            }
            #expect(
                unknown == "A batch can't set UpsertTeam.size: it is derived, so each save calculates it.")
            let nothing = try context.upsert(UpsertTeam.self, matching: \.name, from: [String]()) {
                [.set(\.name, to: $0)]
            }
            #expect(nothing.count == 0)
        }
    }

    @Test func `Other contexts follow an upsert like a save`() async throws {
        let changes = store.changes
        let editor = store.makeBackgroundContext()
        let id = try await editor.perform { context in
            let (red, _) = try context.upsert(
                UpsertTeam.self, matching: \.name, with: .set(\.name, to: "red"))
            return red.objectID
        }
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.inserted == [id])
    }
}
