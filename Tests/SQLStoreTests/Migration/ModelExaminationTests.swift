import ContextCore
import SQLStore
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend

/// Findings of a backend about a model, and of two backends about one migration.
struct ModelExaminationTests {
    private func examined(_ dialect: MigrationDialect, _ entities: [EntityDescription]) throws
        -> [MigrationFinding]
    {
        try ModelExamination(ObjectModel(entities: entities), dialect).findings
    }

    @Test func `A name that the server would truncate is found, and a shorter one isn't`() throws {
        func indexed(_ count: Int) -> [EntityDescription] {
            let names = (0..<count).map { "attributeNumber\($0)" }
            return [
                .init(
                    "Game", attributes: names.map { .init($0, .int64) },
                    indexes: [.init(names.map { .init($0) })])
            ]
        }
        #expect(try examined(.postgres, indexed(2)) == [])
        let found = try examined(.postgres, indexed(4))
        #expect(found.map(\.rule) == ["identifier-too-long"])
        #expect(found.first?.severity == .note && found.first?.subject == "game")
        let sentence = try #require(found.first?.sentence)
        #expect(
            sentence.contains("has 76 bytes, and PostgreSQL allows 58: there it is named game_attribute"),
            "\(sentence)")
        #expect(sentence.hasSuffix("If handwritten SQL refers to it, choose a shorter name."))
        #expect(try examined(.sqlite, indexed(4)) == [])
    }

    @Test func `A feature that only one backend supports is found`() throws {
        func indexed(_ count: Int) -> [EntityDescription] {
            let names = (0..<count).map { "a\($0)" }
            return [
                .init(
                    "G", attributes: names.map { .init($0, .bool) }, indexes: [.init(names.map { .init($0) })]
                )
            ]
        }
        func divergences(_ dialect: MigrationDialect, _ entities: [EntityDescription]) throws -> [String] {
            try examined(dialect, entities).filter { $0.rule == "backend-divergence" }.map {
                "\($0.severity.rawValue) \($0.subject): \($0.sentence)"
            }
        }
        #expect(try divergences(.postgres, indexed(32)) == [])
        let found = try divergences(.postgres, indexed(33))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("error g: The index ") == true)
        #expect(
            found.first?.hasSuffix("has 33 columns, and PostgreSQL allows 32: index fewer properties.")
                == true)
        #expect(try divergences(.sqlite, indexed(33)) == [])
        let wide = [EntityDescription("G", attributes: (0..<1600).map { .init("a\($0)", .bool) })]
        #expect(
            try divergences(.postgres, wide) == [
                "error g: The table g has 1602 columns, and PostgreSQL allows 1600: move some of the attributes to another entity."
            ])
        #expect(try divergences(.sqlite, wide) == [])
    }

    // MARK: Several backends

    private func transition(_ new: AttributeDescription) throws -> ModelTransition {
        let title = AttributeDescription("title", .string)
        return try ModelTransition(
            from: ModelVersion("V1", ObjectModel(entities: [.init("Game", attributes: [title])])),
            to: ModelVersion("V2", ObjectModel(entities: [.init("Game", attributes: [title, new])])))
    }

    @Test func `Equal backends are not reported`() throws {
        let transition = try transition(.init("note", .string, isOptional: true))
        let plans = try [MigrationDialect.sqlite, .postgres].map { dialect in
            (
                backend: dialect.name,
                plan: Result<MigrationPlan, StoreError>.success(
                    try MigrationScript.offlinePlan([transition], dialect))
            )
        }
        #expect(transition.divergences(plans) == [])
    }

    @Test func `A migration that only one backend supports is found, and one that none does is rejected`()
        throws
    {
        let transition = try transition(.init("note", .string, isOptional: true))
        let able = (
            backend: "SQLite",
            plan: Result<MigrationPlan, StoreError>.success(
                try MigrationScript.offlinePlan([transition], .sqlite))
        )
        let refusal = StoreError(.migrationRefused, "There are too many.", remedy: "Take fewer.")
        let unable = (backend: "PostgreSQL", plan: Result<MigrationPlan, StoreError>.failure(refusal))
        #expect(
            transition.divergences([able, unable]).map(\.description) == [
                "error: V1-V2 is possible on SQLite, but not on PostgreSQL. There are too many. Take fewer. [backend-divergence]"
            ])
        #expect(
            transition.divergences([unable, (backend: "SQLite", plan: unable.plan)]).map(\.description) == [
                "error: There are too many. Take fewer. [refused]"
            ])
    }

    @Test func `Versions that only one backend lets work together are found`() throws {
        let transition = try transition(.init("note", .string, isOptional: true))
        let other = try self.transition(.init("note", .string))
        let plans = [
            (
                backend: "SQLite",
                plan: Result<MigrationPlan, StoreError>.success(
                    try MigrationScript.offlinePlan([transition], .sqlite))
            ),
            (
                backend: "PostgreSQL",
                plan: .success(try MigrationScript.offlinePlan([other], .postgres))
            ),
        ]
        #expect(
            transition.divergences(plans).map(\.description) == [
                "warning: Programs of both versions can use the store together on SQLite, but not on PostgreSQL: stop those of V1 first, "
                    + "on every database. [backend-divergence]"
            ])
    }
}
