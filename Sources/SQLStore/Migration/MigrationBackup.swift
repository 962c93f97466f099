import ContextCore
import Foundation

/// Copies a store, where that is wanted, before a migration deletes or rewrites anything in it.
struct MigrationBackup {
    let connection: any MigrationConnection
    let options: MigrationOptions

    /// Answers where the copy is; nil where none is wanted or needed.
    func make(before plan: MigrationPlan) throws(StoreError) -> String? {
        try make(if: !plan.isLossless || plan.steps.contains { !$0.rewrites.isEmpty })
    }

    /// The same for what is left of a migration that was begun.
    ///
    /// - Parameter isShared: Whether programs of both versions can use the store, and may have kept something since it was copied.
    func make(
        beforeRestOf record: RunRecord, done: Int, isShared: Bool
    ) throws(StoreError) -> String? {
        if !isShared, let path = record.backup, FileManager.default.fileExists(atPath: path) { return nil }
        let rest = record.steps.dropFirst(done).filter { !isShared || $0.phase <= options.lastPhase }
        let deletes = !record.losses.isEmpty && rest.contains { $0.phase == .contract }
        return try make(if: deletes || rest.contains { !$0.rewrites.isEmpty })
    }

    private func make(if isNeeded: Bool) throws(StoreError) -> String? {
        guard isNeeded, let wanted = options.backupPath else { return nil }
        let path = NumberedPath.free(wanted)
        try connection.backUp(to: path)
        return path
    }
}
