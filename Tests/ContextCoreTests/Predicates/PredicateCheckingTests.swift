import ContextCore
import Testing

struct PredicateCheckingTests {
    private let models: PredicateModel

    init() throws {
        models = try PredicateModel()
    }

    private func constant(_ value: StoredValue, _ type: ResolvedType) -> ResolvedExpression {
        ResolvedExpression(.constant(value), type: type, isNullable: value.isNull)
    }

    private func column(_ name: String, _ type: ResolvedType) throws -> ResolvedExpression {
        let index = try #require(models.player.columns.firstIndex { $0.name == name })
        return ResolvedExpression(
            .property(
                ResolvedProperty(scope: 0, hops: [], entityIndex: models.player.index, target: .column(index))
            ),
            type: type, isNullable: models.player.columns[index].isOptional)
    }

    @Test(
        arguments: [
            ("startedAt", false), ("rating * 2", false), ("startedAt - now()", true), ("year(now())", true),
            ("coalesce(endedAt, now())", true), ("TERNARY(title = 'now()', 1, 2)", false),
            ("TERNARY(startedAt > now(), 1, 2)", true), ("TERNARY(rating > 1, endedAt, now())", true),
            ("TERNARY(rating > 1 OR NOT endedAt < now(), 1, 2)", true),
            ("TERNARY(ANY players.game.startedAt < now(), 1, 2)", true),
            ("SUBQUERY(players, $x, $x.score > 1).@count", false),
            ("SUBQUERY(players, $x, $x.game.startedAt < now()).@count", true),
        ])
    func `An expression says whether it depends on the time of the request`(
        text: String, usesTime: Bool
    ) throws {
        let resolved = try SortKey(text).resolved(for: models.game, in: models.model)
        #expect(resolved.expression.usesCurrentTime == usesTime)
    }

