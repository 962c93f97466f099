import ContextCore
import Foundation
import RandomSeeds
import Testing

/// Processes that are killed at random times; `KillTests` covers every statement.
struct KilledMomentTests {
    private static let rows = 3000
    private static let last = 5

    /// Returns versions with an indexed number each, one greater than that of the previous version.
    private static func versions() throws -> [ModelVersion] {
        try (0...last).map { number in
            let model = try ObjectModel(entities: [
                .init(
                    "Player",
                    attributes: [
                        .init("name", .string), .init("a\(number)", .int64, default: .value(.int(-1))),
                    ],
                    indexes: [.init([.init("a\(number)")])])
            ])
            if number == 0 { return ModelVersion("V0", model) }
            let older = "a\(number - 1)"
            return ModelVersion(
                "V\(number)", model,
                hints: MigrationHints(
                    removed: ["Player.\(older)"], conversions: ["Player.a\(number)": "\(older) + 1"],
                    acceptedLosses: ["Player.\(older)"]))
        }
    }

    @Test(arguments: StoreKind.present)
    func `A chain that is killed at any time is resumed by the tool, without repeated steps`(
        _ kind: StoreKind
    ) async throws {
        let versions = try Self.versions()
        let store = try MigratedStore(kind)
        try await store.write(versions[0].model) { _ in }
        try store.sql(
            """
            INSERT INTO player (_id, _version, name, a0) WITH RECURSIVE n (n) AS \
            (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(Self.rows)) SELECT n, 1, 'p' || n, n FROM n
            """)
        let folder = try FrozenFolder(versions, in: store.path("versions"))
        let target = versions[Self.last]
        var random = SeededRandom(seed: 9)
        var (killed, begun) = (0, 0)
        while try store.state().models.last?.fingerprint != target.model.fingerprint, killed < 100 {
            let death = MoverProcess.Fate.dyingLater(200 << random.below(10))
            let (status, words) = try await MoverProcess(store.text, folder.path, target.name, death)
                .wait()
            #expect([0, SIGKILL].contains(status), "\(words)")
            if status == SIGKILL { killed += 1 }
            guard try store.state().run != nil else { continue }
            begun += 1
            let arguments = ["migrate", "resume", "--backup", "none", "--project", folder.path]
            let resumed = try await ToolProcess(store.text, arguments).wait()
            #expect(resumed == 0, "\(begun)")
            #expect(try store.state().run == nil, "\(begun)")
        }
        #expect(killed > 0 && begun > 0, "\(killed) killed, \(begun) in between")
        #expect(try store.state().entries.map(\.transition) == (1...Self.last).map { "V\($0 - 1)-V\($0)" })
        let wrong = try store.sql(
            "SELECT count(*), sum(CASE WHEN a\(Self.last) = _id + \(Self.last) THEN 0 ELSE 1 END) FROM player"
        )
        #expect(wrong == [[.int(Int64(Self.rows)), .int(0)]], "\(killed) killed, \(begun) in between")
        let drift = try store.drift()
        #expect(drift == [])
    }
}
