#if SQLite
import CFaultyFiles
import CSQLite
import ContextCore
import Foundation
import Synchronization
import Testing

@testable import SQLiteBackend

/// Errors about stores that are locked or not writable: rows S6 and S7 of the failure matrix.
struct LockedStoreTests {
    @Test func `A store that another process writes to is busy, can be read, and is free afterwards`() throws
    {
        let store = try TemporaryStore { $0.busyTimeout = .milliseconds(300) }
        let graphs = SavedGraphs(model: store.model)
        try graphs.save(1, to: store.coordinator)
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { other.close() }
        try other.execute("BEGIN IMMEDIATE")
        let started = ContinuousClock.now
        let error = #expect(throws: StoreError.self) { try graphs.save(2, to: store.coordinator) }
        #expect(error?.code == .busy)
        #expect(error?.remedy?.contains("busy_timeout") == true)
        #expect(ContinuousClock.now - started >= .milliseconds(300))
        try store.read { #expect($0.token.sequence == 1) }
        let second = try SQLiteCoordinator(
            model: store.model, SQLiteConfiguration(path: store.path, busyTimeout: .zero))
        second.close()
        try other.execute("ROLLBACK")
        try graphs.save(2, to: store.coordinator)
        store.coordinator.close()
        #expect(try SavedGraphs.verify(store.path) == [1, 2])
    }

    @Test func `An exclusively locked store is busy when it is opened`() throws {
        let store = try TemporaryStore()
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
        store.coordinator.close()
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        try other.execute("BEGIN EXCLUSIVE")
        let error = #expect(throws: StoreError.self) {
            try store.reopen { $0.busyTimeout = .milliseconds(50) }
        }
        #expect(error?.code == .busy)
        other.close()
        try store.reopen()
        try store.read { #expect($0.token.sequence == 1) }
    }

    @Test func `A file that can only be opened for reading is rejected`() throws {
        let files = FaultyFiles()
        let store = try TemporaryStore { $0.testHooks.fileSystem = files.name }
        store.coordinator.close()
        files.fail(.open, of: .main, result: SQLITE_READONLY)
        let error = #expect(throws: StoreError.self) {
            try store.reopen { $0.testHooks.fileSystem = files.name }
        }
        #expect(error?.code == .readOnly)
    }

    /// The user “nobody” of most systems; the tests may run as a user who bypasses permissions.
    private static let nobody: UInt32 = 65534

    /// Runs a function as a user who is subject to permissions.
    private func asNobody<Answer>(_ folder: URL, _ body: () throws -> Answer) throws -> Answer {
        guard geteuid() == 0 else { return try body() }
        for path in [folder.path]
            + (try FileManager.default.contentsOfDirectory(atPath: folder.path)).map({
                folder.appendingPathComponent($0).path
            })
        {
            chown(path, Self.nobody, Self.nobody)
        }
        try #require(faulty_become(Self.nobody) == 0)
        defer { faulty_become(0) }
        return try body()
    }

    @Test(arguments: SQLiteConfiguration.Journal.allCases)
    func `A read-only file or folder is rejected for writing but not for reading`(
        _ journal: SQLiteConfiguration.Journal
    ) throws {
        let store = try TemporaryStore { $0.journal = journal }
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
        store.coordinator.close()
        for (file, folder) in [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)] {
            chmod(store.path, mode_t(file))
            chmod(store.folder.path, mode_t(folder))
            try asNobody(store.folder) {
                let error = #expect(throws: StoreError.self, "\(file) \(folder)") {
                    try store.reopen { $0.journal = journal }
                    try SavedGraphs(model: store.model).save(2, to: store.coordinator)
                }
                #expect(error?.code == .readOnly, "\(file) \(folder): \(String(reflecting: error))")
                #expect(error?.remedy != nil)
                try store.reopen { $0.mode = .read }
                try store.read { #expect($0.token.sequence == 1) }
                let refusal = #expect(throws: StoreError.self) {
                    try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
                }
                #expect(refusal?.code == .readOnly)
                store.coordinator.close()
            }
        }
        chmod(store.folder.path, 0o700)
        chmod(store.path, 0o600)
        #expect(try SavedGraphs.verify(store.path) == [1])
    }

    @Test func `A new store can't be created in a read-only folder`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o500)
        let path = folder.url.appendingPathComponent("store.sqlite").path
        try asNobody(folder.url) {
            let error = #expect(throws: StoreError.self) {
                try SQLiteCoordinator(model: GamesModel.make(), SQLiteConfiguration(path: path))
            }
            #expect(error?.code == .readOnly)
        }
        chmod(folder.url.path, 0o700)
    }

    @Test func `Setting the journal mode waits for other users of the store`() throws {
        let store = try TemporaryStore { $0.journal = .delete }
        store.coordinator.close()
        let other = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { other.close() }
        try other.begin(writing: true)
        let attempts = Mutex(0)
        var testHooks = SQLiteTestHooks()
        testHooks.statementHook = StatementHook { sql in
            guard sql.hasPrefix("PRAGMA journal_mode") else { return }
            let isSecond = attempts.withLock { attempts in
                attempts += 1
                return attempts == 2
            }
            if isSecond { other.rollback() }
        }
        let connection = try SQLiteConnection(
            path: store.path, access: .readAndWrite, timeout: .seconds(30), testHooks: testHooks)
        defer { connection.close() }
        try connection.setJournal(.wal)
        #expect(attempts.withLock { $0 } == 2)
        #expect(try connection.text("PRAGMA journal_mode") == "wal")
    }
}
#endif
