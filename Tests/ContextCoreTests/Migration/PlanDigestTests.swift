import Testing

@testable import ContextCore

/// The digest of a plan identifies what the plan does, and not how it is described.
struct PlanDigestTests {
    private let step = MigrationStep(
        .contract, "Rows lose the note.", .statements(["ALTER TABLE game DROP COLUMN note"]),
        checks: [
            .init(count: "SELECT count(*) FROM game", sentence: "have a note", rule: "notes", subject: "Game")
        ],
        locks: ["game"], lateStatements: ["ANALYZE game"],
        effects: [TableEffect(table: "game", lock: nil, work: .rewritten)])

    private func digest(_ change: (inout MigrationStep) -> Void = { _ in }) throws -> String {
        let models = try [nil, AttributeDescription("note", .string, isOptional: true)].map { note in
            try ObjectModel(entities: [
                EntityDescription("Game", attributes: [.init("title", .string)] + [note].compactMap(\.self))
            ])
        }
        let versions = try ModelVersions([ModelVersion("V1", models[0]), ModelVersion("V2", models[1])])
        let transition = try #require(versions.transitions(from: models[0]).first)
        var changed = step
        change(&changed)
        return MigrationPlan(
            backend: "SQLite", frame: .init(opening: ["BEGIN"], closing: ["COMMIT"]),
            segments: [.init(transition: transition, steps: [changed], undo: step)]
        ).digest
    }

    @Test func `Other words don't change the digest`() throws {
        let original = try digest()
        #expect(try digest { $0.sentence = "The notes are removed." } == original)
        #expect(try digest { $0.effects = nil } == original)
        #expect(try digest { $0.checks[0].sentence = "contain a note" } == original)
        #expect(
            try digest {
                $0.checks[0].rule = nil
                $0.checks[0].subject = nil
            } == original)
    }

    @Test func `Another statement, check, phase or lock changes the digest`() throws {
        let digests = [
            try digest(),
            try digest { $0.work = .statements(["ALTER TABLE game DROP COLUMN title"]) },
            try digest { $0.work = .separately(["ALTER TABLE game DROP COLUMN note"]) },
            try digest { $0.lateStatements = nil },
            try digest { $0.checks[0].count = "SELECT 0" },
            try digest { $0.checks = [] },
            try digest { $0.phase = .expand },
            try digest { $0.force = .newer },
            try digest { $0.locks = [] },
            try digest { $0.foreignLosses = ["index mine of game"] },
        ]
        #expect(Set(digests).count == digests.count)
    }
}
