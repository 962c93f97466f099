import ContextCore

extension Topic {
    /// Windowed results controllers, live values, results with snapshots, and messages of contexts.
    static let live: Topic = Topic("live") {
        Requirement("A controller with a window has the window's rows, also after moves and changes") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                context.automaticallyMergesChanges = true
                let list = try FetchedResultsController(
                    Player.self, order: .ascending(\.name), window: 1..<3, in: context)
                var steps: [ResultsStep] = []
                list.onChange = { steps += $0.steps }
                try expectEqual(list.objects.map(\.name), ["Bob", "Cid"], "The window")
                try expectEqual(list.totalCount, 5, "All rows")
                _ = Player(in: context, name: "Abe", score: 1)
                context.processPendingChanges()
                try expectEqual(list.objects.map(\.name), ["Ann", "Bob"], "The window after an insertion")
                try expectEqual(list.totalCount, 6, "All rows after an insertion")
                try list.move(to: 4..<10)
                try expectEqual(list.objects.map(\.name), ["Eve", "Élan"], "The window at the end")
                try list.move(to: 20..<30)
                try expectEqual(list.count, 0, "The rows past the end")
                steps = []
                context.delete(try context.only(Player.self, "name = 'Eve'"))
                context.processPendingChanges()
                try expectEqual(list.totalCount, 5, "All rows after a deletion")
                try expect(steps.isEmpty, "Changes outside of the window yield no step")
            }
        }
        Requirement("A controller with a window has sections, and obeys the request's limit") { run in
            let games = try await run.games()
            try await games.read("look") { context in
                let request = FetchRequest<Player>(order: try SortKey.keys("name"), limit: 4)
                let list = try FetchedResultsController(
                    request, sections: "game.title", window: 1..<9, in: context)
                try expectEqual(list.sections.map(\.name), ["Chess", "Go"], "The sections")
                try expectEqual(list.objects.map(\.name), ["Cid", "Élan", "Ann"], "The rows")
                try expectEqual(list.totalCount, 4, "All rows of the request")
            }
        }
        Requirement("Live values equal the aggregates, whichever context makes changes") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            let sums = try await editor.perform { context in
                context.automaticallyMergesChanges = true
                let count = try LiveValue(Player.self, .count(), where: \.score > 5, in: context)
                let best = try LiveValue(Player.self, .maximum(\.score), in: context)
                let ofGo = try LiveValue(
                    Player.self, .sum(\.score), where: \.game?.title == "Go", in: context)
                func expectRight() throws {
                    context.processPendingChanges()
                    try expectEqual(
                        count.value, try context.count(Player.self, where: \.score > 5), "The count")
                    try expectEqual(best.value, try context.maximum(\Player.score), "The best")
                    try expectEqual(
                        ofGo.value, try context.sum(\Player.score, where: \.game?.title == "Go"), "The sum")
                }
                try expectRight()
                try context.only(Player.self, "name = 'Bob'").score = 50
                try expectRight()
                try expectEqual(ofGo.value, 62, "The sum with pending changes")
                try context.save()
                try context.only(Game.self, "title = 'Chess'").title = "Xiangqi"
                try context.only(Game.self, "title = 'Go'").title = "Chess"
                try expectRight()
                context.rollback()
                try expectRight()
                context.delete(try context.only(Player.self, "name = 'Ann'"))
                try expectRight()
                try context.save()
                return ofGo.values
            }
            var iterator = sums.makeAsyncIterator()
            try expectEqual(await iterator.next(), 50, "The sum at first")
            try await games.write("others") { try $0.only(Player.self, "name = 'Bob'").score = 7 }
            try expectEqual(await iterator.next(), 7, "The sum after another context's save")
            try await games.write("others") { context in
                try context.batchUpdate(Player.self, where: \.name == "Bob", .set(\.score, to: 8))
            }
            try expectEqual(await iterator.next(), 8, "The sum after a batch")
        }
        Requirement("Results include snapshots of their objects, for use in another isolation domain") {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            let rows = try await editor.perform { context in
                context.automaticallyMergesChanges = true
                return try FetchedResultsController(
                    Player.self, where: \.score > 5, order: .ascending(\.name), in: context
                ).rows()
            }
            var (iterator, scores): (ResultsRows<Player>.Iterator, [ObjectID: Int]) = (
                rows.makeAsyncIterator(), [:]
            )
            func nextScores() async throws -> [Int?] {
                let change = try require(await iterator.next(), "A difference")
                for (id, player) in change.rows { scores[id] = player.score }
                return change.difference.snapshot.objectIDs.map { scores[$0] }
            }
            try expectEqual(try await nextScores(), [12, 7, 12], "The scores at first")
            try await games.write("one") { try $0.only(Player.self, "name = 'Bob'").score = 8 }
            try expectEqual(try await nextScores(), [12, 8, 12], "The scores after a change")
            // While the iterator isn't read, some players enter and leave the results, and some stay.
            for number in 1...5 {
                try await games.write("many") { context in
                    try context.only(Player.self, "name = 'Eve'").score = number % 2 == 0 ? 0 : 100 + number
                    try context.only(Player.self, "name = 'Ann'").score = number % 2 == 0 ? 20 : 0
                }
                try await editor.perform { try $0.mergeStoreChanges() }
            }
            try expectEqual(try await nextScores(), [8, 12, 105], "The scores after many changes")
        }
        Requirement(
            "Streams of a context deliver their pending element and finish when the context is deallocated"
        ) { run in
            let games = try await run.games()
            let (sums, rows, changes) = try await games.makeBackgroundContext().perform { context in
                context.automaticallyMergesChanges = true
                let list = try FetchedResultsController(Player.self, order: .ascending(\.name), in: context)
                return (
                    try LiveValue(Player.self, .sum(\.score), in: context).values, try list.rows(),
                    list.changes
                )
            }
            // The context is deallocated at the end of the preceding block.
            try await games.write("others") { try $0.only(Player.self, "name = 'Bob'").score = 8 }
            var counts = (0, 0, 0)
            for await _ in sums { counts.0 += 1 }
            for await _ in rows { counts.1 += 1 }
            for await _ in changes { counts.2 += 1 }
            try expect(counts == (1, 1, 1), "Each stream has delivered one element and finished")
        }
        Requirement("A controller reports updates only of rows whose objects have changed") { run in
            let games = try await run.games()
            try await games.write("rate") { context in
                let list = try FetchedResultsController(
                    Player.self, order: .ascending(\.game?.title), .ascending(\.name), in: context)
                var steps: [ResultsStep] = []
                list.onChange = { steps += $0.steps }
                try context.only(Game.self, "title = 'Go'").rating = 5
                context.processPendingChanges()
                try expect(
                    steps.isEmpty, "A change of a related object that doesn't affect the order yields no step"
                )
                try context.only(Player.self, "name = 'Ann'").score = 13
                context.processPendingChanges()
                try expectEqual(steps.count, 1, "The number of steps")
                try context.only(Game.self, "title = 'Go'").title = "Baduk"
                context.processPendingChanges()
                try expectEqual(list.objects.map(\.name), ["Eve", "Ann", "Bob", "Cid", "Élan"], "The order")
            }
        }
        Requirement("A list reports no update of an object whose derived attributes keep their values") {
            run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext()
            let updates = try await editor.perform { context in
                let list = try FetchedResultsController(Game.self, order: .ascending(\.title), in: context)
                var updates: [String] = []
                list.onChange = { difference in
                    updates += difference.steps.map { "\($0)" }
                }
                _ = list.objects.map(\.playerCount)
                try context.only(Player.self, "name = 'Ann'").name = "Anna"
                try context.save()
                context.processPendingChanges()
                return updates
            }
            try expectEqual(updates, [], "The steps of the list of games")
        }
        Requirement("A context posts messages about its saves and changes, with identifiers") { run in
            let games = try await run.games()
            let editor = games.makeBackgroundContext(name: "editor")
            let (before, after, changes) = try await editor.perform { context in
                context.automaticallyMergesChanges = true
                return (
                    context.messages(.willSave), context.messages(.didSave),
                    context.messages(.objectsDidChange)
                )
            }
            let ids = try await editor.perform { context in
                let flo = Player(in: context, name: "Flo", score: 1)
                let gone = Player(in: context, name: "Gil")
                let ann = try context.only(Player.self, "name = 'Ann'")
                let bob = try context.only(Player.self, "name = 'Bob'")
                ann.score = 1
                context.delete(bob)
                context.delete(gone)
                try context.save()
                return [flo, ann, bob].map(\.objectID)
            }
            for (messages, kind) in [
                (before, ContextMessage.Kind.willSave), (after, .didSave), (changes, .objectsDidChange),
            ] {
                var iterator = messages.makeAsyncIterator()
                let message = try require(await iterator.next(), "A message of \(kind)")
                try expectEqual(message.kind, kind, "The kind")
                try expectEqual(message.contextName, "editor", "The context's name")
                try expectEqual(message.inserted, [ids[0]], "The inserted objects of \(kind)")
                try expect(
                    message.updated.contains(ids[1]), "The updated objects of \(kind) include the changed one"
                )
                try expectEqual(message.deleted, [ids[2]], "The deleted objects of \(kind)")
            }
            let id = try await games.write("others") { context in
                let hal = Player(in: context, name: "Hal")
                try context.obtainPermanentIDs(for: [hal])
                try context.only(Player.self, "name = 'Cid'").score = 2
                return hal.objectID
            }
            var iterator = changes.makeAsyncIterator()
            let merged = try require(await iterator.next(), "A message about the other context's save")
            try expectEqual(merged.inserted, [id], "The objects that the other context inserted")
            try expectEqual(merged.updated.count, 1, "The number of objects that the other context changed")
        }
        Requirement("A child posts didSave for saveToStore only after the store has saved") { run in
            let games = try await run.games()
            let messages = try await games.makeBackgroundContext(name: "editor").perform { context in
                let child = context.makeChild(name: "child")
                let messages = child.messages(.didSave)
                let game = Game(in: child, title: "Go")
                try expectError(.duplicate) { try child.saveToStore() }
                game.title = "Baduk"
                try child.saveToStore()
                return messages
            }
            var inserted: [[ObjectID]] = []
            for await message in messages { inserted.append(message.inserted) }
            try expectEqual(inserted.map(\.count), [1], "The new objects of each message")
        }
        Requirement("A save that fails posts willSave, but not didSave") { run in
            let games = try await run.games()
            let (before, after) = try await games.makeBackgroundContext(name: "editor").perform { context in
                let game = Game(in: context, title: "Go")
                let messages = (context.messages(.willSave), context.messages(.didSave))
                try expectError(.duplicate) { try context.save() }
                try expect(game.objectID.isTemporary, "The new object has a temporary identifier again")
                game.title = "Baduk"
                try context.save()
                return messages
            }
            // The context is deallocated, so both streams finish.
            for (messages, count) in [(before, 2), (after, 1)] {
                var inserted = 0
                for await message in messages { inserted += message.inserted.count }
                try expectEqual(inserted, count, "The new objects of the messages")
            }
        }
    }
}
