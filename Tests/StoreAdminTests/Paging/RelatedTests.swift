import ContextCore
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Members of relationships: `related`, and their beginning in `get`.
struct RelatedTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func keys(_ rows: [JSONValue]) -> [Int] { rows.compactMap { $0["id"].intValue } }

    @Test(arguments: TestPlace.available)
    func `The pages of a relationship are all members in its order, forward and backward`(place: TestPlace)
        throws
    {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        try bench.makePlayers(place, count: 30, &random)
        let reference = try bench.tool.store(nil, config: nil)
        for (object, relationship) in [
            ("Game:1", "players"), ("Game:1", "winners"), ("Game:2", "winners"), ("Game:2", "fans"),
            ("Game:3", "winners"), ("Player:10", "favourites"), ("Person:13", "favourites"),
        ] {
            let expected = try reference.read("test") { session, model in
                let row = try ObjectReference(object).row(session, model)
                let layout = model.layouts[row.entityIndex(at: 0)]
                let slot = try #require(layout.property(named: relationship)).slot
                let plan = RelatedPlan(
                    entityIndex: layout.index, slot: slot, owners: [row.key(at: 0)], includesRows: false)
                return try session.related(plan).links.map { Int($0.target) }
            }
            let size = Int.random(in: 1...7, using: &random)
            let words = ["related", object, relationship, "--limit", "\(size)"]
            let comment = "seed \(seed): \(words)"
            let forward = try bench.pages(words, by: "next")
            #expect(keys(forward.flatMap(\.self)) == expected, "\(comment)")
            var page = try bench.json(words)
            #expect(page["count"] == .int(expected.count) && page["previous"] == .null, "\(comment)")
            var cursor: String?
            while let next = page["next"]?.stringValue {
                cursor = next
                page = try bench.json(words + ["--after", next])
            }
            guard let cursor else { continue }
            let backward = try bench.pages(words, from: ["--after", cursor], by: "previous")
            #expect(keys(backward.reversed().flatMap(\.self)) == expected, "\(comment)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `Related shows the members as a table, in the order of the relationship`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(
            bench.run("related", "Game:1", "rounds").output == """
                id  game    number
                ──  ──────  ──────
                 2  Game:1       2
                 1  Game:1       1

                """)
        #expect(bench.run("related", "Person:1", "favourites", "-o", "csv").output.contains("\r\n5,"))
        #expect(bench.run("related", "Game:5", "players").output == "no objects\n")
        let one = bench.run("related", "Game:1", "rounds", "-n", "1").output
        #expect(one.contains(" shows more.\n") && one.contains("--after "))
        let json = try bench.json("related", "Game:1", "fans", "-n", "1")
        #expect(json["schema"] == .string("storectl.related/1") && json["count"] == .int(2))
        #expect(json["entity"] == .string("Player") && json["object"] == .string("Game:1"))
        #expect(json["relationship"] == .string("fans"))
    }

    @Test(
        arguments: [
            (
                ["related", "Game:1", "player"], ExitCode.usage, "Game has no to-many relationship “player”.",
                "Did you mean players?"
            ),
            (
                ["related", "Player:1", "game"], .usage, "Player has no to-many relationship “game”.",
                "relationships are"
            ),
            (
                ["related", "Round:1", "game"], .usage, "Round has no to-many relationship “game”.",
                "It has none at all"
            ),
            (
                ["related", "Game:9", "players"], .inputMissing, "There is no object Game:9.",
                "storectl query Game"
            ),
            (["related", "Game:1"], .usage, "RELATIONSHIP", ""),
        ] as [([String], ExitCode, String, String)])
    func `An invalid relationship has the reason`(
        words: [String], exit: ExitCode, message: String, hint: String
    ) throws {
        _ = try bench.makeShop()
        let outcome = bench.run(words)
        #expect(outcome.exit == exit && outcome.output == "")
        #expect(outcome.problems.contains(message), "\(outcome.problems)")
        if !hint.isEmpty { #expect(outcome.problems.contains(hint), "\(outcome.problems)") }
    }

    @Test(arguments: TestPlace.available)
    func `Get shows the beginning of each relationship, its size, and the cursor of the rest`(
        place: TestPlace
    ) throws {
        _ = try bench.makeShop(place)
        let game = try bench.json("get", "Game:1", "--limit", "1")
        #expect(game["properties"]?["rounds"].text == "[2]" && game["properties"]?["players"].text == "[1]")
        let rounds = try #require(game["toMany"]?["rounds"])
        #expect(rounds["count"] == .int(2) && rounds["entity"] == .string("Round"))
        #expect(rounds["ordered"] == .bool(true) && game["toMany"]?["fans"]["ordered"] == .bool(false))
        let cursor = try #require(rounds["next"].stringValue)
        let rest = try bench.json("related", "Game:1", "rounds", "--after", cursor)
        #expect(keys(rest["rows"]?.elements ?? []) == [1] && rest["next"] == .null)
        let whole = try bench.json("get", "Game:1")
        #expect(whole["properties"]?["rounds"].text == "[2,1]" && whole["toMany"]?["rounds"]["next"] == .null)
        #expect(bench.run("get", "Game:1", "-n", "0").output.contains("rounds     to many         2: …\n"))
        #expect(bench.run("get", "Game:5").output.contains("to many         none\n"))
    }

    /// A session that can't page reads all members.
    @Test func `A store in memory has the same pages`() throws {
        let model = try ObjectModel(fileText: PagingModel.model, fileName: "model")
        let session = try InMemoryCoordinator(model: model).openReadSession(
            SessionOptions(identifier: "test"))
        defer { session.end() }
        let game = try #require(model.layout(named: "Game"))
        let property = try #require(game.property(named: "players"))
        let list = try #require(MemberList(property, of: 1, game, session))
        let page = try list.page(nil, limit: 3, session)
        #expect(page.keys == [] && page.ends.next == nil && page.ends.previous == nil)
        #expect(try MemberList.counts([list], session) == [0])
    }
}
