import ContextCore
import Testing

@testable import StoreAdmin

/// What Tab does, without a terminal.
struct ShellCompletionTests {
    private static let model = """
        {"entities":{\
        "Game":{"attributes":{"finished":{"type":"bool"},"startedAt":{"optional":true,"type":"date"},\
        "state":{"pattern":"open|over|ongoing","type":"string"},"title":{"type":"string"}},\
        "relationships":{"players":{"inverse":"game","to":"Player","toMany":true}}},\
        "Guest":{"attributes":{"in":{"type":"int64"}}},\
        "Player":{"attributes":{"home":{"parts":{"city":{"type":"string"},"street":{"type":"string"}},"type":"composite"},\
        "name":{"type":"string"},"nickname":{"optional":true,"type":"string"},"score":{"type":"int64"},\
        "session":{"transient":true,"type":"string"}},\
        "relationships":{"game":{"inverse":"players","optional":true,"to":"Game"}}}},"format":1}
        """

    private let completion: ShellCompletion

    init() throws {
        completion = ShellCompletion(
            model: try ObjectModel(fileText: Self.model), storeNames: { ["dev", "prod"] },
            tenantNames: { $0 == "prod" ? ["acme", "beta"] : [] })
    }

    /// Returns the candidates that begin with the typed word.
    private func candidates(_ text: String) -> [String] {
        let result = completion.result(for: text)
        return result.candidates.map(\.text).filter { $0.hasPrefix(result.typed) }
    }

    private func action(_ text: String) -> CompletionAction { completion.result(for: text).action }

    // MARK: Positions

    @Test func `An input begins with an entity or a command`() {
        #expect(candidates("") == ["Game", "Guest", "Player"])
        #expect(candidates("  G") == ["Game", "Guest"])
        #expect(candidates("\\d") == ["\\d", "\\di", "\\dr", "\\dt"])
        #expect(candidates("\\").count == ShellWord.allCases.count)
        #expect(candidates("\\nonsense P") == [])
    }

    @Test func `Clauses follow an entity`() {
        #expect(candidates("Player ") == ["where", "order by", "limit", "offset"])
        #expect(candidates("Player wh") == ["where"])
        #expect(candidates("Player limit 3 ") == ["where", "order by", "offset"])
        #expect(candidates("Player where score > 3 limit 3 offset 1 ") == ["order by"])
        #expect(candidates("Player order ") == ["by"])
        #expect(candidates("Player where score > 3 order ") == ["by"])
        #expect(candidates("Player limit ") == [])
        #expect(candidates("Nobody ") == [])
    }

    @Test func `Properties follow a keyword, an operator and a bracket`() {
        let all = ["game", "home", "name", "nickname", "score"]
        for text in [
            "where ", "where (", "where not ", "where score > 1 and ", "where score > 1 or (", "order by ",
            "order by score desc, ", "where lowercase(", "where score + ",
        ] {
            #expect(candidates("Player \(text)") == all, "\(text)")
        }
        #expect(candidates("Player where n") == ["name", "nickname", "not", "none", "now()"])
        #expect(candidates("Player where low") == ["lowercase("])
        #expect(candidates("Guest where ") == ["#in"])
        #expect(candidates("\\count Player where sc") == ["score"])
    }

    @Test func `Paths follow relationships and composites`() {
        #expect(candidates("Player where game.") == ["finished", "players", "startedAt", "state", "title"])
        #expect(candidates("Player where game.ti") == ["title"])
        #expect(candidates("Player where home.") == ["city", "street"])
        #expect(candidates("Player where score.") == [])
        #expect(candidates("Player where nothing.") == [])
        #expect(candidates("Player order by game.players.na") == ["name"])
        #expect(candidates("Game where players.@") == ["@count", "@sum", "@avg", "@min", "@max"])
        #expect(candidates("Game where players.@sum.sc") == ["score"])
        #expect(candidates("Game where any(players, $p, $p.sc") == ["score"])
        #expect(candidates("Game where any(players, $p, $p.name == \"a\" and $") == ["$p"])
        #expect(candidates("Game where any($p, $p, $p.") == [])
    }

    @Test func `Operators fit the type of the property`() {
        #expect(candidates("Game where finished ") == ["==", "!="])
        #expect(candidates("Player where game ") == ["==", "!=", "in", "is"])
        #expect(candidates("Game where players ") == ["contains"])
        #expect(candidates("Player where home ") == [])
        #expect(candidates("Player where score ").contains("between"))
        #expect(!candidates("Player where score ").contains("like"))
        #expect(candidates("Player where name beg") == ["beginsWith"])
        #expect(candidates("Game where players.@count ").first == "==")
    }

