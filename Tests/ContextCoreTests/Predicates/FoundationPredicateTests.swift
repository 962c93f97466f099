import ContextCore
import Foundation
import Testing

struct FoundationPredicateTests {
    private func text(_ predicate: Predicate<TypedPlayer>) throws -> String {
        try FetchPredicate(predicate).description
    }

    private func text(game predicate: Predicate<TypedGame>) throws -> String {
        try FetchPredicate(predicate).description
    }

    @Test func `Comparisons and key paths are converted`() throws {
        #expect(
            try text(#Predicate { $0.score > 10 && $0.game?.title == "Go" })
                == "score > 10 AND game.title = \"Go\"")
        #expect(
            try text(#Predicate { !($0.score <= 10) || $0.nickname != nil })
                == "NOT score <= 10 OR nickname != NIL")
        #expect(try text(#Predicate { $0.score * 2 + 1 >= 7 }) == "score * 2 + 1 >= 7")
        #expect(try text(#Predicate { ($0.nickname ?? "") == "x" }) == "coalesce(nickname, \"\") = \"x\"")
        #expect(try text(#Predicate { $0.score % 2 == 0 }) == "mod(score, 2) = 0")
        #expect(try text(#Predicate { _ in true }) == "TRUEPREDICATE")
        let names = ["a", "b"]
        #expect(try text(#Predicate { names.contains($0.name) }) == "name IN {\"a\", \"b\"}")
        #expect(try text(#Predicate { (1...5).contains($0.score) }) == "score BETWEEN {1, 5}")
    }

    @Test func `String operations are converted`() throws {
        #expect(try text(#Predicate { $0.name.contains("an") }) == "name CONTAINS \"an\"")
        #expect(try text(#Predicate { $0.name.starts(with: "an") }) == "name BEGINSWITH \"an\"")
        #expect(try text(#Predicate { $0.name.isEmpty }) == "name = \"\"")
        #expect(
            try text(#Predicate { $0.nickname?.contains("x") == true })
                == "(nickname CONTAINS \"x\") IS TRUE")
        #expect(
            try text(#Predicate { $0.nickname?.contains("x") ?? true })
                == "NOT (nickname CONTAINS \"x\") IS FALSE")
    }

    @Test func `Relationships become quantifiers and counts`() throws {
        #expect(
            try text(game: #Predicate { $0.players.contains { $0.score > 10 } })
                == "ANY(players, $x1, $x1.score > 10)")
        #expect(
            try text(game: #Predicate { $0.players.allSatisfy { $0.score > 10 } })
                == "ALL(players, $x1, $x1.score > 10)")
        #expect(try text(game: #Predicate { $0.players.count > 3 }) == "players.@count > 3")
        #expect(try text(game: #Predicate { $0.players.isEmpty }) == "players.@count = 0")
        #expect(
            try text(game: #Predicate { $0.players.filter { $0.score > 10 }.count == 2 })
                == "SUBQUERY(players, $x1, $x1.score > 10).@count = 2")
    }

    @Test func `Unsupported expressions are rejected by name`() {
        let error = #expect(throws: PredicateConversionError.self) {
            try text(#Predicate { $0.name.count > 3 })
        }
        #expect(error?.problem == "It is not a stored property.")
    }

    @Test func `Sort descriptors are converted`() throws {
        let key = try SortKey(SortDescriptor(\TypedPlayer.score, order: .reverse))
        #expect(key.description == "score DESC")
    }
}
