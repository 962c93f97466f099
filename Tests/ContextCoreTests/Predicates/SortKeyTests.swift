import ContextCore
import Foundation
import Testing

struct SortKeyTests {
    @Test func `Orders are written with key paths or as text`() throws {
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

    @Test func `An order travels through JSON as its text`() throws {
        let keys = try SortKey.keys("score DESC, game.title[cd] ASC NULLS LAST")
        #expect(try JSONDecoder().decode([SortKey].self, from: JSONEncoder().encode(keys)) == keys)
    }

    @Test func `Aggregates are written with key paths`() {
        let columns: [TypedAggregate<TypedPlayer>] = [
            .count(), .sum(\.score), .average(\.game?.startedAt, as: "mean"),
        ]
        #expect(columns.map(\.aggregate.name) == ["count", "sum(score)", "mean"])
        #expect(
            columns.map(\.aggregate.expression.description) == [
                "@count", "@sum.score", "game.@avg.startedAt",
            ])
    }
}
