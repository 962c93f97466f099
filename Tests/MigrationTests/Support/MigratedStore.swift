import ChildProcesses
import ContextCore
import Foundation
import PostgresBackend
import TestDatabases
import Testing

@testable import SQLiteBackend

/// The kinds of stores that are migrated.
enum StoreKind: String, Sendable, CaseIterable {
    case sqlite, postgres

    private static let environment = ProcessInfo.processInfo.environment
    /// The database on the test server that is reserved for these tests.
    static let serverURL = TestDatabases.own("migration")

    /// The available kinds: PostgreSQL if a server is configured or required.
    static let present: [StoreKind] =
        serverURL != nil || environment["STORE_REQUIRE_POSTGRES"] != nil ? allCases : [.sqlite]

    var backend: StoreBackend { self == .sqlite ? .sqlite : .postgres }
}

/// A store that a test creates with one model and migrates to others; it is removed with this object.
final class MigratedStore {
    let kind: StoreKind
    let text: String
    let url: StoreURL
    private let folder: URL

    init(_ kind: StoreKind) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        switch kind {
        case .sqlite: text = "sqlite:\(folder.path)/store.sqlite"
        case .postgres:
            let server = try #require(
                StoreKind.serverURL, "STORE_TEST_POSTGRES_URL names no server: run scripts/test.")
            let schema = "migration_\(UUID().uuidString.prefix(8).lowercased())"
            text = server + (server.contains("?") ? "&" : "?") + "schema=\(schema)&connections=2"
        }
        url = try StoreURL(text)
    }

    deinit {
        if kind == .postgres, let schema = url.options["schema"] {
            _ = try? sql("DROP SCHEMA \"\(schema)\" CASCADE")
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns a path in the test's folder.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Opens the store with a model, creates it if necessary, and changes it.
    func write(_ model: ObjectModel, _ body: @Sendable (ObjectContext) throws -> Void) async throws {
        let store = try await open(model)
        do {
            try await store.write("test") { try body($0) }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Opens the store with a model, and reads it.
    func read<Value: Sendable>(
        _ model: ObjectModel, _ body: @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        let store = try await open(model)
        let value = try await store.read("test") { try body($0) }
        await store.close()
        return value
    }

    func open(_ model: ObjectModel, _ migration: StoreMigration = .none) async throws -> Store {
        try await Store.open(text, backends: [.sqlite, .postgres], model: model, migration: migration)
    }

    /// Migrates on a new thread, since a migration may wait for other tests that run in the cooperative pool.
    @discardableResult
    func migrate(
        _ versions: [ModelVersion], _ options: MigrationOptions = MigrationOptions()
    ) async throws -> MigrationOutcome {
        try await onThread { [kind, url] in
            try kind.backend.migrate(url, to: ModelVersions(versions), options)
        }
    }

    func plan(_ versions: [ModelVersion]) throws -> MigrationPlan {
        try kind.backend.migrationPlan(of: url, to: ModelVersions(versions))
    }

    func state() throws -> MigrationState {
        let migrator = try kind.backend.migrator(of: url)
        defer { migrator.close() }
        return try migrator.state()
    }

    func drift() throws -> [String] {
        let migrator = try kind.backend.migrator(of: url)
        defer { migrator.close() }
        return try migrator.drift()
    }

    @discardableResult
    func sql(_ statement: String) throws -> [[StoredValue]] {
        let inspector = try kind.backend.inspect(url)
        defer { inspector.close() }
        return try inspector.run(statement, writing: true, limit: nil).rows
    }
}

extension MigratedStore {
    /// Makes a player's reference dangling, by SQL.
    func orphan() throws {
        let connection = try SQLiteConnection(path: url.path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = 0")
        try connection.execute("UPDATE player SET game_id = 999 WHERE _id = (SELECT max(_id) FROM player)")
    }
}

extension ObjectContext {
    /// Returns all objects of an entity, in the order of their keys.
    func all(_ entityName: String) throws -> [ManagedObject] {
        try fetch(FetchRequest<ManagedObject>(entityName: entityName)).sorted {
            $0.objectID.key < $1.objectID.key
        }
    }

    /// Returns the values of an attribute of all objects of an entity, in the order of their keys.
    func values(_ entityName: String, _ name: String) throws -> [StoredValue] {
        try all(entityName).map { try $0[name] }
    }

    @discardableResult
    func make(_ entityName: String, _ values: [String: StoredValue] = [:]) throws -> ManagedObject {
        let object = try insert(entityName)
        for (name, value) in values { try object.set(name, toStored: value) }
        return object
    }
}

/// Returns the store error that a block throws; nil if it throws none.
func refusal(_ body: () async throws -> Void) async -> StoreError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StoreError
    }
}
