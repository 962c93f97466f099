import ContextCore
import Foundation
import RandomSeeds
import Testing

struct PredicateMeaningTests {
    private let world: PredicateWorld
    private let models: PredicateModel

    init() throws {
        models = try PredicateModel()
        world = PredicateWorld(models)
        world.add(
            models.game,
            [
                "title": .string("Go"), "startedAt": .timestamp(microseconds: 1_785_585_600_000_000),
                "price": .decimal(Decimal(string: "1.10") ?? 0),
            ])
        world.add(
            models.player,
            [
                "name": .string("Élan"), "score": .int(7), "isActive": .bool(true), "game": .int(1),
                "weight": .double(2.5),
            ])
        world.add(
            models.player, ["name": .string("Bo"), "score": .int(.max), "bonus": .int(1), "game": .int(1)])
        world.add(models.game, ["title": .string("Chess"), "price": .decimal(2)])
    }

    @Test(arguments: [
        // Equality is never unknown.
        ("nick = 'x'", PredicateTruth.false), ("nick != 'x'", .true), ("nick = NIL", .true),
        ("nick != NIL", .false), ("NOT nick = 'x'", .true), ("bonus = game.rating", .true),
        ("nick IN {'x', 'y'}", .false), ("NOT nick IN {'x'}", .true), ("nick IN {'x', NIL}", .true),
        ("score IN {}", .false),
        // All other comparisons are unknown if an operand is null.
        ("bonus > 1", .unknown), ("NOT bonus > 1", .unknown), ("nick BEGINSWITH 'x'", .unknown),
        ("nick LIKE '*'", .unknown), ("nick MATCHES '.*'", .unknown), ("bonus BETWEEN {1, 2}", .unknown),
        ("bonus > 1 OR score = 7", .true), ("bonus > 1 AND score = 7", .unknown),
        ("bonus > 1 AND score = 8", .false), ("(bonus > 1) IS UNKNOWN", .true),
        ("(bonus > 1) IS TRUE", .false),
        ("NOT (bonus > 1) IS TRUE", .true), ("bonus + 1 = NIL", .true), ("score > NIL", .unknown),
        // Invalid arithmetic is null.
        ("1 / 0 = NIL", .true), ("score / 0 = NIL", .true), ("mod(score, 0) = NIL", .true),
        ("9223372036854775807 + score = NIL", .true), ("score / 2 = 3", .true), ("-7 / 2 = -3", .true),
        ("mod(-7, 2) = -1", .true), ("score * 0.5 = 3.5", .true), ("weight > 2", .true),
        ("9007199254740993 > 9007199254740992.0", .true), ("round(2.5) = 3", .true),
        ("round(-2.5) = -3", .true),
        // Texts are compared by bytes by default.
        ("name = 'élan'", .false), ("name =[c] 'élan'", .true), ("name =[cd] 'ELAN'", .true),
        ("name BEGINSWITH[d] 'E'", .true), ("name BEGINSWITH 'E'", .false), ("name ENDSWITH 'an'", .true),
        ("name CONTAINS 'la'", .true), ("name CONTAINS ''", .true), ("name LIKE '?l*'", .true),
        ("name LIKE[c] 'ÉL?N'", .true), ("name LIKE 'É'", .false), ("name MATCHES '.la[m-o]'", .true),
        ("name MATCHES 'la'", .false), ("name MATCHES[cd] 'E(LA|x)+N'", .true), ("length(name) = 4", .true),
        ("'e\\u0301' = 'é'", .false), ("'e\\u0301' =[d] 'é'", .true),
        ("uppercase('straße') = 'STRAßE'", .true),
        ("trim('  a ') + 'b' = 'ab'", .true),
        // Objects and chains.
        ("game.title = 'Go'", .true), ("game.owner.name = NIL", .true), ("game.owner IS Person", .false),
        ("SELF IS Player", .true), ("SELF IN game.players", .true), ("game.players.@count = 2", .true),
        ("SELF > SELF", .false), ("SELF <= SELF", .true), ("ANY(game.players, $x, $x > SELF)", .true),
        ("ANY(game.players, $x, SELF > $x)", .false), ("SELF > NIL", .unknown),
        ("year(game.startedAt) = 2026 AND month(game.startedAt) = 8", .true),
        ("weekday(game.startedAt) = 7 AND hour(game.startedAt) = 12", .true),
        ("game.startedAt = now()", .true), ("game.startedAt - 60 < now()", .true),
        ("TERNARY(bonus > 1, 'a', 'b') = 'b'", .true), ("bonus ?? 5 = 5", .true),
    ])
    func `A player without nick and bonus`(text: String, answer: PredicateTruth) throws {
        #expect(try world.answer(text, for: models.player) == answer)
    }

