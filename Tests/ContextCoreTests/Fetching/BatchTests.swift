import Testing

@testable import ContextCore

@Entity final class BatchTeam: ManagedObject {
    @Attribute(.unique) var name: String
    @Derived(.count(\.players)) var size: Int
    @Derived(.sum(\.players, \.score)) var total: Int
    @Relationship(deleteRule: .cascade, inverse: \BatchPlayer.team) var players: Set<BatchPlayer>
    @Relationship(deleteRule: .deny, inverse: \BatchTrophy.team) var trophies: Set<BatchTrophy>
}

@Entity final class BatchPlayer: ManagedObject {
    @Attribute(.length(1...10)) var name: String
    @Attribute(.range(0...100)) var score: Int = 5
    @Derived(.lowercased(\.name)) var plainName: String
    var team: BatchTeam?
}

@Entity final class BatchTrophy: ManagedObject {
    var year: Int = 2000
    var team: BatchTeam?
}

struct BatchTests {
    private let store: Store

    init() throws { store = try Store.inMemory([BatchTeam.self, BatchPlayer.self, BatchTrophy.self]) }

    private func fill() async throws {
        try await store.write("fill") { context in
            for name in ["red", "blue"] {
                let team = BatchTeam(in: context, name: name)
                for number in 0..<3 {
                    _ = BatchPlayer(in: context, name: "\(name) \(number)", score: number, team: team)
                }
            }
        }
    }

    @Test func `An update changes matching objects, and derived values`() async throws {
        try await fill()
        let changed = try await store.write("update") { context in
            let red = try #require(try context.first(BatchTeam.self, where: \.name == "red"))
            let player = try #require(try context.first(BatchPlayer.self, where: \.name == "red 2"))
            #expect(red.total == 3 && red.size == 3 && player.plainName == "red 2")
            let result = try context.batchUpdate(
                BatchPlayer.self, where: \.team?.name == "red" && \.score > 0, .set(\.score, to: 50),
                .set(\.name, to: "CHAMPION"))
            #expect(player.score == 50 && player.name == "CHAMPION" && player.plainName == "champion")
            #expect(red.total == 100 && !context.hasChanges)
            return result
        }
        #expect(changed.updated.filter { $0.entityName == "BatchPlayer" }.count == 2 && changed.count == 3)
        #expect(changed.inserted.isEmpty && changed.deleted.isEmpty)
    }

    @Test func `References are set by object, and derived values follow`() async throws {
        try await fill()
        try await store.write("move") { context in
            let blue = try #require(try context.first(BatchTeam.self, where: \.name == "blue"))
            let red = try #require(try context.first(BatchTeam.self, where: \.name == "red"))
            #expect(blue.players.count == 3 && red.players.count == 3)
            try context.batchUpdate(BatchPlayer.self, where: \.name == "red 2", .set(\.team, to: blue))
            #expect(blue.players.count == 4 && red.players.count == 2)
            #expect(blue.size == 4 && blue.total == 5 && red.size == 2 && red.total == 1)
            try context.batchUpdate(
                "BatchPlayer", where: FetchPredicate("team = NIL OR score = 0"), .set("team", to: nil))
            #expect(blue.size == 3 && red.size == 1)
        }
    }

    @Test func `Objects are inserted with their defaults, and their identifiers returned`() async throws {
        try await fill()
        try await store.write("insert") { context in
            let red = try #require(try context.first(BatchTeam.self, where: \.name == "red"))
            #expect(red.players.count == 3)
            let result = try context.batchInsert(BatchPlayer.self, from: 0..<4) { number in
                [.set(\.name, to: "NEW \(number)"), .set(\.team, to: red)]
            }
            #expect(result.inserted.count == 4 && red.players.count == 7 && red.size == 7 && red.total == 23)
            let player = try context.object(with: try #require(result.inserted.first), as: BatchPlayer.self)
            #expect(
                player.name == "NEW 0" && player.score == 5 && player.plainName == "new 0"
                    && player.team === red)
        }
    }

