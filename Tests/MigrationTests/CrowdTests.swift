import ContextCore
import Foundation
import Testing

/// Several processes that migrate the same store at the same time.
struct CrowdTests {
    @Test(arguments: StoreKind.present)
    func `Eight migrating processes, some of which are killed, run each step once`(_ kind: StoreKind)
        async throws
    {
        let store = try MigratedStore(kind)
        var making = RandomVersions(seed: 8)
        let versions = try making.versions(6)
        let folder = try FrozenFolder(versions, in: store.path("versions"))
        try await store.fill(versions[0].model, 8)
        // Start it alone, so that it begins the migration.
        let first = try await MoverProcess(store.text, folder.path, "V6", dyingAt: 2).wait()
        #expect(first.status == SIGKILL)
        let dying = try (2...4).map { try MoverProcess(store.text, folder.path, "V6", dyingAt: $0) }
        let movers = try (0..<4).map { _ in try MoverProcess(store.text, folder.path, "V6") }
        for mover in dying {
            // Those that find nothing left to do don't reach that step.
            let status = try await mover.wait().status
            #expect([0, SIGKILL].contains(status))
        }
        try await expectSuccess(of: movers)
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.entries.map(\.transition) == ["V1-V2", "V2-V3", "V3-V4", "V4-V5", "V5-V6"])
        #expect(state.models.last?.fingerprint == versions[5].model.fingerprint)
        let drift = try store.drift()
        #expect(drift == [])
    }

    /// Waits for the end of processes, and expects each of them to succeed.
    private func expectSuccess(of movers: [MoverProcess]) async throws {
        for mover in movers {
            let (status, words) = try await mover.wait()
            #expect(status == 0, "\(words)")
        }
    }

    /// Returns versions with indexes, which a server creates concurrently, between two transactions.
    private func indexedVersions() throws -> [ModelVersion] {
        let name = AttributeDescription("name", .string)
        let score = AttributeDescription("score", .int64)
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        func version(
            _ title: String, _ attributes: [AttributeDescription], _ indexes: [IndexDescription]
        ) throws -> ModelVersion {
            ModelVersion(
                title,
                try ObjectModel(entities: [.init("Player", attributes: attributes, indexes: indexes)]))
        }
        return [
            try version("V1", [name, score], []),
            try version("V2", [name, score], [.init(["score"])]),
            try version("V3", [name, score, stars], [.init(["score"]), .init(["name", "score"])]),
        ]
    }

    @Test(arguments: StoreKind.present)
    func `Eight migrating processes, four of which are killed in a step, run each step once`(
        _ kind: StoreKind
    ) async throws {
        let versions = try indexedVersions()
        let store = try MigratedStore(kind)
        try await store.fill(versions[0].model, 8)
        if kind == .postgres { #expect(try store.plan(versions).script.contains("INDEX CONCURRENTLY")) }
        let folder = try FrozenFolder(versions, in: store.path("versions"))
        let hold = try StepHold(store, table: "player")
        var movers = try (0..<8).map { _ in try MoverProcess(store.text, folder.path, "V3", hold.fate) }
        for _ in 0..<4 {
            let place = try #require(try await MoverProcess.speaker(among: movers))
            try await hold.catchHolder(movers[place])
            let holder = movers.remove(at: place)
            holder.kill()
            let status = try await holder.wait().status
            #expect(status == SIGKILL)
        }
        try hold.release()
        try await expectSuccess(of: movers)
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.entries.map(\.transition) == ["V1-V2", "V2-V3"])
        // An unfinished index would be reported.
        let drift = try store.drift()
        #expect(drift == [])
        #expect(try store.sql("SELECT count(*) FROM player") == [[.int(2)]])
    }

    @Test(arguments: StoreKind.present)
    func `After a process is killed in a step, the next one continues within two seconds`(
        _ kind: StoreKind
    )
        async throws
    {
        let versions = try indexedVersions()
        var times: [Duration] = []
        // On a busy machine a process takes long to start: the first one, which isn't blocked, shows how long. A quick one afterwards
        // shows that it didn't wait.
        while times.count < 3, times.last.map({ $0 >= .seconds(2) }) ?? true {
            let store = try MigratedStore(kind)
            try await store.fill(versions[0].model, 8)
            let folder = try FrozenFolder(versions, in: store.path("versions"))
            let hold = try StepHold(store, table: "player")
            let beginning = ContinuousClock.now
            let holder = try MoverProcess(store.text, folder.path, "V3", hold.fate)
            _ = try await holder.line()
            let usual = beginning.duration(to: .now)
            try await hold.catchHolder(holder)
            let next = try MoverProcess(store.text, folder.path, "V3", hold.fate)
            let death = ContinuousClock.now
            holder.kill()
            let line = try await next.line()
            times.append(death.duration(to: .now) - usual)
            try hold.release()
            #expect(line != nil)
            let status = try await next.wait().status
            #expect(status == 0)
            _ = try await holder.wait()
            #expect(try store.state().entries.map(\.transition) == ["V1-V2", "V2-V3"])
        }
        #expect(times.contains { $0 < .seconds(2) }, "\(times)")
    }
}
