#if SQLite
import CSQLite
import ContextCore
import Foundation

extension SQLiteInspector: StoreExaminer {
    func examine() throws -> [StoreExamination] {
        let (size, log) = (FileSize.bytes(of: file.path), FileSize.bytes(of: file.log))
        return [
            permissions, Self.examineLog(size: log, storeSize: size), examineFreeSpace(storeSize: size + log),
        ]
        .compactMap { $0 }
    }

    func migratingProcess() -> String? { MigrationLock.holder(of: file) }

    /// Checks the permissions of the file, and of the folder, in which SQLite creates the log.
    private var permissions: StoreExamination {
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        for path in [file.path, folder] where access(path, W_OK) != 0 {
            return StoreExamination(
                "permissions", "“\(path)” is not writable.",
                remedy: "Use the account that owns the store, or open the store read-only.")
        }
        return StoreExamination("permissions", "the file and its folder are writable")
    }

    /// The size in bytes up to which a log is not reported as too long.
    private static let reportedLogSize: Int64 = 64 << 20

    /// Checks the size of the log, which grows until a checkpoint.
    private static func examineLog(size log: Int64, storeSize size: Int64) -> StoreExamination {
        let finding = "\(megabytes(log)) are not yet checkpointed into a file of \(megabytes(size))"
        if log <= max(reportedLogSize, size) { return StoreExamination("log", finding) }
        return StoreExamination(
            "log", finding + ".",
            remedy:
                "A long-running reader blocks the checkpoint: end it, then run 'storectl maintain checkpoint'."
        )
    }

    /// Checks the free space: a backup needs as much as the store, and a rebuild of tables as much again.
    private func examineFreeSpace(storeSize bytes: Int64) -> StoreExamination? {
        var system = statvfs()
        guard statvfs(file.path, &system) == 0 else { return nil }
        let free = Int64(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
        let finding = "\(Self.megabytes(free)) are free"
        if free >= 2 * bytes { return StoreExamination("disk", finding) }
        return StoreExamination(
            "disk", finding + ", and the store uses \(Self.megabytes(bytes)).",
            remedy: "Free disk space: a backup and a migration need twice the size of the store.")
    }

    private static func megabytes(_ bytes: Int64) -> String {
        bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}

extension MigrationLock {
    /// Returns the process that migrates a store, without blocking it and without creating the lock file.
    static func holder(of file: StoreFile) -> String? {
        let lock = MigrationLock(of: file)
        return lock.isHeldByAnother ? lock.holder ?? "another process" : nil
    }
}
#endif
