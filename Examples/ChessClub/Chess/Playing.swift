import ContextCore
import Model

/// Saves the result that the ratings suggest, and returns it as a text.
func enterResult(of id: ObjectID, in store: Store) async throws -> String {
    try await store.write { context in
        let game = try context.object(with: id, as: Game.self)
        switch game.white.member.rating - game.black.member.rating {
        case 150...: (game.result, game.white.score) = (.white, game.white.score + 1)
        case ...(-150): (game.result, game.black.score) = (.black, game.black.score + 1)
        default:
            game.result = .draw
            game.white.score += 0.5
            game.black.score += 0.5
        }
        return "\(game.white.member.name) – \(game.black.member.name): \(game.result)"
    }
}

/// Makes all games open again, and returns their identifiers.
func startOver(_ store: Store) async throws -> [ObjectID] {
    try await store.write { context in
        try context.batchUpdate(Game.self, .set(\.result, to: .open))
        try context.batchUpdate(Entry.self, .set(\.score, to: 0))
        return try context.first(Tournament.self)?.games.map(\.objectID) ?? []
    }
}

/// Plays all games, and prints what changes in the standings.
@MainActor func play(_ store: Store) async throws {
    var games = try await startOver(store).makeIterator()
    let context = store.viewContext
    let standings = try FetchedResultsController(
        Entry.self, order: .descending(\.score), .ascending(\.member.name), in: context)
    let open = try LiveValue(Game.self, .count(), where: \.result == .open, in: context)

    for await difference in standings.changes {
        for step in difference.steps {
            guard let id = step.objectID else { continue }
            let entry = try context.object(with: id, as: Entry.self)
            let text = "\(entry.member.name) \(entry.score)"
            switch step {
            case .insert(_, let place): print("   row \(place.row) is new:", text)
            case .move(_, let old, let new): print("   row \(old.row) moves to \(new.row):", text)
            case .update(_, let place): print("   row \(place.row) has changed:", text)
            default: break
            }
        }
        guard let game = games.next() else { break }
        print(try await enterResult(of: game, in: store))
    }
    print(standings.objects.map { "\($0.member.name) \($0.score)" }, "open games:", open.value)
}
