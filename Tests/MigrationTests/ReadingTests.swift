import ChildProcesses
import ContextCore
import Foundation
import Synchronization
import Testing

/// Reads while the tables of a server are changed.
struct ReadingTests {
    private static func versions() throws -> [ModelVersion] {
        func model(_ type: AttributeType) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init("Game", attributes: [.init("price", type)]),
                .init("Note", attributes: [.init("text", .string)]),
            ])
        }
        return [ModelVersion("V1", try model(.int32)), ModelVersion("V2", try model(.double))]
    }

    @Test(arguments: StoreKind.present.filter { $0 == .postgres })
    func `A migration waits for a reader, which reads its snapshot to the end`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        let versions = try Self.versions()
        try await store.write(versions[0].model) { context in
            try context.make("Game", ["price": .int(5)])
            try context.make("Note", ["text": .string("n")])
        }
        let older = try await store.open(versions[0].model)
        let (begun, waiting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isMigrated = Atomic(false)
        let url = store.url
        async let prices = older.read("long") { context in
            _ = try context.all("Note")
            begun.signal()
            waiting.wait()
            return try context.values("Game", "price")
        }
        async let migrating: MigrationOutcome = onThread {
            begun.wait()
            defer { isMigrated.store(true, ordering: .relaxed) }
            return try kind.backend.migrate(url, to: ModelVersions(versions))
        }
        // Until the migration waits for the reader, or has passed it.
        let others = """
            SELECT count(*) FROM pg_locks WHERE NOT granted \
            AND relation = to_regclass('\(url.options["schema"] ?? "")._store_models')
            """
        try await onThread {
            defer { waiting.signal() }
            let inspector = try kind.backend.inspect(url)
            defer { inspector.close() }
            while !isMigrated.load(ordering: .relaxed),
                try inspector.run(others, writing: false, limit: nil).rows == [[.int(0)]]
            {
                usleep(2000)
            }
        }
        #expect(try await prices == [.int(5)])
        #expect(try await migrating.transitions == ["V1-V2"])
        await older.close()
        #expect(try await store.read(versions[1].model) { try $0.values("Game", "price") } == [.double(5)])
    }
}
