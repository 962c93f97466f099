import ContextCore
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Many objects of every type with few different values, so that sort orders have nulls and ties.
enum PagingModel {
    static let model = """
        {"entities":{\
        "Game":{"attributes":{"title":{"type":"string"}},"relationships":{\
        "fans":{"inverse":"favourites","to":"Player","toMany":true},\
        "players":{"inverse":"game","to":"Player","toMany":true},\
        "winners":{"inverse":"wonGame","ordered":true,"to":"Player","toMany":true}}},\
        "Person":{"attributes":{"name":{"type":"string"}},"indexes":[{"properties":["name"]}]},\
        "Player":{"attributes":{"bonus":{"optional":true,"type":"int32"},"born":{"optional":true,"type":"date"},\
        "isActive":{"optional":true,"type":"bool"},"level":{"type":"int16"},"nick":{"optional":true,"type":"string"},\
        "price":{"optional":true,"precision":10,"scale":2,"type":"decimal"},"speed":{"optional":true,"type":"float"},\
        "token":{"optional":true,"type":"uuid"},"weight":{"optional":true,"type":"double"}},\
        "relationships":{"favourites":{"inverse":"fans","ordered":true,"to":"Game","toMany":true},\
        "game":{"inverse":"players","optional":true,"to":"Game"},\
        "wonGame":{"inverse":"winners","optional":true,"to":"Game"}},"superentity":"Person"}},"format":1}
        """

    /// The sort keys of random orders.
    static let keys = [
        "bonus", "born", "game.title", "isActive", "level", "level * 2 + bonus", "name", "name[cd]", "nick",
        "nick[c]",
        "price", "speed", "token", "weight", "favourites.@count",
    ]

    static func randomOrder(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let direction = ["", " desc"].randomElement(using: &random) ?? ""
            let nulls = ["", " nulls first", " nulls last"].randomElement(using: &random) ?? ""
            return (keys.randomElement(using: &random) ?? "name") + direction + nulls
        }.joined(separator: ", ")
    }

    /// The export of a store with players of three games.
    static func export(players: Int, _ random: inout SeededRandom) -> String {
        var lines = ["{\"model\":\(model),\"schema\":\"storectl.export/1\"}"]
        let keys = (0..<players).map { 10 + $0 * 3 }
        let winners = Dictionary(grouping: keys.filter { _ in Bool.random(using: &random) }) { $0 % 2 + 1 }
        for game in 1...3 {
            let list = (winners[game] ?? []).shuffled(using: &random).map(String.init)
            let links = list.isEmpty ? "" : "\"winners\":[\(list.joined(separator: ","))]"
            lines.append(
                """
                {"entity":"Game","id":\(game),"to":{\(links)},"values":{"title":"\(["b", "a", "É"][game - 1])"},"version":1}
                """)
        }
        for key in keys {
            let wonGame = winners.first { $0.value.contains(key) }?.key
            lines.append(player(key, wonGame: wonGame, &random))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func player(_ key: Int, wonGame: Int?, _ random: inout SeededRandom) -> String {
        // The bytes of these texts have another order than their letters or their UTF-16 code units.
        let texts = ["", "a", "A", "Zoë", "Zoe", "é", "e\u{301}", "日本", "\u{1F600}", "\u{FFFD}", "o'\\\"n"]
        let pools: [(String, [String])] = [
            ("bonus", ["-1", "0", "7"]),
            ("born", [#""1990-01-01T00:00:00Z""#, #""2026-08-01T12:00:00.250001Z""#]),
            ("isActive", ["true", "false"]), ("nick", texts.map { "\"\($0)\"" }),
            ("price", ["12.5", "-3", "0.01"]),
            ("speed", ["0.1", "1.5", "-2"]),
            (
                "token",
                [#""6F1B2C7E-0000-4000-8000-000000000001""#, #""EF1B2C7E-0000-4000-8000-000000000001""#]
            ), ("weight", ["0.1", "-1e300", "3"]),
        ]
        var values = [
            "\"level\":\(Int.random(in: -1...1, using: &random))",
            "\"name\":\"\(texts.randomElement(using: &random) ?? "")\"",
        ]
        for (name, pool) in pools where Int.random(in: 0..<4, using: &random) > 0 {
            values.append("\"\(name)\":\(pool.randomElement(using: &random) ?? "null")")
        }
        var references = wonGame.map { ["\"wonGame\":\($0)"] } ?? []
        if Bool.random(using: &random) {
            references.append("\"game\":\(Int.random(in: 1...3, using: &random))")
        }
        let favourites = [1, 2, 3].shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
        if !favourites.isEmpty {
            references.append("\"favourites\":[\(favourites.map(String.init).joined(separator: ","))]")
        }
        return """
            {"entity":"Player","id":\(key),"to":{\(references.joined(separator: ","))},\
            "values":{\(values.joined(separator: ","))},"version":1}
            """
    }
}

extension AdminBench {
    /// Creates a store with random players.
    func makePlayers(_ place: TestPlace, count: Int, _ random: inout SeededRandom) throws {
        try write(PagingModel.export(players: count, &random), to: "players.jsonl")
        variables["STORECTL_URL"] = place.freshURL()
        let outcome = run("data", "import", "players.jsonl")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    /// Reads all pages of a call, from the first one on, or backward from the last one.
    ///
    /// - Returns: The rows of each page, in the order in which the pages were read, and the cursors of both sides of each.
    func pages(_ words: [String], from cursor: [String] = [], by member: String) throws -> [[JSONValue]] {
        var pages: [[JSONValue]] = []
        var cursor = cursor
        while true {
            let page = try json(words + cursor)
            pages.append(try #require(page["rows"]?.elements))
            guard let text = page[member]?.stringValue else { return pages }
            cursor = [member == "next" ? "--after" : "--before", text]
            try #require(pages.count < 1000)
        }
    }
}
