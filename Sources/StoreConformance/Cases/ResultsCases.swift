import ContextCore

extension Topic {
    /// What controllers of results hold and tell.
    static let results: Topic = Topic("results") {
        Promise("A controller has its rows in the order of a fetch, whatever they are ordered by") { trial in
            let games = try await trial.games()
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
        Promise("Sections come and go with their rows, and follow what a relationship leads to") { trial in
            let games = try await trial.games()
            try await games.makeContext().perform { context in
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
        Promise("A controller follows what others save, and the request isn't run again") { trial in
            let games = try await trial.games()
            let editor = games.makeContext()
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
        Promise("A controller follows batches, its own context's and others'") { trial in
            let games = try await trial.games()
            try await games.makeContext().perform { context in
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
        Promise("A limit holds whatever comes and goes") { trial in
            let games = try await trial.games()
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
        Promise("What a child saves comes to the controllers above, as pending changes") { trial in
            let games = try await trial.games()
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

/// A controller of players, and a list of their names by section that its steps are carried out on.
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
        case .delete(_, let place): sections[place.section].ids.remove(at: place.row)
        case .insertSection(let section, let index): sections.insert((section.name, []), at: index)
        case .move(let id, let from, let to):
            sections[from.section].ids.remove(at: from.row)
            sections[to.section].ids.insert(id, at: to.row)
        case .insert(let id, let place): sections[place.section].ids.insert(id, at: place.row)
        case .deleteSection(_, let index): sections.remove(at: index)
        case .update: break
        }
    }

    /// Expects names by section, of the controller and of what it has told.
    func expect(_ names: KeyValuePairs<String, [String]>, file: String = #fileID, line: Int = #line) throws {
        try expectEqual(sections.map(\.name), names.map(\.key), "The sections", file: file, line: line)
        let told = try sections.map { try $0.ids.map { try context.object(with: $0, as: Player.self).name } }
        try expectEqual(told, names.map(\.value), "What was told", file: file, line: line)
        try expectEqual(
            controller.objects.map(\.name), names.flatMap(\.value), "The objects", file: file, line: line)
    }

    /// Expects the objects of a fetch, in its order.
    func expectFetched(file: String = #fileID, line: Int = #line) throws {
        let order = request.order.map { "\($0)" }.joined(separator: ", ")
        let fetched = try context.fetch(request).map(\.objectID)
        let found = controller.snapshot.objectIDs
        try expectEqual(Set(found), Set(fetched), "The players", file: file, line: line)
        try expectEqual(sections.flatMap(\.ids), found, "What was told", file: file, line: line)
        if controller.sections.count == 1 {
            try expectEqual(found, fetched, "The order by \(order)", file: file, line: line)
        }
    }
}

extension Store {
    /// The names of the players of a list.
    fileprivate func names(_ difference: ResultsDifference?) async throws -> [String] {
        let ids = try require(difference, "A difference").snapshot.objectIDs
        return try await read("names") { context in
            try ids.map { try context.object(with: $0, as: Player.self).name }
        }
    }
}
