import ContextCore
import Testing

@testable import StoreAdmin

/// The completions of an input field for a predicate.
struct PredicateCompletionTests {
    private let model: ObjectModel

    init() throws { model = try ObjectModel(fileText: ShopExport.model, fileName: "shop") }

    private func completion(
        _ text: String, at position: Int? = nil, of request: String = "Player",
        clause: PredicateCompletion.Clause = .predicate
    ) -> PredicateCompletion {
        PredicateCompletion(
            request: request, text: text, position: position ?? text.utf16.count, clause: clause, model: model
        )
    }

    private func texts(_ text: String, of request: String = "Player") -> [String] {
        completion(text, of: request).candidates.map(\.text)
    }

    @Test func `The word before the position is completed`() {
        let name = completion("score > 1 and na")
        #expect(name.start == 14)
        #expect(name.candidates == [.init(text: "name", help: "string", suffix: " ")])
        #expect(completion("na == \"Ann\"", at: 2).candidates.map(\.text) == ["name"])
        #expect(completion("na == \"Ann\"", at: 0).start == 0)
        #expect(completion("game.ti").start == 5 && texts("game.ti") == ["title"])
        #expect(texts("name beg") == ["beginsWith"] && texts("NOT na") == ["name"])
        #expect(texts("SCO") == ["score"])
    }

    @Test func `Relationships have their entity as help, and go on`() {
        let game = completion("gam").candidates
        #expect(game == [.init(text: "game", help: "Game", suffix: "")])
        #expect(completion("favo").candidates.map(\.help) == ["many Game"])
    }

    @Test func `Keywords of other clauses are not offered`() {
        #expect(texts("score > 1 ") == ["and", "or"])
        #expect(texts("score > 1 o") == ["or"])
        let order = completion("score ", clause: .order).candidates.map(\.text)
        #expect(order == ["asc", "desc"])
        #expect(completion("score d", clause: .order).candidates.map(\.text) == ["desc"])
        #expect(completion("score desc, na", clause: .order).candidates.map(\.text) == ["name"])
    }

    @Test func `The request may have clauses, and an unknown entity has no candidates`() {
        #expect(texts("sc", of: "Player where name == \"order by\"") == ["score"])
        #expect(completion("na", of: "Plyer") == completion("na", of: ""))
        #expect(completion("na", of: "Plyer").candidates.isEmpty && completion("na", of: "Plyer").start == 2)
    }

    @Test func `Positions count UTF-16 code units, and are moved into the text`() {
        let text = "name == \"\u{1F600}\" and sc"
        #expect(completion(text).start == 17)
        #expect(completion(text).candidates.map(\.text) == ["score"])
        #expect(completion("na", at: 99) == completion("na") && completion("na", at: -1).start == 0)
        // Between the two halves of the emoji.
        #expect(completion(text, at: 10).start <= 10)
    }

    @Test func `The document has the start and the candidates`() {
        #expect(
            JSONValue.object(completion("na").json).text
                == #"{"candidates":[{"help":"string","suffix":" ","text":"name"}],"start":0}"#)
    }

    /// No text is refused, wherever the cursor is.
    @Test func `Every beginning of a text has an answer`() {
        for text in [
            "any favourites.title beginsWith[c] \"Go", "score between {1, ", "$x.name", "date(\"2026", "((",
            "}", "@",
            "game.@count > #", "subquery(favourites, $g, $g.title == 'x').@count", "\"", "\u{0}", "e\u{301}",
        ] {
            for position in 0...text.utf16.count {
                let found = completion(text, at: position)
                #expect((0...position).contains(found.start))
            }
        }
    }
}
