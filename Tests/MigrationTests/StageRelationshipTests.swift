import ContextCore
import Foundation
import SQLiteBackend
import Synchronization
import Testing

/// Stages that read and set relationships.
struct StageRelationshipTests {
    private func makeStore(_ kind: StoreKind, teams: Int, players: Int = 4) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(try TeamVersions.older()) {
            try TeamVersions.fill($0, teams: teams, players: players)
        }
        return store
    }

    @Test(arguments: StoreKind.present)
    func `Stages read and set relationships of every kind, with their orders`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind, teams: 5)
        let versions = try TeamVersions.versions([
            TeamVersions.team(batchSize: 2), TeamVersions.player(batchSize: 3),
        ])
        try await store.migrate(versions)
        let words = try await store.read(versions[1].model, TeamVersions.words)
        #expect(words == TeamVersions.expected(teams: 5))
        let drift = try store.drift()
        #expect(drift == [])
        // Relationships that a stage has set behave like those that a program has set.
        try await store.write(versions[1].model) { context in
            let team = try context.all("Team")[0]
            let players = try team.objects("players")
            try team.set("reserves", to: try team.objects("reserves") + [players[0]])
            try team.set("players", to: [players[1]])
        }
        let changed = try await store.read(versions[1].model, TeamVersions.words)
        #expect(changed[0] == "t0: p0.3, p0.2, p0.1, p0.0; p0.1; p0.0; p0.2 p0.3 p0.1")
    }

    @Test(arguments: StoreKind.present)
    func `A relationship that a stage sets from the other end is ordered too`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind, teams: 2)
        // Every player changes to the other team.
        let stage = MigrationStage("Player", filling: ["team"]) { player in
            if case .int(let key)? = player.old["team"] { player[keys: "team"] = [3 - key] }
        }
        let words = MigrationStage("Team", filling: ["roster"]) { $0["roster"] = .string("") }
        let versions = try TeamVersions.versions([stage, words])
        try await store.migrate(versions)
        let players = try await store.read(versions[1].model) { context in
            try context.all("Team").map { team in try team.objects("players").map { try $0["name"] } }
        }
        #expect(players == [1, 0].map { team in (0..<4).map { .string("p\(team).\($0)") } })
        let drift = try store.drift()
        #expect(drift == [])
    }

    @Test(arguments: StoreKind.present)
    func `Relationships that a stage doesn't set are unchanged`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind, teams: 2)
        let stage = MigrationStage("Team", filling: ["roster", "players"]) { team in
            team["roster"] = .string("\(team[keys: "players"].count)")
            if team.text("name") == "t1" { team[keys: "players"] = [] }
        }
        let versions = try TeamVersions.versions([stage])
        try await store.migrate(versions)
        let teams = try await store.read(versions[1].model) { context in
            try context.all("Team").map { team in
                [try team["roster"]] + (try team.objects("players").map { try $0["name"] })
            }
        }
        #expect(teams == [["4", "p0.3", "p0.2", "p0.1", "p0.0"], ["4"]].map { $0.map(StoredValue.string) })
    }

    @Test(arguments: StoreKind.present)
    func `Objects removed with their entity are in no relationships`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind, teams: 2)
        let roster = MigrationStage("Team", filling: ["roster"]) { $0["roster"] = .string("") }
        var version = ModelVersion(
            "V2", try TeamVersions.newer(hasKeepers: false), hints: TeamVersions.hints,
            stages: [roster, TeamVersions.player()])
        version.hints.removed.insert("Keeper")
        version.hints.acceptedLosses.insert("Keeper")
        try await store.migrate([ModelVersion("V1", try TeamVersions.older()), version])
        let words = try await store.read(version.model, TeamVersions.words)
        #expect(words.contains("p0.0: t0 Player; ; t0 - -; "))
        #expect(words.suffix(3) == ["w0: 4", "w1: 2", "w2: 0"])
        let drift = try store.drift()
        #expect(drift == [])
    }

    // MARK: Batches

    @Test(arguments: StoreKind.present)
    func `A batch reads related objects once`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind, teams: 40, players: 2)
        let versions = try TeamVersions.versions([TeamVersions.team(batchSize: 16)])
        let batches = Mutex<[Int]>([])
        let questions = Mutex<[Int]>([])
        try await store.migrate(
            versions,
            watching: { sql, rows in
                if sql.contains("\"score\"") {
                    questions.withLock { $0.append(rows) }
                } else if sql.contains("\"team\" AS t0"), rows > 0 {
                    batches.withLock { $0.append(rows) }
                }
            })
        let sizes = batches.withLock { $0 }
        // Three, unless the machine is so busy that they take long.
        #expect((3..<10).contains(sizes.count) && sizes.allSatisfy { $0 <= 16 })
        #expect(questions.withLock { $0 } == sizes.map { $0 * 2 })
    }

    @Test(arguments: StoreKind.present)
    func `Objects with many related objects are in small batches`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind, teams: 5, players: 0)
        // Three teams of 4,000 players, then one of 12,000, then one without players.
        try store.sql(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24000) \
            INSERT INTO player (_id, _version, _entity, name, score, team_id, team_order) \
            SELECT i, 1, (SELECT number FROM _store_entities WHERE name = 'Player'), 'p', i % 2, \
            CASE WHEN i <= 12000 THEN 1 + (i - 1) / 4000 ELSE 4 END, -i FROM n
            """)
        let versions = try TeamVersions.versions([TeamVersions.team()])
        let questions = Mutex<[Int]>([])
        try await store.migrate(
            versions,
            watching: { sql, rows in
                if sql.contains("\"score\"") { questions.withLock { $0.append(rows) } }
            })
        // A batch has room for two teams; the third one is in the next batch, and the fourth one in a separate batch.
        let asked = questions.withLock { $0 }
        #expect(asked.first == 10_001)
        #expect(asked.filter { $0 > 10_001 } == [12_000])
        let players = try await store.read(versions[1].model) { context in
            try context.all("Team").map { try $0.objects("players").prefix(2).map(\.objectID.key) }
        }
        #expect(players == [[3999, 3997], [7999, 7997], [11_999, 11_997], [23_999, 23_997], []])
    }

    // MARK: Kills

    @Test(arguments: StoreKind.present)
    func `Wherever it is killed, no link is duplicated or missing`(_ kind: StoreKind) async throws {
        let versions = try TeamVersions.versions([
            TeamVersions.team(batchSize: 2), TeamVersions.player(batchSize: 4),
        ])
        // A sample of several hundred statements in each run.
        let every = 11
        var (killed, finished) = (Int.random(in: 0..<every), 0)
        while true {
            let store = try await makeStore(kind, teams: 3)
            guard try await store.migrateDying(after: killed, versions) else { break }
            let run = try store.state().run
            if let run, !run.steps.prefix(run.done).contains(where: { $0.phase == .contract }),
                finished % 2 == 0
            {
                try store.kind.backend.rollBackMigration(of: store.url)
                let drift = try store.drift()
                #expect(drift == [], "\(killed)")
            }
            // The program that continues may have the stages in another order.
            try await store.migrate(try TeamVersions.versions(versions[1].stages.reversed()))
            let words = try await store.read(versions[1].model, TeamVersions.words)
            #expect(words == TeamVersions.expected(teams: 3), "\(killed)")
            let drift = try store.drift()
            #expect(drift == [], "\(killed)")
            finished += 1
            killed += every
        }
        #expect(finished > 3)
    }

    @Test(arguments: StoreKind.present)
    func `The temporary tables of links belong to the store`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind, teams: 3)
        let stage = MigrationStage("Team", filling: ["roster", "captain"]) { _ in throw CancellationError() }
        let versions = try TeamVersions.versions([stage])
        await #expect(throws: CancellationError.self) { try await store.migrate(versions) }
        let inspector = try kind.backend.inspect(store.url)
        let tables = try inspector.tables()
        inspector.close()
        #expect(tables.contains { $0.name.hasPrefix("_new__links_") && $0.role == .store })
        #expect(!tables.contains { $0.role == .other })
        try kind.backend.rollBackMigration(of: store.url)
        let drift = try store.drift()
        #expect(drift == [])
    }

    // MARK: Refusals

    @Test(arguments: StoreKind.present)
    func `Invalid relationships are rejected with a message, and the store is unchanged`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind, teams: 2)
        let before = try store.state().models.map(\.fingerprint)
        let stages: [(words: String, stage: MigrationStage)] = [
            (
                "Team.captain of object 1 would refer to object 99, which is not an existing Player.",
                Self.stage("captain") { $0[keys: "captain"] = [99] }
            ),
            (
                "Team.captain of object 1 is a to-one relationship, and the stage assigned 2 objects to it.",
                Self.stage("captain") { $0[keys: "captain"] = [1, 2] }
            ),
            (
                "Two objects would refer to object 1 by Team.reserves, which allows only one.",
                Self.stage("reserves") { $0[keys: "reserves"] = [1] }
            ),
            (
                "The stage uses Team.players, but its reading list doesn't contain the relationship.",
                Self.stage("captain") { _ = try $0.related("players") }
            ),
        ]
        for (words, stage) in stages {
            let error = await refusal { try await store.migrate(try TeamVersions.versions([stage])) }
            #expect(error?.message == words)
            #expect(error?.remedy?.isEmpty == false)
            #expect(try store.state().run == nil)
            #expect(try store.state().models.map(\.fingerprint) == before)
            let drift = try store.drift()
            #expect(drift == [], "\(words)")
        }
    }

    private static func stage(
        _ relationship: String, _ fill: @escaping @Sendable (inout MigratingObject) throws -> Void
    ) -> MigrationStage {
        // Each object is a batch, so the two occurrences are in two batches.
        MigrationStage("Team", filling: ["roster", relationship], batchSize: 1) { team in
            team["roster"] = .string("")
            try fill(&team)
        }
    }

    @Test func `Mistakes of a stage are found before anything is done`() throws {
        let same: @Sendable (inout MigratingObject) -> Void = { _ in }
        let stages: [(words: String, stages: [MigrationStage])] = [
            (
                "A stage of Team reads the relationship “reserves”, which the older model doesn't have.",
                [MigrationStage("Team", filling: ["roster"], reading: ["reserves"], transform: same)]
            ),
            (
                "Stages fill Team.captain and its inverse, Player.leads.",
                [
                    MigrationStage("Team", filling: ["roster", "captain"], transform: same),
                    MigrationStage("Player", filling: ["leads"], transform: same),
                ]
            ),
            (
                "Keeper.team is a relationship of Player.",
                [MigrationStage("Keeper", filling: ["team"], transform: same)]
            ),
        ]
        for (words, stages) in stages {
            let versions = try TeamVersions.versions(stages)
            let error = #expect(throws: StoreError.self) {
                try StoreBackend.sqlite.migrationPlan(
                    [ModelTransition(from: versions[0], to: versions[1])])
            }
            #expect(error?.code == .migrationRefused)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}
