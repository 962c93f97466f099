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

    /// Another store may be copied to the same path at the same time, so only who has made a copy knows that the name was free.
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

    /// Takes a copy away again that is of the store as it still is: programs try again and again, and each would leave one.
    ///
    /// A commit that was answered with an error may be in the store all the same, or be there after the next crash; what a step was
    /// refused with, or somebody was in the way of, came before it. What a program's stage has thrown did, too.
    func discard(_ copy: String?, _ isUntouched: @autoclosure () -> Bool, after error: any Error) {
        let isCertain = (error as? StoreError).map { Self.certain.contains($0.code) } ?? true
        guard let copy, isCertain, isUntouched() else { return }
        try? FileManager.default.removeItem(atPath: copy)
    }

    private static let certain: Set<StoreError.Code> = [.migrationRefused, .busy, .contention, .cancelled]
}
