import ContextCore
import Foundation

/// The objects that most cases fetch: two games with players, and one without.
///
/// | player | score | bonus | nick | speed | game |
/// | --- | --- | --- | --- | --- | --- |
/// | Ann | 12 | 3 | Ace | 1.5 | Go |
/// | Bob | 7 | – | – | – | Go |
/// | Cid | 12 | 0 | ace | -2.5 | Chess |
/// | Élan | -4 | 5 | x_%y | 0.25 | Chess |
/// | Eve | 0 | – | Äpfel | – | – |
enum GameWorld {
    static func fill(_ context: ObjectContext) throws {
        let paul = Person(in: context, name: "Paul")
        let mia = Employee(in: context, role: "clerk", salary: 1000)
        let max = Manager(in: context, budget: 5)
        (mia.name, max.name, max.role, max.salary) = ("Mia", "Max", "head", 2000.5)
        (mia.mentor, paul.mentor) = (max, mia)
        let go = Game(
            in: context, title: "Go", rating: 4.5, startedAt: date("2026-08-01T12:30:45Z"),
            price: Decimal(string: "19.99"))
        go.owner = paul
        let chess = Game(in: context, title: "Chess", startedAt: date("1969-12-31T23:59:59Z"), price: 5)
        chess.owner = mia
        let empty = Game(in: context, title: "Empty", rating: 1)
        go.fans = [paul, mia]
        chess.fans = [mia]
        empty.fans = []
        player("Ann", 12, 3, "Ace", 1.5, go, in: context)
        player("Bob", 7, nil, nil, nil, go, in: context)
        player("Cid", 12, 0, "ace", -2.5, chess, in: context)
        player("Élan", -4, 5, "x_%y", 0.25, chess, in: context)
        player("Eve", 0, nil, "Äpfel", nil, nil, in: context)
    }

    static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

    private static func player(
        _ name: String, _ score: Int, _ bonus: Int?, _ nick: String?, _ speed: Double?, _ game: Game?,
        in context: ObjectContext
    ) {
        let player = Player(in: context, name: name, nick: nick, score: score, bonus: bonus, speed: speed)
        player.game = game
        player.isActive = score > 0
    }
}

extension CaseRun {
    /// Opens a store with the objects of `GameWorld`.
    func games() async throws -> Store {
        let store = try await open()
        try await store.write("fill") { try GameWorld.fill($0) }
        return store
    }
}

extension Store {
    /// Expects that predicates select the objects with the given names, ordered by the names' bytes.
    func expectNames(
        _ results: [(predicate: String, names: [String])], of entity: String = "Player",
        by property: String? = nil, file: String = #fileID, line: Int = #line
    ) async throws {
        let label = property ?? (entity == "Game" ? "title" : "name")
        try await read("names") { context in
            for (predicate, names) in results {
                let request = FetchRequest<ManagedObject>(
                    entityName: entity, where: try FetchPredicate(predicate),
                    order: [SortKey(.path(PropertyPath([label])))])
                let found = try context.fetch(request).compactMap { object -> String? in
                    if case .string(let name) = try object[label] { name } else { nil }
                }
                try expectEqual(found, names, "What “\(predicate)” selects", file: file, line: line)
            }
        }
    }

    /// Expects that orders sort the players as given.
    func expectOrders(
        _ results: [(order: String, names: [String])], file: String = #fileID, line: Int = #line
    ) async throws {
        try await read("orders") { context in
            for (order, names) in results {
                let found = try context.find(Player.self, order: order).map(\.name)
                try expectEqual(found, names, "The order “\(order)”", file: file, line: line)
            }
        }
    }
}