    @Test func `Values fit the type of the property`() {
        #expect(candidates("Game where finished == ") == ["true", "false"])
        #expect(candidates("Game where startedAt > ") == ["date(\"", "now()"])
        #expect(candidates("Game where startedAt != ") == ["date(\"", "now()", "nil"])
        #expect(candidates("Player where game == ") == ["nil"])
        #expect(candidates("Player where game is ") == ["nil", "not", "Game", "Guest", "Player"])
        #expect(candidates("Player where score in ") == ["{"])
        #expect(candidates("Player where score > sc") == ["score"])
        #expect(candidates("Game where state == ") == ["\"open\"", "\"over\"", "\"ongoing\""])
        #expect(candidates("Game where state == \"o") == ["open", "over", "ongoing"])
        #expect(action("Game where state == \"on") == .replace(count: 2, text: "ongoing\" "))
        #expect(candidates("Game where title == \"o") == [])
        #expect(candidates("Game where title contains[c] ").contains("title"))
    }

    @Test func `A complete condition or sort key is followed by more of them or by a clause`() {
        let next = ["and", "or", "order by", "limit", "offset"]
        for text in [
            "score > 3 ", "(score > 3) ", "name == \"a b\" ", "not game.title contains[c] \"x\" ",
            "game is nil ",
        ] {
            #expect(candidates("Player where \(text)") == next, "\(text)")
        }
        // Without a space the candidate would join the last word.
        #expect(candidates("Player where name == \"a\"") == [])
        #expect(candidates("Player order by score ") == ["asc", "desc", "where", "limit", "offset"])
        #expect(candidates("Player order by score desc ").prefix(2) == ["nulls first", "nulls last"])
    }

    @Test func `The operands of commands are completed`() {
        #expect(candidates("\\d Pl") == ["Player"])
        #expect(candidates("\\get Pl") == ["Player:"])
        #expect(candidates("\\x ") == ["on", "off"])
        #expect(candidates("\\c ") == ["dev", "prod"])
        #expect(candidates("\\c prod b") == ["beta"])
        #expect(candidates("\\sql SELECT ") == [])
        #expect(candidates("\\o ") == [])
    }

    @Test func `An open quote or an invalid text has no candidates`() {
        for text in ["where name == \"sc", "where name ~ ", "where score > 3 3 "] {
            #expect(candidates("Player \(text)") == [], "\(text)")
        }
    }

    @Test func `Every proposed operator and value makes a valid request`() throws {
        for entity in completion.model.layouts {
            for property in candidates("\(entity.name) where ") where property != "home" {
                for sign in candidates("\(entity.name) where \(property) ") {
                    let right = ["in": "{1, 2}", "between": "{1, 2}", "is": "nil"][sign] ?? "1"
                    _ = try FetchPredicate("\(property) \(sign) \(right)")
                    for value in candidates("\(entity.name) where \(property) \(sign) ") {
                        let rest =
                            value.hasSuffix("(\"") ? "2026-08-01T12:00:00Z\")" : value == "{" ? "1}" : ""
                        guard sign != "is", sign != "between" else { continue }
                        _ = try FetchPredicate("\(property) \(sign) \(value)\(rest)")
                    }
                }
            }
        }
    }

    @Test func `The examples of the shell's help are valid`() throws {
        let shop = try ObjectModel(fileText: ShopExport.model)
        for (text, _) in ShellWord.predicateExamples {
            let entity = text.contains("players") || text.contains("startedAt") ? "Game" : "Player"
            let checker = RequestChecker(try shop.entity(entity), in: shop)
            _ = try checker.predicate(FetchPredicate(text))
        }
    }

    // MARK: Actions

    @Test func `Tab inserts what the candidates have in common`() {
        #expect(action("Pla") == .replace(count: 3, text: "Player "))
        #expect(action("pla") == .replace(count: 3, text: "Player "))
        #expect(action("Player where ga") == .replace(count: 2, text: "game"))
        #expect(action("Player where hom") == .replace(count: 3, text: "home."))
        #expect(action("G") == .list(["Game", "Guest"]))
        #expect(action("g") == .replace(count: 1, text: "G"))
        #expect(action("Player where NICK") == .replace(count: 4, text: "nickname "))
        #expect(action("Player WH") == .replace(count: 2, text: "WHERE "))
        #expect(action("Player xyz") == .nothing)
        #expect(action("\\tim") == .replace(count: 4, text: "\\timing "))
        #expect(action("\\q") == .list(["\\q"]))
    }

    @Test func `Candidates are shown in columns`() {
        #expect(CompletionColumns.text(["a", "bb", "ccc", "d"], width: 12) == "a    ccc\nbb   d\n")
        #expect(CompletionColumns.text(["äöü"], width: 1) == "äöü\n")
        let many = (0..<350).map { "name\($0)" }
        #expect(CompletionColumns.text(many, width: 80).hasSuffix("and 50 more\n"))
    }
}
