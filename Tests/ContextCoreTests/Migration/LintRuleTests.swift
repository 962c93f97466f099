import ContextCore
import Testing

/// Lint rules of migrations: each reports its own cases and no others.
struct LintRuleTests {
    private func version(
        _ name: String, _ entities: [EntityDescription], _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        ModelVersion(name, try ObjectModel(entities: entities), hints: hints)
    }

    private func game(_ attributes: AttributeDescription...) -> [EntityDescription] {
        [.init("Game", attributes: attributes)]
    }

    /// Returns the findings of a rule, as `severity subject`.
    private func found(
        _ rule: String, _ old: [EntityDescription], _ new: [EntityDescription],
        _ hints: MigrationHints = MigrationHints()
    ) throws -> [String] {
        try ModelTransition(from: version("V1", old), to: version("V2", new, hints)).findings
            .filter { $0.rule == rule }.map { "\($0.severity.rawValue) \($0.subject)" }
    }

    private let title = AttributeDescription("title", .string)

    // MARK: volatile-default

    @Test(arguments: [
        AttributeDescription("made", .date, default: .now), .init("mark", .uuid, default: .newUUID),
        .init("mark", .uuid, isOptional: true, default: .newUUID),
    ])
    func `A default with a different value per object is found`(_ attribute: AttributeDescription) throws {
        #expect(
            try found("volatile-default", game(title), game(title, attribute))
                == ["warning Game.\(attribute.name)"])
        var optional = attribute
        optional.isOptional = true
        optional.defaultValue = nil
        var required = attribute
        required.isOptional = false
        #expect(
            try found("volatile-default", game(title, optional), game(title, required))
                == ["warning Game.\(attribute.name)"])
    }

    @Test func `A constant default isn't, nor a filled attribute, nor one of a new entity`() throws {
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let made = AttributeDescription("made", .date, default: .now)
        #expect(try found("volatile-default", game(title), game(title, stars)) == [])
        #expect(try found("volatile-default", game(title, made), game(title, made)) == [])
        let optional = AttributeDescription("made", .date, isOptional: true)
        #expect(try found("volatile-default", game(title), game(title, optional)) == [])
        let filled = MigrationHints(conversions: ["Game.made": "now()"])
        #expect(try found("volatile-default", game(title), game(title, made), filled) == [])
        let player = EntityDescription("Player", attributes: [made])
        #expect(try found("volatile-default", game(title), game(title) + [player]) == [])
    }

    // MARK: required-without-default

    @Test func `A required attribute that is filled needs no default`() throws {
        let length = AttributeDescription("length", .int64)
        let rule = "required-without-default"
        #expect(try found(rule, game(title), game(title, length)) == ["warning Game.length"])
        let filled = MigrationHints(conversions: ["Game.length": "1"])
        #expect(try found(rule, game(title), game(title, length), filled) == [])
    }

    // MARK: reference-lost, required-reference-lost

    /// Returns a model of a category with its best product, and of books, which are a subentity of an entity or removed.
    private func category(booksAre superentity: String?, isOptional: Bool = true) -> [EntityDescription] {
        var entities = [
            EntityDescription("Item", attributes: [title]),
            EntityDescription("Product", superentity: "Item"),
            EntityDescription(
                "Category", relationships: [.init("best", to: "Product", isOptional: isOptional)]),
        ]
        if let superentity { entities.append(EntityDescription("Book", superentity: superentity)) }
        return entities
    }

    @Test func `Lost references are found, and noted if the loss is accepted`() throws {
        let rule = "reference-lost"
        let (old, new) = (category(booksAre: "Product"), category(booksAre: "Item"))
        #expect(try found(rule, old, new) == ["error Category.best"])
        let accepted = MigrationHints(acceptedLosses: ["Category.best"])
        #expect(try found(rule, old, new, accepted) == ["note Category.best"])
        #expect(try found(rule, new, old) == [])
        // References to a removed entity's objects are lost with the objects.
        let removed = MigrationHints(removed: ["Book"])
        #expect(try found(rule, old, category(booksAre: nil), removed) == [])
    }

    @Test func `A required relationship that loses some of its destinations is found`() throws {
        func model(booksAre superentity: String?) -> [EntityDescription] {
            category(booksAre: superentity, isOptional: false)
        }
        let rule = "required-reference-lost"
        let old = model(booksAre: "Product")
        #expect(try found(rule, old, model(booksAre: "Item")) == ["warning Category.best"])
        #expect(try found("reference-lost", old, model(booksAre: "Item")) == [])
        let removed = MigrationHints(removed: ["Book"])
        #expect(try found(rule, old, model(booksAre: nil), removed) == ["warning Category.best"])
        #expect(try found(rule, category(booksAre: "Product"), category(booksAre: "Item")) == [])
    }

    // MARK: undecided

    @Test func `Another destination of a relationship is undecided, and a wider one isn't`() throws {
        func player(from destination: String) -> [EntityDescription] {
            [
                .init("Party", attributes: [title]), .init("Team", superentity: "Party"),
                .init("Club", attributes: [title]),
                .init("Player", relationships: [.init("home", to: destination)]),
            ]
        }
        let rule = "undecided"
        #expect(try found(rule, player(from: "Team"), player(from: "Club")) == ["error Player.home"])
        #expect(try found(rule, player(from: "Team"), player(from: "Party")) == [])
    }

    // MARK: case-fold-collision

    @Test func `Removed and added names that differ only in case are found`() throws {
        let capital = AttributeDescription("Title", .string)
        let removed = MigrationHints(removed: ["Game.title"])
        let rule = "case-fold-collision"
        #expect(try found(rule, game(title), game(capital), removed) == ["warning Game.Title"])
        let renamed = MigrationHints(renames: ["Game.Title": "title"])
        #expect(try found(rule, game(title), game(capital), renamed) == [])
        #expect(
            try found(rule, game(title), game(.init("name", .string)), removed) == [])
        let entities = MigrationHints(removed: ["Game"])
        #expect(
            try found(rule, game(title), [.init("GAME", attributes: [title])], entities) == ["warning GAME"])
        #expect(try found(rule, game(title), [.init("Match", attributes: [title])], entities) == [])
        // The same name in another entity is no collision.
        let player = EntityDescription("Player", attributes: [capital])
        #expect(
            try found(
                rule, game(title, .init("a", .bool)) + [.init("Player")], game(.init("a", .bool)) + [player],
                removed)
                == [])
    }

    @Test func `Versions whose names differ only in case are found`() throws {
        func folded(_ names: String...) throws -> [String] {
            let versions = try names.enumerated().map { index, name in
                try version(name, game(.init("a\(index)", .bool)))
            }
            return try ModelVersions(versions).foldedNames.map {
                "\($0.severity.rawValue) \($0.rule) \($0.subject)"
            }
        }
        #expect(try folded("V1", "V2", "v2") == ["error case-fold-collision v2"])
        #expect(try folded("V1", "V2", "V20") == [])
    }

    // MARK: Rows of a store

    @Test func `Rows that violate a rule are counted, and zero is no finding`() {
        let check = MigrationStep.Check(
            count: "", sentence: "objects of Game have no rank", rule: "required-on-populated",
            subject: "Game.rank")
        #expect(check.finding(0) == nil)
        let finding = check.finding(1204)
        #expect(finding?.subject == "Game.rank" && finding?.severity == .error)
        #expect(
            finding?.description
                == "error: 1,204 objects of Game have no rank, which stops the migration. Give them values first, or give the model a "
                + "default or a conversion. [required-on-populated]")
        #expect(check.refusal(1)?.message == "1 object of Game has no rank.")
        #expect(check.refusal(1204)?.message == "1,204 objects of Game have no rank.")
        let named = MigrationStep.Check(
            count: "", sentence: "objects of are have no have, which must have a value")
        #expect(named.refusal(1)?.message == "1 object of are has no have, which must have a value.")
        let other = MigrationStep.Check(count: "", sentence: "references lead nowhere")
        #expect(other.finding(2)?.rule == "rows-in-the-way")
    }
}
