import ContextCore
import Foundation
import Synchronization
import Testing

/// Programs that change rows by SQL while a migration computes values.
struct OtherWriterTests {
    private static let kinds = StoreKind.present.filter { $0 == .postgres }

    private static func version(
        _ name: String, _ attributes: [AttributeDescription], _ hints: MigrationHints = MigrationHints()
    ) throws -> ModelVersion {
        let common = [AttributeDescription("name", .string), .init("first", .string, isOptional: true)]
        return ModelVersion(
            name, try ObjectModel(entities: [.init("Player", attributes: common + attributes)]), hints: hints)
    }

    private static func versions() throws -> [ModelVersion] {
        let label = AttributeDescription("label", .string, default: .value(.string("")))
        return [
            try version("V1", []),
            try version("V2", [label], MigrationHints(conversions: ["Player.label": "first"])),
        ]
    }

    private static func makeStore(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(versions()[0].model) { context in
            for index in 0..<20 {
                try context.make("Player", ["name": .string("p\(index)"), "first": .string("f\(index)")])
            }
        }
        return store
    }

    private static func change(_ player: Int, in url: StoreURL, _ kind: StoreKind) throws {
        let inspector = try kind.backend.inspect(url)
        defer { inspector.close() }
        let statement =
            "UPDATE player SET first = 'other', _version = _version + 1 WHERE name = 'p\(player)'"
        _ = try inspector.run(statement, writing: true, limit: nil)
    }

    /// Migrates while another program changes a player before a statement, and returns the two attributes of the players.
    private static func migrate(
        _ kind: StoreKind, changing player: Int, before isMoment: @escaping @Sendable (String) -> Bool
    ) async throws -> [[StoredValue]] {
        let store = try await makeStore(kind)
        let changes = Mutex(0)
        let problems = Mutex<[String]>([])
        let url = store.url
        try await store.migrate(versions()) { statement in
            guard changes.withLock({ $0 }) == 0, isMoment(statement) else { return }
            changes.withLock { $0 += 1 }
            do { try change(player, in: url, kind) } catch { problems.withLock { $0.append("\(error)") } }
        }
        #expect(changes.withLock { $0 } == 1)
        #expect(problems.withLock { $0 } == [])
        #expect(try store.drift() == [])
        return try await store.read(versions()[1].model) { context in
            try context.all("Player").map { [try $0["first"], try $0["label"]] }
        }
    }

    @Test(arguments: kinds)
    func `Rows changed between reading and writing are computed again`(_ kind: StoreKind) async throws {
        let values = try await Self.migrate(kind, changing: 3) {
            $0.hasPrefix("UPDATE") && $0.contains("_new_")
        }
        #expect(values[3] == [.string("other"), .string("other")])
        #expect(values.allSatisfy { $0[0] == $0[1] })
    }

    @Test(arguments: kinds)
    func `Rows changed just before the tables are locked are computed again`(_ kind: StoreKind) async throws {
        let isFilled = Mutex(false)
        let values = try await Self.migrate(kind, changing: 5) { statement in
            if statement.hasPrefix("UPDATE"), statement.contains("_new_") { isFilled.withLock { $0 = true } }
            return isFilled.withLock { $0 } && statement.hasPrefix("LOCK TABLE")
        }
        #expect(values[5] == [.string("other"), .string("other")])
        #expect(values.allSatisfy { $0[0] == $0[1] })
    }
}