    @Test(arguments: [
        ("score > 10.5", OrderOperator.greaterOrEqual, Int64(11)),
        ("score >= 10.5", .greaterOrEqual, 11),
        ("score < 10.5", .lessOrEqual, 10),
        ("score <= -10.5", .lessOrEqual, -11),
        ("10.5 < score", .greaterOrEqual, 11),
        ("score > 10.0", .greater, 10),
        ("score < 1e300", .lessOrEqual, .max),
        ("score > 1e300", .greater, .max),
        ("score > -1e300", .greaterOrEqual, .min),
        ("score = decimal(\"7\")", .equal, 7),
        ("score > decimal(\"7.2\")", .greaterOrEqual, 8),
    ])
    func `An integer constant is converted without changing the result`(
        text: String, sign: OrderOperator, bound: Int64
    ) throws {
        #expect(
            try models.resolve(text)
                == .compare(column("score", .integer), sign, constant(.int(bound), .integer)))
    }

    @Test func `Constants out of a column's range are never equal`() throws {
        #expect(try models.resolve("score = 10.5") == .constant(.false))
        #expect(try models.resolve("score != 10.5") == .constant(.true))
        #expect(try models.resolve("weight = 9007199254740993") == .constant(.false))
        #expect(try models.resolve("price = 1.005", for: models.game) == .constant(.false))
    }

    @Test func `Constants of other types are converted to the column's type`() throws {
        let token = "5E0C9B8F-0000-4000-8000-000000000000"
        #expect(try models.resolve("token = '\(token)'") == models.resolve("token = uuid('\(token)')"))
        #expect(try models.resolve("isActive = 1") == models.resolve("isActive = YES"))
        #expect(
            try models.resolve("startedAt > '2026-08-01'", for: models.game)
                == models.resolve("startedAt > date('2026-08-01T00:00:00Z')", for: models.game))
        #expect(
            try models.resolve("price > 1.005", for: models.game)
                == models.resolve("price >= decimal('1.01')", for: models.game))
        #expect(
            try models.resolve("speed = 0.1")
                == .compare(column("speed", .double), .equal, constant(.double(Double(Float(0.1))), .double)))
    }

    @Test func `NOT is pushed down to the leaves`() throws {
        #expect(
            try models.resolve("NOT (score < 1 AND (name = 'a' OR nick LIKE 'b'))")
                == models.resolve("score >= 1 OR (name != 'a' AND NOT nick LIKE 'b')"))
        #expect(try models.resolve("NOT NOT score < 1") == models.resolve("score < 1"))
        #expect(try models.resolve("NOT score IN {1, 2}") == .not(models.resolve("score IN {2, 1, 1}")))
        #expect(try models.resolve("NOT score BETWEEN {1, 2}") == models.resolve("score < 1 OR score > 2"))
    }

    @Test func `AND and OR are flattened without redundant operands`() throws {
        #expect(
            try models.resolve("score = 1 AND (score = 2 AND (TRUEPREDICATE AND score = 3))")
                == models.resolve("score = 1 AND score = 2 AND score = 3"))
        #expect(try models.resolve("score = 1 AND FALSEPREDICATE") == .constant(.false))
        #expect(try models.resolve("score = 1 OR TRUEPREDICATE") == .constant(.true))
        #expect(try models.resolve("score = 1 OR 1 = 2") == models.resolve("score = 1"))
    }

    @Test func `Comparing with null tests for null, and other comparisons with it are unknown`() throws {
        #expect(try models.resolve("nick = NIL") == .isNull(column("nick", .string)))
        #expect(try models.resolve("NIL != nick") == .not(.isNull(column("nick", .string))))
        #expect(try models.resolve("bonus > NIL") == .constant(.unknown))
        #expect(try models.resolve("bonus = 1 / 0") == .isNull(column("bonus", .integer)))
        #expect(
            try models.resolve("bonus IN {1, NIL}")
                == .or([
                    .isMember(column("bonus", .integer), of: [.int(1)]), .isNull(column("bonus", .integer)),
                ]))
    }

    @Test func `A quantifier becomes an EXISTS condition`() throws {
        guard
            case .exists(let collection, where: let inner) = try models.resolve(
                "ANY players.game.owner.name = 'x'", for: models.game)
        else {
            Issue.record("no existence")
            return
        }
        #expect(collection.steps.map(\.destinationIndex) == [models.player.index])
        guard case .compare(let left, .equal, _) = inner, case .property(let property) = left.node else {
            Issue.record("no comparison")
            return
        }
        #expect(property.scope == 1)
        #expect(property.hops.count == 2)
        #expect(
            try models.resolve("NONE players.score > 1", for: models.game)
                == .not(models.resolve("ANY players.score > 1", for: models.game)))
        #expect(
            try models.resolve("ANY(players, $p, $p.score > 1)", for: models.game)
                == models.resolve("ANY players.score > 1", for: models.game))
        #expect(
            try models.resolve("'x' IN players.name", for: models.game)
                == models.resolve("ANY players.name = 'x'", for: models.game))
    }

    @Test func `Comparing an object needs no join`() throws {
        let id = try #require(ObjectID(uri: "contextcore://5E0C9B8F-0000-4000-8000-000000000000/Game/7"))
        let predicate = try FetchPredicate("game = %@", id).resolved(for: models.player, in: models.model)
        let type = ResolvedType.object(entityIndex: models.game.index)
        #expect(
            try predicate == .compare(column("game", type), .equal, constant(.int(7), type)))
    }

    @Test(arguments: [
        ("scroe > 1", "“scroe”: Player has no property “scroe”.", "Did you mean “score”?"),
        ("game.titel = 'x'", "“game.titel”: Game has no property “titel”.", "Did you mean “title”?"),
        ("score.x = 1", "“score.x”: “score” is an attribute, so it has no property “x”.", nil),
        ("score > 'secret'", "“score > …”: an integer and a string can't be compared.", nil),
        (
            "score BEGINSWITH 'x'",
            "“score BEGINSWITH …”: BEGINSWITH compares strings, but “score” is an integer.", nil
        ),
        ("score =[c] 1", "“score”: [c] and [d] apply to strings, but it is an integer.", nil),
        (
            "mood = 'x'", "“mood”: “mood” is transient, so the store doesn't contain its values.",
            "Filter the fetched objects instead, or store the attribute."
        ),
        (
            "game.rules = 'x'",
            "“game.rules”: it is encoded, transformed or stored externally, so stores can't compare it.",
            "Compare it with NIL only, or copy the value to search for into a separate attribute."
        ),
        (
            "game.players.score > 1",
            "“game.players.score”: it contains a to-many relationship, so it has many values.",
            "Put ANY, ALL or NONE before it, or use @count, @sum, @avg, @min or @max."
        ),
        (
            "ANY score > 1",
            "“ANY score > …”: ANY, ALL and NONE need a to-many relationship on the left.", nil
        ),
        (
            "ANY game.players.scroe > 1", "“game.players.scroe”: Player has no property “scroe”.",
            "Did you mean “score”?"
        ),
        (
            "ANY game.players.score > 'x'",
            "“game.players.score > …”: an integer and a string can't be compared.", nil
        ),
        ("game.@count > 1", "“game.@count”: “game” contains no to-many relationship.", nil),
        ("game.players.@sum > 1", "“game.players.@sum”: @sum needs a property to aggregate.", nil),
        ("game.players.@sum.name > 1", "“game.players.@sum.name”: @sum of a string isn't possible.", nil),
        (
            "@count > 1", "“@count”: the request has no groups that it could aggregate.",
            "Name the relationship, as in players.@count."
        ),
        ("$x > 1", "“$x”: the variable $x has no value.", "Set its value with substituting(_:)."),
        (
            "game > game",
            "“game > game”: objects can be compared only with = and !=, and SELF also with <, <=, > and >= to an identifier or a variable.",
            nil
        ),
        ("SELF > game", "“SELF > game”: an object of Player and an object of Game can't be compared.", nil),
        ("game = 1", "“game = …”: an object of Game and an integer can't be compared.", nil),
        ("SELF = game", "“SELF = game”: an object of Player and an object of Game can't be compared.", nil),
        ("SELF IS Persn", "“SELF”: the model has no entity “Persn”.", "Did you mean “Person”?"),
        (
            "SELF IS Game", "“SELF”: Player and Game are not in one inheritance tree, so IS is never true.",
            nil
        ),
        ("name LIKE nick", "“name LIKE nick”: the pattern must be a constant string.", nil),
        (
            "name MATCHES '('", "“name MATCHES …”: the regular expression is invalid: a “(” has no “)”.",
            nil
        ),
        ("score IN 5", "“score IN …”: IN needs a list or a to-many relationship on the right.", nil),
        (
            "score BETWEEN {1, 2, 3}",
            "“score BETWEEN {…, …, …}”: BETWEEN needs a list of two values on the right.", nil
        ),
        (
            "game.price / 2 > 1",
            "“game.price / …”: decimal numbers can't be divided, because the quotient may be inexact.",
            "Multiply the other side of the comparison instead."
        ),
        ("name + 1 = 'x'", "“…”: it is an integer, not a string.", nil),
        ("year(name) = 1", "“year(name)”: “name” is a string, not a date.", nil),
        ("name = 'a\0b'", "“…”: the string contains a NUL character, which stores can't save.", nil),
    ])
    func `Unsupported predicates are rejected by name and without values`(
        text: String, message: String, remedy: String?
    ) {
        let error = #expect(throws: StoreError.self) { try models.resolve(text) }
        #expect(error?.message == message)
        #expect(error?.remedy == remedy)
    }

    @Test func `SELF can't be ordered against a relationship`() {
        for text in ["ANY(players, $x, $x.game > SELF)", "ANY(players, $x, SELF <= $x.game)"] {
            let error = #expect(throws: StoreError.self) { try models.resolve(text, for: models.game) }
            #expect(error?.message.hasSuffix("<, <=, > and >= to an identifier or a variable.") == true)
        }
    }

    @Test func `A property of a subentity is refused with the subentity's name`() {
        let error = #expect(throws: StoreError.self) {
            try models.resolve("role = 'x'", for: models.person)
        }
        #expect(error?.remedy == "Its subentity Employee has a property of that name. Fetch Employee.")
        #expect(throws: Never.self) { try models.resolve("role = 'x'", for: models.employee) }
    }

    @Test func `Parts of composites can be compared, but composites can't`() {
        #expect(throws: Never.self) { try models.resolve("address.city = 'x'", for: models.person) }
        let whole = #expect(throws: StoreError.self) {
            try models.resolve("address = 'x'", for: models.person)
        }
        #expect(whole?.remedy == "Its parts are address.city, address.street.")
        #expect(throws: StoreError.self) { try models.resolve("address.town = 'x'", for: models.person) }
    }

    @Test func `A predicate too large for one backend is rejected for all`() throws {
        var deep = FetchPredicate.comparing(.path("score"), .equal, .path("bonus"))
        for level in 0..<40 {
            let leaf = FetchPredicate.comparing(.path("score"), .equal, .path("bonus"))
            deep = level % 2 == 0 ? .and([leaf, deep]) : .or([leaf, deep])
        }
        let depthError = #expect(throws: StoreError.self) {
            try deep.resolved(for: models.player, in: models.model)
        }
        #expect(depthError?.message == "The predicate is nested more than 30 levels deep.")
        let wide = FetchPredicate.or((0..<501).map { .comparing(.path("score"), .equal, .literal(.int($0))) })
        let tooWide = #expect(throws: StoreError.self) {
            try wide.resolved(for: models.player, in: models.model)
        }
        #expect(tooWide?.message == "The predicate has 501 comparisons; the limit is 500.")
        var chain = FetchPredicate.constant(true)
        for _ in 0..<1_000 { chain = .not(chain) }
        #expect(throws: StoreError.self) { try chain.resolved(for: models.player, in: models.model) }
        let nested = (0..<11).reduce("$v11.score > 1") { inner, level in
            "ANY($v\(10 - level).game.players, $v\(11 - level), \(inner))"
        }
        let text = nested.replacing("$v0.", with: "")
        let tooMany = #expect(throws: StoreError.self) { try models.resolve(text) }
        #expect(tooMany?.message == "The predicate nests more than 10 subqueries.")
    }

    @Test func `HAVING uses group keys and aggregates`() throws {
        let name = try RequestChecker(models.player, in: models.model).expression(FetchExpression("name"))
        let checker = RequestChecker(models.player, in: models.model, groupedBy: [name])
        #expect(throws: Never.self) {
            try checker.predicate(FetchPredicate("@count > 3 AND @sum.score > 10 AND name != 'x'"))
        }
        #expect(throws: Never.self) { try checker.sortKey(SortKey(FetchExpression("@avg.score"))) }
        let error = #expect(throws: StoreError.self) {
            try checker.predicate(FetchPredicate("score > 3"))
        }
        #expect(error?.message == "“score”: the request neither groups by it nor aggregates it.")
    }

    @Test func `Nulls sort first ascending and last descending by default`() throws {
        let rising = try SortKey("nick").resolved(for: models.player, in: models.model)
        #expect(rising.nullsFirst && !rising.isDescending)
        let falling = try SortKey("nick", isDescending: true).resolved(for: models.player, in: models.model)
        #expect(!falling.nullsFirst && falling.isDescending)
        let last = try SortKey("nick", nullsFirst: false).resolved(for: models.player, in: models.model)
        #expect(!last.nullsFirst)
    }
}
