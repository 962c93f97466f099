import ContextCore
import Foundation
import SQLiteBackend
import StoreConformance

@testable import PostgresBackend

/// A kind of store under test.
///
/// To test another backend, add a value to ``all``.
struct Subject: Sendable, CustomStringConvertible {
    let fixture: StoreFixture

    var description: String { fixture.name }

    static let all: [Subject] =
        [memory, sqliteFile, sqliteMemory] + [postgres, postgresBehindPooler].compactMap { $0 }

    static let memory = Subject(
        fixture: StoreFixture(name: "memory", capabilities: [.history, .concurrentReads]) { _, model in
            InMemoryCoordinator(model: model)
        })

    static let sqliteFile = Subject(
        fixture: StoreFixture(
            name: "SQLite file",
            capabilities: [.persistent, .sharedByProcesses, .history, .concurrentReads]
        ) { place, model in
            let folder = folder(of: place)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appendingPathComponent("store.sqlite").path
            return try SQLiteCoordinator(
                model: model, SQLiteConfiguration(path: path, synchronous: .off, busyTimeout: .seconds(10)))
        } remove: { place in
            try FileManager.default.removeItem(at: folder(of: place))
        })

    static let sqliteMemory = Subject(
        fixture: StoreFixture(name: "SQLite memory", capabilities: [.history, .concurrentReads]) {
            _, model in
            try SQLiteCoordinator(model: model, SQLiteConfiguration(path: nil))
        })

    /// A schema on the server that `scripts/test` starts; nil if there is no server and the environment doesn't require one.
    static let postgres: Subject? = {
        let environment = ProcessInfo.processInfo.environment
        guard
            let url = environment["STORE_TEST_POSTGRES_URL"]
                ?? environment["STORE_REQUIRE_POSTGRES"].map({ _ in "" })
        else {
            print("ConformanceTests: PostgreSQL is skipped, for STORE_TEST_POSTGRES_URL names no server.")
            return nil
        }
        return postgres("PostgreSQL", url, isPooled: false)
    }()

    /// A schema on the server behind the PgBouncer that `scripts/postgres.sh --pooler` starts; nil if it doesn't run.
    static let postgresBehindPooler: Subject? = ProcessInfo.processInfo.environment[
        "STORE_TEST_POSTGRES_POOLER_URL"
    ].map { postgres("PostgreSQL behind PgBouncer", $0, isPooled: true) }

    private static func postgres(_ name: String, _ url: String, isPooled: Bool) -> Subject {
        @Sendable func configuration(_ place: String) throws -> PostgresConfiguration {
            var configuration = try PostgresConfiguration(StoreURL(url))
            configuration.schema = place
            configuration.isPooled = isPooled
            // A case has several pinned contexts, each of which occupies a connection.
            configuration.connections = 12
            return configuration
        }
        return Subject(
            fixture: StoreFixture(
                name: name,
                capabilities: [
                    .persistent, .sharedByProcesses, .history, .concurrentReads, .concurrentWrites,
                    .singleRoundTripSaves,
                ]
            ) { place, model in
                try PostgresCoordinator(model: model, configuration(place))
            } remove: { place in
                try PostgresConnection(configuration(place)).execute("DROP SCHEMA \"\(place)\" CASCADE")
            })
    }

    private static func folder(of place: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(place)
    }
}

extension Subject {
    /// The factor by which a script takes longer than on an in-memory store.
    var slowness: UInt64 {
        switch fixture.name {
        case Self.memory.fixture.name: 1
        case Self.sqliteFile.fixture.name, Self.sqliteMemory.fixture.name: 5
        default: 20
        }
    }
}
