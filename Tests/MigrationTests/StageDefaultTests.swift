import ContextCore
import SQLiteBackend
import Testing

/// Properties that stages don't set, and derived ones.
struct StageDefaultTests {
    /// Returns a model of a team with its players, their number, and the best of them.
    private func model(best: String, hasRoster: Bool, isLedFrom teams: Bool = true) throws -> ObjectModel {
        var team = EntityDescription(
            "Team",
            attributes: [
                .init("name", .string),
                .init("size", .int64, storage: .derived(.count(relationship: "players"))),
                .init("points", .int64, storage: .derived(.sum(relationship: "players", attribute: "score"))),
            ],
            relationships: [.init("players", to: "Player", inverse: "team", isToMany: true)])
        if hasRoster { team.attributes.append(.init("roster", .string, isOptional: true)) }
        if teams { team.relationships.append(.init(best, to: "Player", inverse: "leads")) }
        return try ObjectModel(entities: [
            team,
            .init(
                "Player", attributes: [.init("name", .string), .init("score", .int64)],
                relationships: [
                    .init("team", to: "Team", inverse: "players"),
                    .init("leads", to: "Team", inverse: teams ? best : nil),
                ]),
        ])
    }

    /// Creates two teams of two players each, of which the second player leads.
    private func fill(_ context: ObjectContext) throws {
        for number in 0..<2 {
            let team = try context.make("Team", ["name": .string("t\(number)")])
            for place in 1...2 {
                let player = try context.make(
                    "Player", ["name": .string("p\(number).\(place)"), "score": .int(Int64(place))])
                try player.set("team", to: team)
                if place == 2 { try player.set("leads", to: team) }
            }
        }
    }

    @Test(arguments: StoreKind.present)
    func `Attributes derived from a stage's values are computed again`(_ kind: StoreKind) async throws {
        let old = try model(best: "leader", hasRoster: false)
        let store = try MigratedStore(kind)
        try await store.write(old, fill)
        let stage = MigrationStage("Team", filling: ["players"]) { team in
            if team.text("name") == "t1" { team[keys: "players"] = Array(team[keys: "players"].prefix(1)) }
        }
        let new = try model(best: "leader", hasRoster: true)
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new, stages: [stage])])
        let values = try await store.read(new) { context in
            try context.all("Team").flatMap { [try $0["size"], try $0["points"]] }
        }
        #expect(values == [2, 3, 1, 1].map(StoredValue.int))
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `A renamed relationship is unchanged if the stage doesn't set it`(_ kind: StoreKind) async throws {
        let old = try model(best: "leader", hasRoster: false)
        let store = try MigratedStore(kind)
        try await store.write(old, fill)
        let stage = MigrationStage("Team", filling: ["captain"]) { team in
            if team.text("name") == "t1" { team[keys: "captain"] = [] }
        }
        let new = try model(best: "captain", hasRoster: true)
        try await store.migrate([
            ModelVersion("V1", old),
            ModelVersion(
                "V2", new, hints: MigrationHints(renames: ["Team.captain": "leader"]), stages: [stage]),
        ])
        let captains = try await store.read(new) { context in
            try context.all("Team").map { try $0.object("captain").map { try $0["name"] } ?? .null }
        }
        #expect(captains == [.string("p0.2"), .null])
    }

    private func plan(_ old: ObjectModel, _ new: ObjectModel, _ stages: [MigrationStage]) throws {
        _ = try StoreBackend.sqlite.migrationPlan([
            try ModelTransition(from: ModelVersion("V1", old), to: ModelVersion("V2", new, stages: stages))
        ])
    }

    @Test func `A stage must set the existing end of a relationship`() throws {
        let old = try model(best: "captain", hasRoster: false, isLedFrom: false)
        let new = try model(best: "captain", hasRoster: true)
        let error = #expect(throws: StoreError.self) {
            try plan(old, new, [MigrationStage("Team", filling: ["captain"]) { _ in }])
        }
        #expect(error?.message.contains("only its inverse") == true)
        #expect(error?.remedy?.contains("Player.leads") == true)
    }

    @Test func `A relationship is set once`() throws {
        let old = try model(best: "leader", hasRoster: false)
        let new = try model(best: "leader", hasRoster: true)
        for stages in [
            [MigrationStage("Team", filling: ["leader", "leader"]) { _ in }],
            [
                MigrationStage("Team", filling: ["leader"]) { _ in },
                MigrationStage("Team", filling: ["roster", "leader"]) { _ in },
            ],
        ] {
            let error = #expect(throws: StoreError.self) { try plan(old, new, stages) }
            #expect(error?.message.contains("more than once") == true)
        }
    }

    @Test func `A stage of an entity without older objects decides nothing`() throws {
        let old = try ObjectModel(entities: [
            .init("Player", relationships: [.init("club", to: "Club", inverse: "members")]),
            .init("Club", relationships: [.init("members", to: "Player", inverse: "club", isToMany: true)]),
        ])
        let new = try ObjectModel(entities: [
            .init("Player", relationships: [.init("club", to: "Team", inverse: "members")]),
            .init("Club"),
            .init("Team", relationships: [.init("members", to: "Player", inverse: "club", isToMany: true)]),
        ])
        let stage = MigrationStage("Team", filling: ["members"]) { _ in }
        let transition = try ModelTransition(
            from: ModelVersion("V1", old), to: ModelVersion("V2", new, stages: [stage]))
        #expect(transition.undecided.map(\.path).contains("Player.club"))
    }
}
