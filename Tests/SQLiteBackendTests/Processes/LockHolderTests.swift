#if SQLite
import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Errors about a locked store name the process with the lock.
struct LockHolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    #if os(Linux)
    @Test(arguments: ["wal", "delete"])
    func `The timeout of a write names the process that holds the lock`(journal: String) throws {
        let path = folder.url.appendingPathComponent("held.sqlite").path
        let child = try ChildProcess("hold", url: "sqlite:\(path)?journal=\(journal)", name: "held")
        #expect(child.line() == "held")
        let connection = try SQLiteConnection(
            path: path, access: .readAndWrite, timeout: .milliseconds(50))
        let error = expectError(.busy) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(
            error?.message.hasSuffix(" The lock is held by process \(child.number) (StoreUser).") == true,
            "\(error?.message ?? "")")
        #expect(error?.remedy != nil && error?.detail?.hasPrefix("SQLite 5") == true)
        try child.proceed()
        #expect(child.line() == "released")
        _ = child.wait()
        try connection.execute("BEGIN IMMEDIATE")
        connection.close()
    }

    @Test func `The migrating process is the lock holder, whatever an earlier one wrote`() throws {
        let path = folder.url.appendingPathComponent("migrating.sqlite").path
        try Data().write(to: URL(fileURLWithPath: path))
        let lock = MigrationLock(of: try StoreFile(path))
        #expect(try lock.tryLock())
        try Data("process 1 of another machine\n".utf8).write(to: URL(fileURLWithPath: path + "-migrating"))
        let own = ProcessInfo.processInfo.processIdentifier
        let holder = MigrationLock.holder(of: try StoreFile(path))
        #expect(holder?.hasPrefix("process \(own) (") == true, "\(holder ?? "")")
        lock.unlock()
        #expect(MigrationLock.holder(of: try StoreFile(path)) == nil)
    }
    #endif

    @Test func `This process's own connections are never named`() throws {
        let path = folder.url.appendingPathComponent("own.sqlite").path
        try Data().write(to: URL(fileURLWithPath: path))
        let first = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        try first.execute("CREATE TABLE a (b)")
        try first.execute("BEGIN IMMEDIATE")
        let second = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .milliseconds(10))
        let error = expectError(.busy) { try second.execute("BEGIN IMMEDIATE") }
        #expect(error?.message == "Another connection or process held the store's lock for too long.")
        try first.execute("ROLLBACK")
        first.close()
        second.close()
    }

    // MARK: Information of the operating system

    private static let table = """
        1: POSIX  ADVISORY  READ  21 08:01:77 1073741826 1073742335
        2: FLOCK  ADVISORY  WRITE 22 08:01:77 0 EOF
        3: POSIX  ADVISORY  WRITE 23 08:02:78 120 120
        4: POSIX  ADVISORY  WRITE 24 08:01:78 123 123
        5: POSIX  ADVISORY  WRITE 25 08:01:78 120 120
        5: -> POSIX  ADVISORY  WRITE 26 08:01:78 120 120
        6: OFDLCK ADVISORY  WRITE -1 08:01:78 120 120
        7: POSIX  ADVISORY  WRITE 27 fe:10:79 0 EOF
        8: POSIX  ADVISORY  WRITE 0 08:01:78 120 120

        """

    private static var locks: [FileLock] {
        table.split(separator: "\n").compactMap { FileLock(line: $0) }
    }

    @Test func `Locks and their processes are read from the system's table`() throws {
        #expect(Self.locks.map(\.process) == [21, 22, 23, 24, 25, 27])
        #expect(Self.locks.filter(\.isOfWholeFile).map(\.process) == [22])
        let last = try #require(Self.locks.last)
        #expect(last.isExclusive && last.bytes == 0...UInt64.max && last.file == 79)
        #expect(last.device == FileLock.Device(major: 0xFE, minor: 0x10))
        for line in [
            "", "1:", "1: POSIX ADVISORY WRITE x 08:01:77 0 EOF", "1: POSIX ADVISORY WRITE 5 77 0 EOF",
        ] {
            #expect(FileLock(line: line) == nil, "\(line)")
        }
    }

    @Test func `A device number is decoded as the system does`() {
        #expect(FileLock.Device(0xFE00) == FileLock.Device(major: 0xFE, minor: 0))
        #expect(
            FileLock.Device(0x0000_1000_5672_3489) == FileLock.Device(major: 0x1234, minor: 0x5_6789))
    }

    @Test func `Writers precede readers, and other files and devices are ignored`() {
        let device = FileLock.Device(major: 8, minor: 1)
        let index = LockHolder.FileKey(device: device, file: 78)
        let database = LockHolder.FileKey(device: device, file: 77)
        #expect(LockHolder.holder(among: Self.locks, index: index, database: database) == 25)
        #expect(LockHolder.holder(among: Self.locks, index: nil, database: database) == 21)
        let reading = Self.locks.filter { $0.process == 21 || $0.process == 24 }
        #expect(LockHolder.holder(among: reading, index: index, database: database) == nil)
        #expect(LockHolder.holder(among: Self.locks, index: nil, database: nil) == nil)
    }

    @Test func `A program's name is one line`() {
        #expect(LockHolder.name("games\n") == "games")
        #expect(LockHolder.name("\u{1B}[31mred\n") == "[31mred")
        #expect(LockHolder.name("\n") == nil)
    }
}
#endif
