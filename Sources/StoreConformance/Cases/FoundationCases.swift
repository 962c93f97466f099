import ContextCore
import Foundation

extension Topic {
    /// Foundation's predicates and sort descriptors, which a store evaluates as Swift does.
    static let foundation: Topic = Topic("foundation") {
        Requirement("Foundation predicates: conditions, and optional chains that are nil") { run in
            try await run.games().expectPlayers([
                (#Predicate { $0.score > 10 && $0.game?.title == "Go" }, ["Ann"]),
                (#Predicate { $0.game?.owner?.name == "Paul" }, ["Ann", "Bob"]),
                (#Predicate { $0.game?.owner?.mentor?.name != "Mia" }, ["Cid", "Eve", "Élan"]),
                (#Predicate { $0.game == nil }, ["Eve"]),
                (#Predicate { $0.game != nil && !$0.isActive }, ["Élan"]),
                (#Predicate { $0.bonus == nil }, ["Bob", "Eve"]),
                (#Predicate { $0.bonus != 3 }, ["Bob", "Cid", "Eve", "Élan"]),
                (#Predicate { !($0.bonus == 3) }, ["Bob", "Cid", "Eve", "Élan"]),
                (#Predicate { !($0.game?.title == "Go") }, ["Cid", "Eve", "Élan"]),
            ])
        }
        Requirement("Foundation predicates: nil coalescing and conditional expressions") { run in
            // The predicate under test contains a forced unwrap.
            // swift-format-ignore: NeverForceUnwrap
            let unwrapped = #Predicate<Player> { $0.nick != nil && $0.nick! == "Ace" }
            try await run.games().expectPlayers([
                (#Predicate { ($0.bonus ?? 9) == 9 }, ["Bob", "Eve"]),
                (#Predicate { ($0.bonus ?? 0) > 2 }, ["Ann", "Élan"]),
                (#Predicate { ($0.nick ?? $0.name) == "Bob" }, ["Bob"]),
                (#Predicate { ($0.score > 7 ? 1 : $0.score) == 1 }, ["Ann", "Cid"]),
                (#Predicate { ($0.isActive ? $0.score : -$0.score) == 4 }, ["Élan"]),
                (#Predicate { $0.nick?.contains("c") == true }, ["Ann", "Cid"]),
                (#Predicate { $0.nick?.contains("c") ?? true }, ["Ann", "Bob", "Cid"]),
                (#Predicate { !($0.nick?.contains("c") ?? false) }, ["Bob", "Eve", "Élan"]),
                (#Predicate { !($0.nick?.contains("c") == true) }, ["Bob", "Eve", "Élan"]),
                (unwrapped, ["Ann"]),
            ])
        }
        Requirement("Foundation predicates: texts, ranges, lists and arithmetic") { run in
            let names = ["Ann", "Eve", "Nobody"]
            try await run.games().expectPlayers([
                (#Predicate { names.contains($0.name) }, ["Ann", "Eve"]),
                (#Predicate { (0...7).contains($0.score) }, ["Bob", "Eve"]),
                (#Predicate { $0.name.contains("n") }, ["Ann", "Élan"]),
                (#Predicate { $0.name.starts(with: "É") }, ["Élan"]),
                (#Predicate { $0.score % 5 == 2 }, ["Ann", "Bob", "Cid"]),
                (#Predicate { $0.score / 2 == -2 }, ["Élan"]),
                (#Predicate { $0.score * 2 - 1 == 13 }, ["Bob"]),
                (#Predicate { _ in false }, []),
            ])
        }
        Requirement("Foundation predicates over relationships") { run in
            let games = try await run.games()
            let results: [(Foundation.Predicate<Game>, [String])] = [
                (#Predicate { $0.players.contains { $0.score > 10 } }, ["Chess", "Go"]),
                (#Predicate { $0.players.allSatisfy { $0.score > 0 } }, ["Empty", "Go"]),
                (#Predicate { $0.players.count == 2 }, ["Chess", "Go"]),
                (#Predicate { $0.players.filter { $0.score > 0 }.count == 1 }, ["Chess"]),
                (#Predicate { $0.fans.isEmpty }, ["Empty"]),
                (#Predicate { game in game.players.contains { $0.name < game.title } }, ["Go"]),
            ]
            try await games.read("ask") { context in
                for (number, (predicate, titles)) in results.enumerated() {
                    let request = FetchRequest<Game>(
                        where: try FetchPredicate(predicate), order: [try SortKey("title")])
                    try expectEqual(
                        try context.fetch(request).map(\.title), titles, "What predicate \(number) selects")
                }
            }
        }
        Requirement("Foundation sort descriptors, also with pending objects") { run in
            let games = try await run.games()
            try await games.makeBackgroundContext().perform { context in
                _ = Player(in: context, name: "Zoe", score: 7)
                func names(_ descriptors: SortDescriptor<Player>...) throws -> [String] {
                    try context.fetch(FetchRequest<Player>(order: descriptors.map { try SortKey($0) })).map(
                        \.name)
                }
                try expectEqual(
                    try names(
                        SortDescriptor(\.score, order: .reverse), SortDescriptor(\.name, comparator: .lexical)
                    ),
                    ["Ann", "Cid", "Bob", "Zoe", "Eve", "Élan"], "The names by score")
                try expectEqual(
                    try names(
                        SortDescriptor(\.bonus), SortDescriptor(\.name, comparator: .lexical, order: .reverse)
                    ),
                    ["Zoe", "Eve", "Bob", "Cid", "Ann", "Élan"], "The names by bonus")
            }
        }
    }
}

extension Store {
    /// Expects that Foundation's predicates select the players with the given names, ordered by the names' bytes.
    fileprivate func expectPlayers(
        _ results: [(Foundation.Predicate<Player>, [String])], file: String = #fileID, line: Int = #line
    ) async throws {
        try await read("ask") { context in
            for (predicate, names) in results {
                let converted = try FetchPredicate(predicate)
                let request = FetchRequest<Player>(where: converted, order: [try SortKey("name")])
                try expectEqual(
                    try context.fetch(request).map(\.name), names, "What “\(converted)” selects", file: file,
                    line: line)
            }
        }
    }
}
