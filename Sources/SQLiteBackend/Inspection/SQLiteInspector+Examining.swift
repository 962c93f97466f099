#if SQLite
import CSQLite
import ContextCore
import Foundation

extension SQLiteInspector: StoreExaminer {
    func examine() throws -> [StoreExamination] {
        let (size, log) = (FileSize.bytes(of: file.path), FileSize.bytes(of: file.log))
        return [permissions, Self.log(of: log, beside: size), disk(for: size + log)].compactMap { $0 }
    }

    func migratingProcess() -> String? { MigrationLock.holder(of: file) }

    /// A log needs a folder in which it can be made.
    private var permissions: StoreExamination {
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        for path in [file.path, folder] where access(path, W_OK) != 0 {
            return StoreExamination(
                "permissions", "“\(path)” may not be written.",
                remedy: "Use the account that the store belongs to, or only read it.")
        }
        return StoreExamination("permissions", "the file and its folder may be written")
    }

    /// How much a log may grow before anybody has to look after it.
    private static let longLog: Int64 = 64 << 20

    private static func log(of log: Int64, beside size: Int64) -> StoreExamination {
        let finding = "\(megabytes(log)) wait to be moved into a file of \(megabytes(size))"
        if log <= max(longLog, size) { return StoreExamination("log", finding) }
        return StoreExamination(
            "log", finding + ".",
            remedy: "Somebody reads and doesn't end: find them, then run 'storectl maintain checkpoint'.")
    }

    /// A backup needs as much room as the store, and a table that is made anew as much again.
    private func disk(for bytes: Int64) -> StoreExamination? {
        var system = statvfs()
        guard statvfs(file.path, &system) == 0 else { return nil }
        let free = Int64(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
        let finding = "\(Self.megabytes(free)) are free"
        if free >= 2 * bytes { return StoreExamination("disk", finding) }
        return StoreExamination(
            "disk", finding + ", and the store has \(Self.megabytes(bytes)).",
            remedy: "Make room: a backup and a migration need twice what the store has.")
    }

    private static func megabytes(_ bytes: Int64) -> String {
        bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}

extension MigrationLock {
    /// Says who migrates a store, without keeping anybody from it for longer than the question takes; makes no file.
    static func holder(of file: StoreFile) -> String? {
        let lock = MigrationLock(of: file)
        return lock.isHeldByAnother ? lock.holder ?? "somebody" : nil
    }
}
#endif
