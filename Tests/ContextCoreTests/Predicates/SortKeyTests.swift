import ContextCore
import Foundation
import Testing

struct SortKeyTests {
    @Test func `Sort keys are written with key paths or as text`() throws {
        let keys: [TypedSortKey<TypedPlayer>] = [
            .ascending(\.game?.title, options: .caseInsensitive), .descending(\.score, nullsFirst: true),
        ]
        #expect(keys.map(\.key.description) == ["game.title[c] ASC", "score DESC NULLS FIRST"])
        #expect(try SortKey.keys("game.title[c], score desc nulls first") == keys.map(\.key))
        #expect(
            TypedSortKey<TypedGame>.descending(by: (\TypedGame.players).count).key.description
                == "players.@count DESC")
        #expect(throws: PredicateSyntaxError.self) { try SortKey("score DOWN") }
    }

    @Test func `A sort key is encoded in JSON as its text`() throws {
        let keys = try SortKey.keys("score DESC, game.title[cd] ASC NULLS LAST")
        #expect(try JSONDecoder().decode([SortKey].self, from: JSONEncoder().encode(keys)) == keys)
    }

    @Test func `Aggregates are written with key paths`() {
        func text<Value>(_ expression: TypedExpression<TypedPlayer, Value>) -> String {
            expression.expression.description
        }
        #expect(text(.count()) == "@count")
        #expect(text(.sum(\.score)) == "@sum.score")
        #expect(text(.maximum(\.rating)) == "@max.rating")
        #expect(text(.average(\.game?.startedAt)) == "game.@avg.startedAt")
    }
}
