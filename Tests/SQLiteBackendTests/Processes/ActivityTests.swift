#if SQLite
import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// The inspector shows what other processes do with a file.
struct ActivityTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.appendingPathComponent("busy.sqlite").path
    }

    private func activity(_ path: String) throws -> StoreActivity {
        let inspector = try SQLiteInspector(SQLiteConfiguration(path: path))
        defer { inspector.close() }
        return try inspector.activity(.none)
    }

    @Test(arguments: ["wal", "delete"])
    func `A process that writes is seen, without waiting for it`(journal: String) throws {
        let child = try ChildProcess("hold", url: "sqlite:\(path)?journal=\(journal)", name: "held")
        #expect(child.line() == "held")
        let activity = try self.activity(path)
        #expect(activity.isWriting == true)
        #expect((activity.log == nil) == (journal == "delete"))
        #expect(activity.waits.isEmpty)
        #if os(Linux)
        let session = try #require(activity.sessions.first { $0.process == Int64(child.number) })
        #expect(session.program == "StoreUser" && session.state == "writing")
        #expect(session.usesStore && !session.isOwn && session.user != nil)
        #endif
        try child.proceed()
        #expect(child.line() == "released")
        _ = child.wait()
        let later = try self.activity(path)
        #expect(later.isWriting == false && !later.sessions.contains { $0.process == Int64(child.number) })
    }

    #if os(Linux)
    @Test func `A process that waits for the write lock has the file open`() async throws {
        // The model of the process is its own, so it creates the store.
        let creator = try ChildProcess("hold", url: "sqlite:\(path)", name: "first")
        #expect(creator.line() == "held")
        try creator.proceed()
        _ = creator.wait()
        let writer = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        try writer.execute("BEGIN IMMEDIATE")
        let child = try ChildProcess("hold", url: "sqlite:\(path)?busy_timeout=60s", name: "waiting")
        let isSeen = try (0..<10_000).contains { _ in
            try self.activity(path).sessions.contains { $0.process == Int64(child.number) }
        }
        #expect(isSeen)
        let activity = try self.activity(path)
        #expect(activity.isWriting == true)
        let own = try #require(activity.sessions.first)
        #expect(own.isOwn && own.state == "writing")
        #expect(own.process == Int64(ProcessInfo.processInfo.processIdentifier))
        #expect(activity.sessions.first { $0.process == Int64(child.number) }?.state != "writing")
        try writer.execute("ROLLBACK")
        writer.close()
    }
    #endif

    @Test func `Looking at the write lock leaves it free`() throws {
        let store = try TemporaryStore()
        let inspector = try SQLiteInspector(SQLiteConfiguration(path: store.path))
        defer { inspector.close() }
        let writer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        for _ in 0..<3 {
            #expect(try inspector.activity(.none).isWriting == false)
            try writer.execute("BEGIN IMMEDIATE")
            #expect(try inspector.activity(.none).isWriting == true)
            try writer.execute("ROLLBACK")
        }
    }

    @Test func `The pages of the log are counted until they are checkpointed`() throws {
        let store = try TemporaryStore()
        let writer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        try writer.execute("CREATE TABLE mine (a)")
        let log = try #require(try self.activity(store.path).log)
        #expect(log.bytes > 0 && (log.pages ?? 0) > 0 && log.uncopiedPages == log.pages)
        #expect(try writer.integer("PRAGMA wal_checkpoint(PASSIVE)") == 0)
        let later = try #require(try self.activity(store.path).log)
        #expect(later.uncopiedPages == 0 && later.pages == log.pages && later.bytes == log.bytes)
    }

    #if os(Linux)
    @Test func `The oldest reader holds back the checkpoint`() throws {
        let store = try TemporaryStore()
        let writer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        try writer.execute("CREATE TABLE mine (a)")
        #expect(try self.activity(store.path).obstacles.isEmpty)
        let reader = try SQLiteConnection(path: store.path, access: .read, timeout: .zero)
        defer { reader.close() }
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM mine")
        let before = try #require(try self.activity(store.path).log?.pages)
        try writer.execute("INSERT INTO mine VALUES (1)")
        let activity = try self.activity(store.path)
        let obstacle = try #require(activity.obstacles.first)
        #expect(obstacle.work == .checkpoint)
        #expect(obstacle.process == Int64(ProcessInfo.processInfo.processIdentifier))
        #expect(obstacle.distance == (activity.log?.pages ?? 0) - before && obstacle.distance > 0)
        try reader.execute("COMMIT")
        #expect(try self.activity(store.path).obstacles.isEmpty)
    }

    @Test func `A reader that began after a checkpoint holds back the next one`() throws {
        let store = try TemporaryStore()
        let writer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        try writer.execute("CREATE TABLE mine (a)")
        #expect(try writer.integer("PRAGMA wal_checkpoint(PASSIVE)") == 0)
        let reader = try SQLiteConnection(path: store.path, access: .read, timeout: .zero)
        defer { reader.close() }
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM mine")
        #expect(try self.activity(store.path).obstacles.isEmpty)
        try writer.execute("INSERT INTO mine VALUES (1)")
        _ = try writer.integer("PRAGMA wal_checkpoint(PASSIVE)")
        let activity = try self.activity(store.path)
        let obstacle = try #require(activity.obstacles.first)
        #expect(obstacle.work == .checkpoint && obstacle.distance > 0)
        // The checkpoint has copied nothing.
        #expect(obstacle.distance == activity.log?.uncopiedPages)
        try reader.execute("COMMIT")
        #expect(try writer.integer("PRAGMA wal_checkpoint(PASSIVE)") == 0)
        #expect(try self.activity(store.path).obstacles.isEmpty)
    }
    #endif

    @Test func `Pages of deleted data are free`() throws {
        let store = try TemporaryStore()
        let writer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        try writer.execute("CREATE TABLE mine (a)")
        try writer.execute("INSERT INTO mine VALUES (zeroblob(100000))")
        let full = try #require(try self.activity(store.path).pages)
        try writer.execute("DELETE FROM mine")
        let pages = try #require(try self.activity(store.path).pages)
        #expect(pages.count == full.count && pages.free - full.free >= 100_000 / pages.size)
    }

    // MARK: Locks

    private static let table = """
        1: POSIX  ADVISORY  WRITE 31 08:01:78 120 120
        2: POSIX  ADVISORY  READ  32 08:01:78 124 124
        3: POSIX  ADVISORY  READ  32 08:01:78 127 127
        4: POSIX  ADVISORY  WRITE 33 08:01:78 121 121
        5: POSIX  ADVISORY  READ  34 08:01:77 1073741826 1073742335
        6: POSIX  ADVISORY  WRITE 35 08:01:77 1073741825 1073741825
        7: POSIX  ADVISORY  WRITE 36 08:02:78 120 120
        """

    private func locks(withLog: Bool) -> FileLocks {
        let device = FileLock.Device(major: 8, minor: 1)
        return FileLocks(
            Self.table.split(separator: "\n").compactMap { FileLock(line: $0) },
            index: withLog ? LockHolder.FileKey(device: device, file: 78) : nil,
            database: LockHolder.FileKey(device: device, file: 77))
    }

    @Test func `Locks show what processes do`() {
        let locks = locks(withLog: true)
        #expect(locks.processes == [31, 32, 33, 34, 35])
        #expect([31, 32, 33, 34].map(locks.state) == [.writing, .reading, .checkpointing, .open])
        #expect(
            locks.readers == [FileLocks.Reader(process: 32, mark: 1), FileLocks.Reader(process: 32, mark: 4)])
        let without = self.locks(withLog: false)
        #expect([34, 35, 31].map(without.state) == [.reading, .writing, .open])
        #expect(without.readers.isEmpty)
    }
}
#endif
