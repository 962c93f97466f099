import ContextCore
import Foundation
import Testing

@Entity final class TypedGame: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    @Relationship(deleteRule: .cascade, inverse: \TypedPlayer.game) var players: Set<TypedPlayer>
}

@Entity final class TypedPlayer: ManagedObject {
    var name: String
    var nickname: String?
    var score: Int = 0
    var rating: Double?
    var game: TypedGame?
}

struct TypedPredicateTests {
    private func text(_ predicate: TypedPredicate<TypedPlayer>) -> String { predicate.description }
    private func gameText(_ predicate: TypedPredicate<TypedGame>) -> String { predicate.description }

    @Test func `Operators print as the equivalent text`() {
        #expect(text(\.score > 10 && \.game?.title == "Go") == #"score > 10 AND game.title = "Go""#)
        #expect(text(!(\.name == "Ann") || \.nickname == nil) == #"NOT name = "Ann" OR nickname = NIL"#)
        #expect(text(\.game == nil) == "game = NIL")
        #expect(text(\.rating >= 2.5) == "rating >= 2.5")
        #expect(text(10...20 ~= \.score) == "score BETWEEN {10, 20}")
        #expect(text(10..<20 ~= \.score) == "score >= 10 AND score < 20")
        #expect(text(10... ~= \.score || ...20 ~= \.score) == "score >= 10 OR score <= 20")
        #expect(text(!(..<20 ~= \.score)) == "NOT score < 20")
        #expect(text((\TypedPlayer.name).contains("an", .caseInsensitive)) == #"name CONTAINS[c] "an""#)
    }

    @Test func `A request combines typed and untyped parts`() throws {
        let parsed = FetchRequest<TypedPlayer>(
            where: try FetchPredicate("score > 10"), order: [.ascending(\.name)], prefetching: [\.game])
        #expect(parsed.predicate?.description == "score > 10" && parsed.prefetching == ["game"])
        #expect(try parsed.order == [SortKey("name")])
        let nested = FetchRequest<TypedGame>(
            where: \.title != "Go", order: [.descending(\.title)], prefetching: ["players.game"])
        #expect(nested.predicate?.description == #"title != "Go""# && nested.prefetching == ["players.game"])
        #expect(try nested.order == [SortKey("title DESC")])
        let all = FetchRequest<TypedGame>(order: [.ascending(\.title)], prefetching: ["players.game"])
        #expect(all.predicate == nil && all.prefetching == ["players.game"])
    }

    @Test func `Key paths reach relationships too`() throws {
        #expect(gameText((\TypedGame.players).count > 3) == "players.@count > 3")
        let any = gameText((\TypedGame.players).any(\.score > 10 && \.name != "Bo"))
        #expect(try FetchPredicate(any).description == any)
        #expect(any.contains("score"))
    }

    @Test func `The compiler checks a predicate of nine clauses quickly`() {
        let predicate: TypedPredicate<TypedPlayer> =
            \.score > 10 && \.score < 100 && \.name != "Ann" && \.nickname == nil && \.game != nil
            && \.game?.title == "Go" && \.rating > 1.5 && \.rating <= 9 && \.nickname != "Bo"
        #expect(predicate.description.components(separatedBy: " AND ").count == 9)
    }
}
