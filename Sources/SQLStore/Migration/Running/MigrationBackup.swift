import ContextCore
import Foundation

/// Backs up a store, if the options request it, before a migration deletes or rewrites data.
struct MigrationBackup {
    let connection: any MigrationConnection
    let options: MigrationOptions

    /// Backs up before a plan and returns the path of the copy, or nil if no backup is requested or needed.
    func make(before plan: MigrationPlan) throws(StoreError) -> String? {
        try make(if: !plan.isLossless || plan.steps.contains { !$0.rewrites.isEmpty })
    }

    /// Backs up before the rest of an unfinished migration and returns the path of the copy, or nil.
    ///
    /// - Parameter isShared: Whether programs of both versions can use the store, so that it may have changed since the last backup.
    func make(
        beforeRestOf record: RunRecord, done: Int, isShared: Bool
    ) throws(StoreError) -> String? {
        if !isShared, let path = record.backup, FileManager.default.fileExists(atPath: path) { return nil }
        let rest = record.steps.dropFirst(done).filter { !isShared || $0.phase <= options.lastPhase }
        let deletes = !record.losses.isEmpty && rest.contains { $0.phase == .contract }
        return try make(if: deletes || rest.contains { !$0.rewrites.isEmpty })
    }

    /// Tries numbered paths until the copy succeeds, because another store may be backed up to the same path at the same time.
    private func make(if isNeeded: Bool) throws(StoreError) -> String? {
        guard isNeeded, let wanted = options.backupPath else { return nil }
        var number = 1
        while true {
            let path = NumberedPath.path(wanted, number)
            let isTaken = FileManager.default.fileExists(atPath: path)
            if !isTaken, try connection.backUp(to: path) { return path }
            number += 1
        }
    }

    /// Deletes a copy if the migration failed and the store is unchanged, so that repeated attempts don't leave many copies.
    ///
    /// The copy stays after errors for which the commit may have happened. Refusals, lock conflicts, cancellation, and errors of a
    /// program's stage occur before the commit.
    func discard(_ copy: String?, _ isUntouched: @autoclosure () -> Bool, after error: any Error) {
        let isCertain = (error as? StoreError).map { Self.certain.contains($0.code) } ?? true
        guard let copy, isCertain, isUntouched() else { return }
        try? FileManager.default.removeItem(atPath: copy)
    }

    private static let certain: Set<StoreError.Code> = [.migrationRefused, .busy, .contention, .cancelled]
}