    @Test func `A deletion follows the delete rules, or is denied`() async throws {
        try await fill()
        let id = try await store.write("trophy") { context in
            let blue = try #require(try context.first(BatchTeam.self, where: \.name == "blue"))
            let trophy = BatchTrophy(in: context, team: blue)
            try context.save()
            let error = #expect(throws: StoreError.self) { try context.batchDelete(BatchTeam.self) }
            #expect(error?.code == .validation && error?.conflicts.count == 1)
            return trophy.objectID
        }
        try await store.write("delete") { context in
            let red = try #require(try context.first(BatchTeam.self, where: \.name == "red"))
            let players = red.players
            let result = try context.batchDelete(BatchTeam.self, where: \.name == "red")
            #expect(result.deleted.count == 4 && red.isDeleted && players.allSatisfy(\.isDeleted))
            #expect(try context.count(BatchPlayer.self) == 3)
            try context.batchDelete("BatchTrophy")
            #expect(throws: StoreError.self) { try context.existingObject(with: id) }
        }
    }

    @Test func `All validation errors of all rows are reported, and nothing is changed`() async throws {
        try await fill()
        let error = await #expect(throws: StoreError.self) {
            try await store.write("broken") { context in
                _ = try context.batchInsert(BatchPlayer.self, from: 0..<2) { _ in
                    [.set(\.name, to: ""), .set(\.score, to: 101)]
                }
            }
        }
        #expect(error?.code == .validation && error?.failures.count == 4)
        let other = await #expect(throws: StoreError.self) {
            try await store.write("broken") { context in
                try context.batchUpdate(BatchPlayer.self, .set(\.score, to: -1))
            }
        }
        #expect(other?.failures.count == 1)
        let count = try await store.read("count") { try $0.count(BatchPlayer.self, where: \.score < 0) }
        #expect(count == 0)
        let duplicate = await #expect(throws: StoreError.self) {
            try await store.write("twice") { try $0.batchUpdate(BatchTeam.self, .set(\.name, to: "same")) }
        }
        #expect(duplicate?.code == .duplicate)
    }

    @Test func `A batch is rejected if it would miss pending changes`() async throws {
        try await fill()
        try await store.write("refused") { context in
            func code(_ body: () throws -> BatchResult) -> StoreError.Code? {
                do {
                    _ = try body()
                    return nil
                } catch { return (error as? StoreError)?.code }
            }
            let child = context.makeChild()
            #expect(code { try child.batchDelete(BatchPlayer.self) } == .unsupportedRequest)
            _ = BatchTrophy(in: context)
            #expect(code { try context.batchDelete(BatchPlayer.self) } == .unsupportedRequest)
            try context.save()
            #expect(
                code { try context.batchUpdate("BatchPlayer", .set("plainName", to: "k")) }
                    == .unknownProperty)
            #expect(
                code { try context.batchUpdate("BatchPlayer", .set("score", to: "k")) } == .unknownProperty)
            #expect(
                code { try context.batchUpdate("BatchPlayer", .set("nothing", to: 1)) } == .unknownProperty)
            #expect(
                code { try context.batchUpdate("BatchTeam", .set("players", to: nil)) } == .unknownProperty)
            #expect(try context.count(BatchPlayer.self) == 6)
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.read("read") { _ = try $0.batchDelete(BatchPlayer.self) }
        }
        #expect(error?.code == .readOnly)
    }

    @Test func `Other contexts follow a batch like a save`() async throws {
        try await fill()
        let changes = store.changes
        let editor = store.makeBackgroundContext()
        try await editor.perform { context in
            let teams = try context.fetch(BatchTeam.self, order: .ascending(\.name))
            #expect(teams.map(\.total) == [3, 3])
            try context.batchUpdate(BatchPlayer.self, where: \.score == 2, .set(\.score, to: 12))
            #expect(teams.map(\.total) == [13, 13])
        }
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.updated.count == 4)
    }
}
