import ContextCore

extension Topic {
    /// The objects, sections and changes of fetched results controllers.
    static let results: Topic = Topic("results") {
        Requirement("A controller sorts its objects like a fetch, for every kind of sort key") { run in
            let games = try await run.games()
            try await games.write("look") { context in
                for order in [
                    "name", "nick DESC", "nick NULLS LAST", "speed", "bonus DESC NULLS FIRST, name",
                    "isActive, score",
                    "game.price DESC", "game.startedAt, nick", "game",
                ] {
                    let list = try List(order, in: context)
                    try list.expectFetched()
                    for player in list.controller.objects {
                        let (nick, speed, bonus) = (player.nick, player.speed, player.bonus)
                        player.nick = nick.map { $0 + "\u{E9}" } ?? "a"
                        player.speed = speed.map { -$0 }
                        player.bonus = bonus == nil ? 7 : nil
                        player.game = player.score > 0 ? nil : player.game
                        context.processPendingChanges()
                        try list.expectFetched()
                    }
                    context.rollback()
                    try list.expectFetched()
                }
            }
        }
        Requirement("Sections appear and disappear with their objects, and follow changes of related objects")
        {
            run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                let list = try List("name", sections: "game.title", in: context)
                try list.expect(["": ["Eve"], "Chess": ["Cid", "Élan"], "Go": ["Ann", "Bob"]])
                let go = try context.only(Game.self, "title = 'Go'")
                go.title = "Baduk"
                try context.save()
                try list.expect(["": ["Eve"], "Baduk": ["Ann", "Bob"], "Chess": ["Cid", "Élan"]])
                try context.only(Player.self, "name = 'Eve'").game = go
                try context.only(Player.self, "name = 'Bob'").game = nil
                try context.save()
                try list.expect(["": ["Bob"], "Baduk": ["Ann", "Eve"], "Chess": ["Cid", "Élan"]])
                context.delete(go)
                context.processPendingChanges()
                try list.expect(["": ["Bob"], "Chess": ["Cid", "Élan"]])
                context.rollback()
                try list.expect(["": ["Bob"], "Baduk": ["Ann", "Eve"], "Chess": ["Cid", "Élan"]])
                try list.expectFetched()
            }
        }
        Requirement("A controller follows saves of other contexts without fetching again") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            let changes = try await editor.perform { context in
                context.automaticallyMergesChanges = true
                let request = FetchRequest<Player>(
                    where: try FetchPredicate("score > 5 AND game.rating > 1"),
                    order: try SortKey.keys("score DESC, name"))
                return try FetchedResultsController(request, in: context).changes
            }
            var iterator = changes.makeAsyncIterator()
            var names = try await games.names(await iterator.next())
            try expectEqual(names, ["Ann", "Bob"], "The names at first")
            try await games.write("join") { context in
                let go = try context.only(Game.self, "title = 'Go'")
                _ = Player(in: context, name: "Flo", score: 10, game: go)
                try context.only(Player.self, "name = 'Ann'").score = 8
                context.delete(try context.only(Player.self, "name = 'Bob'"))
            }
            let second = try require(await iterator.next(), "A difference")
            names = try await games.names(second)
            try expectEqual(names, ["Flo", "Ann"], "The names after a save")
            try expectEqual(second.steps.count, 3, "The number of steps")
            try await games.write("rate") { try $0.only(Game.self, "title = 'Chess'").rating = 2 }
            names = try await games.names(await iterator.next())
            try expectEqual(names, ["Cid", "Flo", "Ann"], "The names after a change of a game")
        }
        Requirement("A controller follows batches of its context") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                context.automaticallyMergesChanges = true
                let list = try List("score DESC, name", where: "score > 5", in: context)
                try list.expect(["": ["Ann", "Cid", "Bob"]])
                try context.batchUpdate(Player.self, where: \.name == "Eve", .set(\.score, to: 100))
                try list.expect(["": ["Eve", "Ann", "Cid", "Bob"]])
                try context.batchDelete(Game.self, where: \.title == "Go")
                try list.expect(["": ["Eve", "Cid"]])
                try context.batchInsert(Player.self, from: ["Gil", "Hal"]) {
                    [.set(\.name, to: $0), .set(\.score, to: 50)]
                }
                try list.expect(["": ["Eve", "Gil", "Hal", "Cid"]])
                try list.expectFetched()
            }
        }
        Requirement("A controller's limit holds when objects are inserted and deleted") { run in
            let games = try await run.games()
            try await games.write("limit") { context in
                let list = try List("score DESC, name", limit: 2, in: context)
                try list.expect(["": ["Ann", "Cid"]])
                try context.only(Player.self, "name = 'Ann'").score = -100
                _ = Player(in: context, name: "Flo", score: 12)
                try context.save()
                try list.expect(["": ["Cid", "Flo"]])
                context.delete(try context.only(Player.self, "name = 'Cid'"))
                try context.save()
                try list.expect(["": ["Flo", "Bob"]])
            }
        }
        Requirement("Controllers of a parent show a child's save as pending changes") { run in
            let games = try await run.games()
            try await games.write("nested") { context in
                let list = try List("name", where: "score >= 0", in: context)
                let child = context.makeChild()
                let below = try List("name", where: "score >= 0", in: child)
                try child.only(Player.self, "name = 'Ann'").score = -1
                _ = Player(in: child, name: "Flo", score: 1)
                try list.expect(["": ["Ann", "Bob", "Cid", "Eve"]])
                try child.save()
                for list in [list, below] { try list.expect(["": ["Bob", "Cid", "Eve", "Flo"]]) }
                try list.expectFetched()
            }
        }
    }
}

