import Testing

@testable import StoreAdmin

struct RequestTextTests {
    @Test func `Clauses are accepted in any order, in any case`() throws {
        let request = try RequestText("Player LIMIT 20 where score > 10 Order By score desc, name offset 5")
        #expect(request.entityName == "Player")
        #expect(request.predicate == "score > 10")
        #expect(request.order == "score desc, name")
        #expect(request.limit == 20)
        #expect(request.offset == 5)
    }

    @Test func `Nothing inside quotes or brackets starts a clause`() throws {
        let text = #"Game where title == "a where \" limit 3" AND (x order by limit 4) limit 2"#
        let request = try RequestText(text)
        #expect(request.predicate == #"title == "a where \" limit 3" AND (x order by limit 4)"#)
        #expect(request.limit == 2)
        #expect(request.order == nil)
    }

    @Test func `An attribute may have the name of a clause`() throws {
        #expect(try RequestText("Card where limit > 5").predicate == "limit > 5")
        #expect(try RequestText("Card where order = 1 limit 3").predicate == "order = 1")
    }

    @Test func `An entity alone is a request`() throws {
        #expect(try RequestText("  Game ").entityName == "Game")
    }

    @Test(arguments: [
        ("", "the request names no entity."),
        ("Game title = 3", "the request has the unexpected text “title = 3” after Game."),
        ("Game where", "nothing follows “where” in the request."),
        ("Game limit 1 limit 2", "“limit” occurs twice in the request."),
    ])
    func `An invalid request is a usage error`(text: String, message: String) {
        let error = #expect(throws: AdminError.self) { try RequestText(text) }
        #expect(error?.message == message)
        #expect(error?.exit == .usage)
    }

    @Test func `Objects are named in three ways`() throws {
        #expect(try ObjectReference("Player:12") == ObjectReference("Player/12"))
        let uri = "contextcore://6F1B2C7E-0000-4000-8000-000000000001/Player/12"
        #expect(try ObjectReference(uri) == ObjectReference("Player:12"))
        for text in ["Player", "Player:", ":1", "Player:0", "Player:x", "Player:1:2"] {
            #expect(throws: AdminError.self) { try ObjectReference(text) }
        }
    }
}
