#if Postgres
import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import PostgresBackend

/// Randomly damaged results from a server: a session returns a result or throws, and never traps.
///
/// `STORE_DAMAGE_ROUNDS` is the number of rounds, and `STORE_DAMAGE_SEED` the first seed.
@Suite(.enabled(if: TestServer.isExpected))
struct DamagedAnswerTests {
    private static let rounds = UInt64(Effort.count("STORE_DAMAGE_ROUNDS", otherwise: 60))
    private static let seed = UInt64(Effort.count("STORE_DAMAGE_SEED", otherwise: 1))

    /// An attribute of each type.
    private static let attributes: [AttributeDescription] = [
        AttributeDescription("name", .string), AttributeDescription("flag", .bool),
        AttributeDescription("short", .int16), AttributeDescription("middle", .int32),
        AttributeDescription("long", .int64), AttributeDescription("small", .float),
        AttributeDescription("large", .double),
        AttributeDescription("price", .decimal(precision: 20, scale: 4)),
        AttributeDescription("day", .date), AttributeDescription("bytes", .data),
        AttributeDescription("mark", .uuid), AttributeDescription("address", .url),
    ]

    private func value(_ type: AttributeType, _ key: Int64) -> StoredValue {
        switch type {
        case .bool: .bool(key % 2 == 0)
        case .int16, .int32, .int64: .int(key)
        case .float, .double: .double(Double(key) / 2)
        case .decimal: .decimal(Decimal(key) / 16)
        case .string: .string(String(repeating: "é", count: Int(key)))
        case .url: .string("https://example.org/\(key)")
        case .data: .data(Data(repeating: UInt8(key), count: Int(key)))
        case .date: .timestamp(microseconds: key * 1_000_000)
        case .uuid: .uuid(UUID())
        case .codable, .composite: .null
        }
    }

    private func insertion(_ model: ObjectModel, _ keys: ClosedRange<Int64>) throws -> ChangeSet {
        var builder = RowBatchBuilder(model: model)
        for key in keys {
            builder.beginRow(key: key, version: 1, entityIndex: 0)
            for (index, column) in model.layouts[0].columns.enumerated() {
                guard case .attribute(let type) = column.kind else { continue }
                builder.set(index, to: value(type, key))
            }
        }
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        return changes
    }

    private func readEverything(_ store: InjuredStore) throws {
        let session = try store.read("damaged")
        defer { session.end() }
        for batch in [
            try session.fetch(FetchPlan(entityIndex: 0)), try session.rows([1, 2, 40], entityIndex: 0),
        ] {
            for row in 0..<batch.count {
                for column in store.model.layouts[0].columns.indices { _ = batch.value(column, at: row) }
            }
        }
    }

    @Test func `A damaged response is read or rejected`() async throws {
        try await OwnThread.run {
            let model = try ObjectModel(entities: [
                EntityDescription("Thing", attributes: Self.attributes)
            ])
            let store = try InjuredStore(model: model) { $0.timeout = .seconds(2) }
            let session = try store.write()
            #expect(try session.apply(insertion(model, 1...40)).conflicts.isEmpty)
            _ = try session.commit()
            session.end()
            for seed in Self.seed..<Self.seed + Self.rounds {
                store.proxy.arm(.damage(seed: seed))
                do {
                    try readEverything(store)
                } catch is StoreError {
                } catch {
                    Issue.record("STORE_DAMAGE_SEED=\(seed): \(type(of: error)) \(error)")
                }
            }
            // Without further damage, the store works as before.
            store.proxy.arm(nil)
            store.proxy.cutAll()
            #expect(eventually { (try? readEverything(store)) != nil })
        }
    }
}
#endif
