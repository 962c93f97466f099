import ContextCore

extension Topic {
    /// Conflicts between contexts that have changed the same objects.
    static let merging: Topic = Topic("merging") {
        Requirement("A stale save is a conflict with base, mine and theirs, and nothing is saved") { run in
            let fixture = try await ConflictFixture(run)
            try await fixture.editor.perform { context in
                _ = Player(in: context, name: "New")
                let error = try expectError(.conflict) { try context.save() }
                let conflict = try require(error.conflicts.first, "A conflict")
                try expectEqual(conflict.kind, .changed, "The kind of conflict")
                let score = try require(
                    conflict.properties.first { $0.name == "score" }, "The score's conflict")
                try expectEqual(
                    [score.base, score.mine, score.theirs], [.int(12), .int(1), .int(2)],
                    "Base, mine and theirs")
                try expect(
                    context.updatedObjects.count == 1 && context.insertedObjects.count == 1,
                    "Everything is pending")
            }
            try await fixture.expect(score: 2, nick: "theirs", bonus: 3)
            try await fixture.store.expectNames([("name = 'New'", [])])
        }
        Requirement("With storeWins, the store's value wins where both changed a property") { run in
            let fixture = try await ConflictFixture(run)
            try await fixture.save(.storeWins)
            try await fixture.expect(score: 2, nick: "theirs", bonus: 7)
        }
        Requirement("With objectWins, the context's value wins where both changed a property") { run in
            let fixture = try await ConflictFixture(run)
            try await fixture.save(.objectWins)
            try await fixture.expect(score: 1, nick: "theirs", bonus: 7)
        }
        Requirement("With overwrite, all values of the object are saved") { run in
            let fixture = try await ConflictFixture(run)
            try await fixture.save(.overwrite)
            try await fixture.expect(score: 1, nick: "Ace", bonus: 7)
        }
        Requirement("With rollback, the object's changes are discarded and the rest is saved") { run in
            let fixture = try await ConflictFixture(run)
            try await fixture.editor.perform { context in _ = Player(in: context, name: "New") }
            try await fixture.save(.rollback)
            try await fixture.expect(score: 2, nick: "theirs", bonus: 3)
            try await fixture.store.expectNames([("name = 'New'", ["New"])])
        }
        Requirement("A resolver gets base, mine and theirs, and a property's rule precedes its entity's") {
            run in
            let fixture = try await ConflictFixture(run)
            var policy = MergePolicy.error
            policy.setRule(.storeWins, for: Player.self)
            policy.setRule(for: \Player.score) { base, mine, theirs in base * 100 + mine * 10 + theirs }
            try await fixture.save(policy)
            try await fixture.expect(score: 1212, nick: "theirs", bonus: 7)
        }
        Requirement(
            "A property that only the store changed has no property conflict, but its row's version has"
        ) {
            run in
            let games = try await run.games()
            let (mine, theirs) = (games.makeBackgroundContext(), games.makeBackgroundContext())
            try await mine.perform { try $0.only(Player.self, "name = 'Ann'").bonus = 8 }
            try await theirs.perform { context in
                try context.only(Player.self, "name = 'Ann'").nick = "theirs"
                try context.save()
            }
            try await mine.perform { context in
                try expectError(.conflict) { try context.save() }
                context.mergePolicy = .storeWins
                try context.save()
            }
            let ann = try await games.read("look") { try $0.only(Player.self, "name = 'Ann'").snapshot() }
            try expect(ann.bonus == 8 && ann.nick == "theirs", "Both changes are kept")
        }
        Requirement(
            "Changing an object that another context has deleted is a conflict, which each policy resolves"
        ) { run in
            for (policy, count) in [
                (MergePolicy.storeWins, 0), (.rollback, 0), (.objectWins, 1), (.overwrite, 1),
            ] {
                let store = try await run.open(beside: "_\(count)_\(UInt32.random(in: 0...UInt32.max))")
                try await store.write("fill") { try GameWorld.fill($0) }
                let (mine, theirs) = (store.makeBackgroundContext(), store.makeBackgroundContext())
                try await mine.perform { context in
                    let ann = try context.only(Player.self, "name = 'Ann'")
                    _ = ann.game
                    ann.score = 1
                }
                try await theirs.perform { context in
                    context.delete(try context.only(Player.self, "name = 'Ann'"))
                    try context.save()
                }
                try await mine.perform { context in
                    let error = try expectError(.conflict) { try context.save() }
                    try expectEqual(error.conflicts.map(\.kind), [.deleted], "The kinds of conflicts")
                    context.mergePolicy = policy
                    try context.save()
                    try expect(!context.hasChanges, "Nothing is pending")
                }
                let found = try await store.read("look") { try $0.find(Player.self, "name = 'Ann'").count }
                try expectEqual(found, count, "The number of players named Ann under the policy \(policy)")
            }
        }
        Requirement("Deleting an object that another context has changed is a conflict") { run in
            let games = try await run.games()
            let (mine, theirs) = (games.makeBackgroundContext(), games.makeBackgroundContext())
            try await mine.perform { $0.delete(try $0.only(Player.self, "name = 'Ann'")) }
            try await theirs.perform { context in
                try context.only(Player.self, "name = 'Ann'").score = 2
                try context.save()
            }
            try await mine.perform { context in
                try expectError(.conflict) { try context.save() }
                context.mergePolicy = .objectWins
                try context.save()
            }
            try await games.expectNames([("name = 'Ann'", [])])
        }
        Requirement("Deleting an object that another context has deleted is no conflict") { run in
            let games = try await run.games()
            let editors = [games.makeBackgroundContext(), games.makeBackgroundContext()]
            for editor in editors {
                try await editor.perform { $0.delete(try $0.only(Player.self, "name = 'Ann'")) }
            }
            for editor in editors {
                try await editor.perform { context in
                    context.mergePolicy = .objectWins
                    try context.save()
                }
            }
            try await games.expectNames([("name = 'Ann'", [])])
        }
        Requirement("A reference to an object that another context has deleted is a conflict") { run in
            let rules = try await run.open(RuleModel.classes)
            let id = try await rules.write("make") { context in
                let box = Box(in: context, name: "box")
                try context.save()
                return box.objectID
            }
            let mine = rules.makeBackgroundContext()
            try await mine.perform { context in
                _ = Item(in: context, name: "item", box: try context.object(with: id, as: Box.self))
            }
            try await rules.write("delete") { $0.delete(try $0.existingObject(with: id)) }
            try await mine.perform { context in
                let error = try expectError(.missingReference) { try context.save() }
                try expectEqual(
                    error.conflicts.map(\.kind), [.missingReference(property: "box")],
                    "The kinds of conflicts")
                try expect(context.hasChanges, "Everything is pending")
            }
        }
        Requirement("Links that two contexts add merge without a conflict") { run in
            let games = try await run.games()
            let (mine, theirs) = (games.makeBackgroundContext(), games.makeBackgroundContext())
            try await mine.perform { context in
                _ = try context.only(Game.self, "title = 'Empty'").fans.insert(
                    try context.only(Person.self, "name = 'Paul'"))
            }
            try await theirs.perform { context in
                try context.only(Game.self, "title = 'Empty'").fans.insert(
                    try context.only(Person.self, "name = 'Max'"))
                try context.save()
            }
            try await mine.perform { try $0.save() }
            try await games.expectNames([("ANY favourites.title = 'Empty'", ["Max", "Paul"])], of: "Person")
        }
    }
}

/// Two contexts that changed Ann: both her score, the other one her nick, and `editor` her bonus.
private struct ConflictFixture {
    let store: Store
    let editor: ContextActor

    init(_ run: CaseRun) async throws {
        store = try await run.games()
        editor = store.makeBackgroundContext(name: "mine")
        try await editor.perform { context in
            let ann = try context.only(Player.self, "name = 'Ann'")
            (ann.score, ann.bonus) = (1, 7)
        }
        try await store.write("theirs") { context in
            let ann = try context.only(Player.self, "name = 'Ann'")
            (ann.score, ann.nick) = (2, "theirs")
        }
    }

    func save(_ policy: MergePolicy) async throws {
        try await editor.perform { context in
            context.mergePolicy = policy
            try context.save()
            try StoreConformance.expect(!context.hasChanges, "Nothing is pending")
        }
    }

    func expect(score: Int, nick: String, bonus: Int) async throws {
        let ann = try await store.read("look") { try $0.only(Player.self, "name = 'Ann'").snapshot() }
        try expectEqual(ann.score, score, "The score")
        try expectEqual(ann.nick, nick, "The nick")
        try expectEqual(ann.bonus, bonus, "The bonus")
    }
}
