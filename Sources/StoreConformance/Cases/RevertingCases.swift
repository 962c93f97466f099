import ContextCore

extension Topic {
    /// Reverting an object's relationships: by turning it into a fault, by refreshing it, and by merge policies.
    static let reverting: Topic = Topic("reverting") {
        Requirement(
            "Turning an object into a fault reverts its changed relationships, including their inverses"
        ) {
            run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                let go = try fixture.change(context)
                context.refault(go)
                try fixture.expectAsStored(context)
                try expect(!context.hasChanges, "Nothing is pending")
            }
        }
        Requirement(
            "Refreshing an object without its changes reverts its changed relationships, including their inverses"
        ) { run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                let go = try fixture.change(context)
                try context.refresh(go, mergeChanges: false)
                try fixture.expectAsStored(context)
                try expect(!context.hasChanges, "Nothing is pending")
            }
        }
        Requirement("Refreshing an object with its changes keeps its changed relationships") { run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                let go = try fixture.change(context)
                try context.refresh(go)
                try fixture.expectChanged(context)
                try context.save()
            }
            try await fixture.store.read("look") { try fixture.expectChanged($0) }
        }
        Requirement(
            "The rollback policy reverts the relationships of a conflicting object, including their inverses"
        ) {
            run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                _ = try fixture.change(context)
                context.mergePolicy = .rollback
            }
            try await fixture.store.write("theirs") { try $0.only(Game.self, "title = 'Go'").rating = 1 }
            try await fixture.editor.perform { context in
                try context.only(Game.self, "title = 'Go'").rating = 2
                try context.save()
                try fixture.expectAsStored(context)
            }
            try await fixture.store.read("look") { context in
                try fixture.expectAsStored(context)
                try expectEqual(try context.only(Game.self, "title = 'Go'").rating, 1, "The rating")
            }
        }
        Requirement(
            "With storeWins, a to-one that both changed has the store's target at both ends, and other changes are kept"
        ) {
            run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                _ = try fixture.change(context)
                context.mergePolicy = .storeWins
            }
            try await fixture.store.write("theirs") { context in
                try context.only(Game.self, "title = 'Go'").owner = context.only(Person.self, "name = 'Max'")
            }
            try await fixture.editor.perform { context in
                try context.save()
                try fixture.expectChanged(context, owner: "Max")
            }
            try await fixture.store.read("look") { try fixture.expectChanged($0, owner: "Max") }
        }
        Requirement("With objectWins, a to-one that both changed has the context's target at both ends") {
            run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                _ = try fixture.change(context)
                context.mergePolicy = .objectWins
            }
            try await fixture.store.write("theirs") { context in
                try context.only(Game.self, "title = 'Go'").owner = context.only(Person.self, "name = 'Max'")
            }
            try await fixture.editor.perform { context in
                try context.save()
                try fixture.expectChanged(context)
            }
            try await fixture.store.read("look") { try fixture.expectChanged($0) }
        }
        Requirement("A reverted member has its previous position in an ordered relationship, loaded or not") {
            run in
            for isLoaded in [false, true] {
                let fixture = try await RelationshipFixture(run, beside: "_\(isLoaded)")
                try await fixture.editor.perform { context in
                    let rounds = try context.find(Round.self, order: "number")
                    let go = try context.only(Game.self, "title = 'Go'")
                    if isLoaded { _ = go.rounds.map(\.number) }
                    rounds[1].game = nil
                    rounds[2].game = try context.only(Game.self, "title = 'Chess'")
                    context.refault(rounds[1])
                    try context.refresh(rounds[2], mergeChanges: false)
                    try expect(!context.hasChanges, "Nothing is pending")
                    try expectEqual(go.rounds.map(\.number), [1, 2, 3, 4], "The rounds")
                }
            }
        }
        Requirement("A rollback reverts all changes, including relationships of every kind") { run in
            let fixture = try await RelationshipFixture(run)
            try await fixture.editor.perform { context in
                _ = try fixture.change(context)
                context.rollback()
                try fixture.expectAsStored(context)
                try expect(!context.hasChanges, "Nothing is pending")
            }
        }
    }
}

/// A store with a game that has an owner, players, fans and rounds, and a context that changes them.
private struct RelationshipFixture {
    let store: Store
    let editor: ContextActor

    init(_ run: CaseRun, beside suffix: String = "") async throws {
        store = try await run.open(beside: suffix)
        try await store.write("fill") { try GameWorld.fill($0) }
        try await store.write("rounds") { context in
            try context.only(Game.self, "title = 'Go'").rounds = (1...4).map {
                Round(in: context, number: $0)
            }
        }
        editor = store.makeBackgroundContext(name: "mine")
    }

    /// Changes each of the game's relationships from the game itself.
    func change(_ context: ObjectContext) throws -> Game {
        let go = try context.only(Game.self, "title = 'Go'")
        go.owner = try context.only(Person.self, "name = 'Mia'")
        go.fans.insert(try context.only(Person.self, "name = 'Max'"))
        go.fans.remove(try context.only(Person.self, "name = 'Paul'"))
        go.players.insert(try context.only(Player.self, "name = 'Cid'"))
        go.players.remove(try context.only(Player.self, "name = 'Bob'"))
        go.rounds.swapAt(0, 3)
        go.rounds.remove(at: 1)
        return go
    }

    func expectAsStored(_ context: ObjectContext, file: String = #fileID, line: Int = #line) throws {
        try expect(
            context, owner: "Paul", fans: ["Mia", "Paul"], players: ["Ann", "Bob"], rounds: [1, 2, 3, 4],
            file: file, line: line)
    }

    func expectChanged(
        _ context: ObjectContext, owner: String = "Mia", file: String = #fileID, line: Int = #line
    ) throws {
        try expect(
            context, owner: owner, fans: ["Max", "Mia"], players: ["Ann", "Cid"], rounds: [4, 3, 1],
            file: file, line: line)
    }

    /// Expects the game's relationships and their inverses.
    private func expect(
        _ context: ObjectContext, owner: String, fans: [String], players: [String], rounds: [Int],
        file: String,
        line: Int
    ) throws {
        let go = try context.only(Game.self, "title = 'Go'")
        try expectEqual(go.owner?.name, owner, "The owner", file: file, line: line)
        try expectEqual(go.fans.map(\.name).sorted(), fans, "The fans", file: file, line: line)
        try expectEqual(go.players.map(\.name).sorted(), players, "The players", file: file, line: line)
        try expectEqual(go.rounds.map(\.number), rounds, "The rounds", file: file, line: line)
        let people = try context.find(Person.self, order: "name")
        try expectEqual(
            people.filter { $0.games.contains(go) }.map(\.name), [owner], "The owners of the game",
            file: file,
            line: line)
        try expectEqual(
            people.filter { $0.favourites.contains(go) }.map(\.name), fans,
            "The people whose favourites contain the game", file: file,
            line: line)
        let all = try context.find(Player.self, order: "name")
        try expectEqual(
            all.filter { $0.game === go }.map(\.name), players, "The players whose game it is", file: file,
            line: line)
        try expectEqual(
            try context.find(Round.self, "game = %@", go.objectID).map(\.number).sorted(), rounds.sorted(),
            "The rounds of the game", file: file, line: line)
    }
}