    @Test(arguments: [
        ("ANY players.bonus > 0", PredicateTruth.true), ("ALL players.bonus > 0", .false),
        ("NOT ALL players.bonus > 0", .true), ("NONE players.bonus > 5", .true),
        ("players.@sum.bonus = 1", .true), ("players.@sum.score = NIL", .true),
        ("players.@avg.bonus = 1.0", .true), ("players.@min.score = 7", .true),
        ("players.@count.bonus = 1", .true),
        ("SUBQUERY(players, $x, $x.score = 7 AND $x.game = SELF).@count = 1", .true),
        ("price = 1.1", .true), ("price > 1.099", .true), ("price * 3 = decimal('3.3')", .true),
        ("'Bo' IN players.name", .true), ("players.name CONTAINS 'Ann'", .false),
        ("ANY(players, $x, $x.score > 1 AND $x.name = 'Bo')", .true),
        ("players.@avg.game.price = 1.1", .true),
    ])
    func `A game with two players`(text: String, answer: PredicateTruth) throws {
        #expect(try world.answer(text, for: models.game) == answer)
    }

    @Test(arguments: [
        ("ANY players.score > 0", PredicateTruth.false), ("ALL players.score > 0", .true),
        ("NONE players.score > 0", .true), ("players.@sum.score = 0", .true),
        ("players.@avg.score = NIL", .true),
        ("players.@max.score = NIL", .true), ("players.@max.score > 0", .unknown),
        ("players.@count = 0", .true),
    ])
    func `A game without players`(text: String, answer: PredicateTruth) throws {
        let chess = try #require(world.subjects.last)
        #expect(try world.answer(models.resolve(text, for: models.game), chess) == answer)
    }

    @Test func `AND, OR and NOT follow Kleene's tables`() throws {
        let atoms = [("1 = 1", PredicateTruth.true), ("1 = 2", .false), ("bonus > 1", .unknown)]
        func rank(_ truth: PredicateTruth) -> Int { truth == .false ? 0 : truth == .unknown ? 1 : 2 }
        for (a, first) in atoms {
            #expect(try rank(world.answer("NOT \(a)", for: models.player) ?? .unknown) == 2 - rank(first))
            for (b, second) in atoms {
                let and = try world.answer("\(a) AND \(b)", for: models.player)
                let or = try world.answer("\(a) OR \(b)", for: models.player)
                #expect(and.map(rank) == min(rank(first), rank(second)))
                #expect(or.map(rank) == max(rank(first), rank(second)))
            }
        }
    }

    @Test func `Every object matches exactly one of a predicate, its negation, or neither`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let atoms = [
            "score > 7", "bonus > 0", "bonus = 1", "nick LIKE 'a*'", "name BEGINSWITH[c] 'b'",
            "weight < score",
            "nick IN {'x', NIL}", "bonus BETWEEN {0, 5}", "bonus + score > 8", "nick != name",
            "isActive = YES",
            "ANY game.players.bonus > 0", "ALL game.players.score > 7", "game.players.@max.bonus > bonus",
            "game.owner.name MATCHES 'x+'", "TERNARY(bonus > 0, nick, name) = 'Bo'",
        ]
        func text(_ depth: Int) -> String {
            guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
                return atoms[Int.random(in: atoms.indices, using: &random)]
            }
            let (a, b) = (text(depth - 1), text(depth - 1))
            return ["(\(a) AND \(b))", "(\(a) OR \(b))", "NOT (\(a))", "((\(a)) IS UNKNOWN OR \(b))"][
                Int.random(in: 0..<4, using: &random)]
        }
        for _ in 0..<5000 {
            let text = text(4)
            let parts = try ["\(text)", "NOT (\(text))", "(\(text)) IS UNKNOWN"].map {
                try models.resolve($0)
            }
            for player in world.subjects where player.entityIndex == models.player.index {
                let count = try parts.count { try world.answer($0, player) == .true }
                guard count == 1 else {
                    Issue.record("seed \(seed): \(count) parts of \(text)")
                    return
                }
            }
        }
    }

    @Test func `A regular expression takes time proportional to the text`() throws {
        let name = String(repeating: "a", count: 20_000) + "!"
        world.add(models.player, ["name": .string(name)])
        let predicate = try models.resolve("name MATCHES '(a+)+b'")
        let player = try #require(world.subjects.last)
        let start = ContinuousClock.now
        #expect(try world.answer(predicate, player) == .false)
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test func `Folding is idempotent`() throws {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            for options in [TextOptions.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] {
                let folded = TextFolding.fold(text, options)
                guard TextFolding.fold(folded, options).utf8.elementsEqual(folded.utf8) else {
                    Issue.record("U+\(String(value, radix: 16)) folds further")
                    return
                }
            }
        }
        let (from, to) = TextFolding.translation(for: [.caseInsensitive, .diacriticInsensitive])
        #expect(from.unicodeScalars.count > to.unicodeScalars.count)
        #expect(TextFolding.fold("ΑΣ ς ſ Å İ", [.caseInsensitive, .diacriticInsensitive]) == "ασ σ s a i")
    }
}
