#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// A store of things behind a faulty proxy, with a direct connection to observe it.
final class InjuredStore {
    let model: ObjectModel
    let proxy: TestProxy
    /// The configuration without the proxy.
    let direct: PostgresConfiguration
    let coordinator: PostgresCoordinator
    private let observer: PostgresConnection

    init(
        model: ObjectModel? = nil, _ adjust: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws {
        let thing = EntityDescription("Thing", attributes: [AttributeDescription("name", .string)])
        self.model = try model ?? ObjectModel(entities: [thing])
        direct = try TestServer.freshConfiguration()
        let host = try #require(direct.hosts.first)
        proxy = try TestProxy(to: host.name, port: host.port ?? 5432)
        var configuration = direct
        configuration.hosts = [.init("127.0.0.1", port: proxy.port)]
        configuration.timeout = .seconds(10)
        adjust(&configuration)
        coordinator = try PostgresCoordinator(model: self.model, configuration)
        observer = try otherProgram(direct)
    }

    deinit {
        coordinator.close()
        proxy.close()
    }

    // MARK: Working

    func write(_ name: String = "write") throws -> PostgresWriteSession {
        try PostgresWriteSession(coordinator.store, SessionOptions(identifier: name))
    }

    /// Returns a session whose transaction has not begun.
    func lateSession() throws -> PostgresWriteSession {
        var options = SessionOptions(identifier: "late")
        options.defersBegin = true
        return try PostgresWriteSession(coordinator.store, options)
    }

    /// Blocks all commits, like a session in the middle of its commit, until the result is released.
    func holdCommits() throws -> HeldCommits {
        try HeldCommits(otherProgram(direct), direct)
    }

    func read(_ name: String = "read") throws -> PostgresReadSession {
        try PostgresReadSession(coordinator.store, SessionOptions(identifier: name))
    }

    func insertion(_ keys: Int64..., name: String = "new") throws -> ChangeSet {
        try insertion(of: keys, name: name)
    }

    func insertion(_ keys: ClosedRange<Int64>) throws -> ChangeSet { try insertion(of: Array(keys)) }

    private func insertion(of keys: [Int64], name: String = "new") throws -> ChangeSet {
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try rows(keys, version: 1, name: name))]
        return changes
    }

    func update(_ key: Int64, from version: Int64, name: String = "changed") throws -> ChangeSet {
        var changes = ChangeSet()
        changes.updates = [
            .init(
                entityIndex: 0, columns: [0], rows: try rows([key], version: version + 1, name: name),
                baseVersions: [version])
        ]
        return changes
    }

    private func rows(_ keys: [Int64], version: Int64, name: String) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        for key in keys {
            builder.beginRow(key: key, version: version, entityIndex: 0)
            builder.set(0, to: .string(name))
        }
        return try builder.finish()
    }

    /// A way to save a thing.
    enum Way: CaseIterable {
        /// Begins the transaction, applies the changes, and commits.
        case stepByStep
        /// In one round trip.
        case inOneTrip
    }

    /// Saves a thing in a new session.
    func save(_ key: Int64, _ way: Way = .stepByStep, name: String = "new") throws {
        let session = try way == .inOneTrip ? lateSession() : write()
        defer { session.end() }
        let changes = try insertion(key, name: name)
        if way == .inOneTrip, try session.saveInOneRoundTrip([changes], isCancellable: true) != nil { return }
        #expect(try session.apply(changes).conflicts.isEmpty)
        _ = try session.commit()
    }

    // MARK: Reading

    /// Returns the keys of all things, without the proxy.
    func keys() throws -> [Int64] {
        let result = try observer.run("SELECT \"_id\" FROM \"thing\" ORDER BY \"_id\"")
        return (0..<result.count).map { result.integer($0, 0) }
    }

    /// Returns the integer that a query selects, without the proxy.
    func integer(_ sql: String) throws -> Int64? { try observer.integer(sql) }

    /// Runs statements without the proxy.
    func execute(_ sql: String) throws { try observer.execute(sql) }

    /// Terminates the server process of a connection, and waits for its end.
    func terminate(_ process: ServerProcess) throws {
        try observer.execute("SELECT pg_terminate_backend(\(process.pid))")
        let isGone = try eventually { try !isThere(process) }
        #expect(isGone)
    }

    func isThere(_ process: ServerProcess) throws -> Bool {
        try observer.integer("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process.pid)") != 0
    }

    /// Returns whether the server process of a connection runs a statement with the given prefix.
    func runs(_ process: ServerProcess, _ beginning: String) throws -> Bool {
        try observer.integer(
            """
            SELECT count(*) FROM pg_stat_activity \
            WHERE pid = \(process.pid) AND state = 'active' AND starts_with(query, '\(beginning)')
            """) != 0
    }

    /// Expects that the pool has lost no connection: the maximum number of sessions can be open at once.
    func expectFullPool(at location: SourceLocation = #_sourceLocation) throws {
        #expect(coordinator.connectionReport.holders.isEmpty, sourceLocation: location)
        let limit = coordinator.connectionReport.limit
        let sessions = try (0..<limit).map { try read("reader \($0)") }
        #expect(coordinator.connectionReport.holders.count == limit, sourceLocation: location)
        for session in sessions {
            #expect(
                try session.fetch(FetchPlan(entityIndex: 0)).count == keys().count, sourceLocation: location)
            session.end()
        }
        #expect(coordinator.connectionReport.holders.isEmpty, sourceLocation: location)
    }
}

/// Another program, which blocks all commits to a store.
final class HeldCommits {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection, _ configuration: PostgresConfiguration) throws {
        self.connection = connection
        // It has inserted history records with the numbers of the next saves.
        let numbers = configuration.stored(PostgresNames.historySequence)
        try connection.execute(
            """
            BEGIN; INSERT INTO \(configuration.stored(StoreNames.history)) ("sequence", "mark", "date") \
            SELECT last_value + n, 0, now() FROM \(numbers), generate_series(0, 100) AS n WHERE n > 0 OR NOT is_called
            """)
    }

    func release() throws { try connection.execute("ROLLBACK") }
}
#endif
