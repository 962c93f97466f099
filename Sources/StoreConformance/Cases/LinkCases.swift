import ContextCore

extension Topic {
    /// Links whose source or destination is missing or deleted, and positions in ordered relationships.
    static let links: Topic = Topic("links") {
        Requirement("A link whose source or destination doesn't exist is a conflict") { run in
            let harness = try run.harness(GameModel.classes)
            var rows = ChangeSet()
            rows.inserts = [
                try harness.insertion("Person", [(1, ["name": .string("Ann")])]),
                try harness.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
                try harness.insertion("Round", [(1, ["number": .int(1), "game": .int(1)])]),
            ]
            try harness.save(rows)
            for (entity, property) in [
                ("Game", "fans"), ("Person", "favourites"), ("Game", "rounds"), ("Person", "friends"),
            ] {
                let links = try harness.relationship(property, of: entity)
                for (owner, target) in [(1, 99), (99, 1), (98, 99)] as [(Int64, Int64)] {
                    var changes = ChangeSet()
                    changes.links = [
                        links.change(placing: [RelatedRows.Link(owner: owner, target: target, position: 4)])
                    ]
                    try expectEqual(
                        try harness.conflicts(of: changes),
                        [
                            RowConflict(
                                entityIndex: links.entityIndex, key: owner,
                                reason: .missingReference(property: property))
                        ], "The conflicts of \(entity).\(property) from \(owner) to \(target)")
                }
                try expectEqual(
                    try links.targets(of: [1, 98, 99]), property == "rounds" ? [1] : [], "What is linked")
            }
        }
        Requirement("A link to an object that the same change set deletes is a conflict") { run in
            let harness = try run.harness(GameModel.classes)
            let links = try harness.relationship("fans", of: "Game")
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Person", [(1, ["name": .string("Ann")])]),
                try harness.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
            ]
            try harness.save(changes)
            changes = ChangeSet()
            changes.deletes = [try harness.deletion("Person", 1, base: 1)]
            changes.links = [links.change(placing: [RelatedRows.Link(owner: 1, target: 1)])]
            try expectEqual(
                try harness.conflicts(of: changes),
                [
                    RowConflict(
                        entityIndex: links.entityIndex, key: 1, reason: .missingReference(property: "fans"))
                ], "The conflicts")
        }
        Requirement("Saving a link to an object that another context has deleted fails, in both directions") {
            run in
            let games = try await run.games()
            let editors = (0..<2).map { _ in games.makeBackgroundContext() }
            try await editors[0].perform { context in
                _ = try context.only(Game.self, "title = 'Go'").fans.insert(
                    try context.only(Person.self, "name = 'Max'"))
            }
            try await editors[1].perform { context in
                try context.only(Person.self, "name = 'Paul'").favourites.append(
                    try context.only(Game.self, "title = 'Empty'"))
            }
            try await games.write("delete") { context in
                context.delete(try context.only(Person.self, "name = 'Max'"))
                context.delete(try context.only(Game.self, "title = 'Empty'"))
            }
            for editor in editors {
                try await editor.perform { context in
                    try expectError(.missingReference) { try context.save() }
                    try expect(context.hasChanges, "Everything is pending")
                }
            }
            try await games.expectNames(
                [("TRUEPREDICATE", ["Mia", "Paul"]), ("favourites.@count = 1", ["Paul"])], of: "Person")
        }
        Requirement("Deleting a row removes its links, and a new row with its key doesn't get them") { run in
            let harness = try run.harness(OfficeModel.classes)
            let (papers, tags) = (
                try harness.relationship("papers", of: "Tag"), try harness.relationship("tags", of: "Paper")
            )
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Tag", [(1, ["name": .string("t")])]),
                try harness.insertion("Letter", (1...2).map { ($0, ["number": .int($0)]) }),
            ]
            changes.links = [
                papers.change(placing: (1...2).map { RelatedRows.Link(owner: 1, target: $0, position: $0) })
            ]
            try harness.save(changes)
            var deletion = ChangeSet()
            deletion.deletes = [try harness.deletion("Letter", 1, base: 1)]
            try harness.save(deletion)
            try expectEqual(try papers.targets(of: [1]), [2], "The papers of the tag")
            var again = ChangeSet()
            again.inserts = [try harness.insertion("Bill", [(1, ["number": .int(1), "amount": .int(0)])])]
            try harness.save(again)
            try expectEqual(try tags.targets(of: [1]), [], "The tags of the new paper")
            try expectEqual(try papers.targets(of: [1]), [2], "The papers of the tag")
            deletion.deletes = [try harness.deletion("Tag", 1, base: nil)]
            try harness.save(deletion)
            try expectEqual(try tags.targets(of: [1, 2]), [], "The tags after the deletion of theirs")
        }
        Requirement("Deleting a row removes its position, and a new row with its key doesn't get it") { run in
            let harness = try run.harness(GameModel.classes)
            let rounds = try harness.relationship("rounds", of: "Game")
            func insertion(_ keys: ClosedRange<Int64>) throws -> ChangeSet.Insertion {
                try harness.insertion("Round", keys.map { ($0, ["number": .int($0), "game": .int(1)]) })
            }
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Game", [(1, ["title": .string("Go"), "playerCount": .int(0)])]),
                try insertion(1...3),
            ]
            changes.links = [
                rounds.change(
                    placing: [(1, 20), (2, 10), (3, 30)].map {
                        RelatedRows.Link(owner: 1, target: $0, position: $1)
                    })
            ]
            try harness.save(changes)
            try expectEqual(try rounds.targets(of: [1]), [2, 1, 3], "The rounds")
            var deletion = ChangeSet()
            deletion.deletes = [try harness.deletion("Round", 3, base: 1)]
            try harness.save(deletion)
            try expectEqual(try rounds.targets(of: [1]), [2, 1], "The rounds that are left")
            var again = ChangeSet()
            again.inserts = [try insertion(3...3)]
            try harness.save(again)
            try expectEqual(
                try rounds.targets(of: [1]), [3, 2, 1], "The rounds with one that has no position")
        }
        Requirement("A batch deletion removes the links of the deleted rows") { run in
            let harness = try run.harness(OfficeModel.classes)
            let papers = try harness.relationship("papers", of: "Tag")
            var changes = ChangeSet()
            changes.inserts = [
                try harness.insertion("Tag", (1...2).map { ($0, ["name": .string("\($0)")]) }),
                try harness.insertion("Letter", (1...2).map { ($0, ["number": .int($0)]) }),
            ]
            changes.links = [
                papers.change(
                    placing: [(1, 1), (1, 2), (2, 1), (2, 2)].map { RelatedRows.Link(owner: $0, target: $1) })
            ]
            try harness.save(changes)
            try harness.perform("Letter", .delete, where: "number = 1")
            try harness.perform("Tag", .delete, where: "name = '2'")
            try expectEqual(try papers.targets(of: [1, 2]), [2], "What is linked")
        }
        Requirement(
            "An ordered relationship is renumbered if no position is free after the last one, loaded or not"
        ) { run in
            for isLoaded in [false, true] {
                let harness = SessionHarness(
                    coordinator: try run.coordinator(GameModel.classes, beside: "\(isLoaded)"))
                var changes = ChangeSet()
                changes.inserts = [
                    try harness.insertion(
                        "Game", [(5001, ["title": .string("Go"), "playerCount": .int(0)])]),
                    try harness.insertion(
                        "Round",
                        (5001...5002).map { ($0, ["number": .int($0 - 5000), "game": .int(5001)]) }),
                ]
                changes.links = [
                    try harness.relationship("rounds", of: "Game").change(
                        placing: zip(5001...5002, [Int64.max - 1, .max]).map {
                            RelatedRows.Link(owner: 5001, target: $0, position: $1)
                        })
                ]
                try harness.save(changes)
                let games = try Store(coordinator: harness.coordinator)
                run.registerForClosing(games)
                try await games.write("append") { context in
                    let go = try context.only(Game.self)
                    if isLoaded { try expectEqual(go.rounds.count, 2, "The rounds") }
                    for number in 3...4 { _ = Round(in: context, number: number, game: go) }
                }
                let numbers = try await games.read("look") { try $0.only(Game.self).rounds.map(\.number) }
                try expectEqual(numbers, [1, 2, 3, 4], "The rounds in their order")
            }
        }
    }
}