/// A controller of players, and a list of identifiers by section that is updated only with the controller's steps.
private final class List {
    let controller: FetchedResultsController<Player>
    private let context: ObjectContext
    private let request: FetchRequest<Player>
    private var sections: [(name: String, ids: [ObjectID])] = []

    init(
        _ order: String, where predicate: String? = nil, sections: PropertyPath? = nil, limit: Int? = nil,
        in context: ObjectContext
    ) throws {
        request = FetchRequest(
            where: try predicate.map { try FetchPredicate($0) }, order: try SortKey.keys(order), limit: limit)
        self.context = context
        controller = try FetchedResultsController(request, sections: sections, in: context)
        let snapshot = controller.snapshot
        self.sections = snapshot.sections.indices.map { index in
            (snapshot.sections[index].name, snapshot.objectIDs(inSection: index))
        }
        controller.onChange = { [weak self] difference in
            for step in difference.steps { self?.apply(step) }
        }
    }

    private func apply(_ step: ResultsStep) {
        switch step {
        case .delete(_, let position): sections[position.section].ids.remove(at: position.row)
        case .insertSection(let section, let index): sections.insert((section.name, []), at: index)
        case .move(let id, let from, let to):
            sections[from.section].ids.remove(at: from.row)
            sections[to.section].ids.insert(id, at: to.row)
        case .insert(let id, let position): sections[position.section].ids.insert(id, at: position.row)
        case .deleteSection(_, let index): sections.remove(at: index)
        case .update: break
        }
    }

    /// Expects names by section, both of the controller and of the list that follows its steps.
    func expect(_ names: KeyValuePairs<String, [String]>, file: String = #fileID, line: Int = #line) throws {
        try expectEqual(sections.map(\.name), names.map(\.key), "The sections", file: file, line: line)
        let listed = try sections.map {
            try $0.ids.map { try context.object(with: $0, as: Player.self).name }
        }
        try expectEqual(listed, names.map(\.value), "The list after the steps", file: file, line: line)
        try expectEqual(
            controller.objects.map(\.name), names.flatMap(\.value), "The objects", file: file, line: line)
    }

    /// Expects that the controller and the list have the objects of a fetch, in its order.
    func expectFetched(file: String = #fileID, line: Int = #line) throws {
        let order = request.order.map { "\($0)" }.joined(separator: ", ")
        let fetched = try context.fetch(request).map(\.objectID)
        let found = controller.snapshot.objectIDs
        try expectEqual(Set(found), Set(fetched), "The players", file: file, line: line)
        try expectEqual(sections.flatMap(\.ids), found, "The list after the steps", file: file, line: line)
        if controller.sections.count == 1 {
            try expectEqual(found, fetched, "The order by \(order)", file: file, line: line)
        }
    }
}

extension Store {
    /// Returns the names of the players in a difference's snapshot.
    fileprivate func names(_ difference: ResultsDifference?) async throws -> [String] {
        let ids = try require(difference, "A difference").snapshot.objectIDs
        return try await read("names") { context in
            try ids.map { try context.object(with: $0, as: Player.self).name }
        }
    }
}
