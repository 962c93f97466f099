#if SQLite
import CSQLite
import ContextCore

/// Checks that an open store's files are still in place: the database, its log and the log's index.
///
/// SQLite doesn't check a file again after it has opened it. If one of them was deleted or replaced, SQLite would write to a deleted
/// file, or use a log of a different file, and lose what is saved. SQLite itself deletes the log and its index only when the last
/// connection closes.
///
/// A mutex guards the identities of the files.
final class StoreFiles: Sendable {
    private struct State {
        var main: FileIdentity?
        var log: FileIdentity?
        var index: FileIdentity?
        /// When all of them were last seen, or nil if one was missing since.
        var seen: ContinuousClock.Instant?
    }

    /// The time for which the last check is trusted if nothing is saved.
    private static let trustedDuration = Duration.milliseconds(1)

    private let file: StoreFile
    /// The paths as C strings.
    private let (path, log, index): (ContiguousArray<CChar>, ContiguousArray<CChar>, ContiguousArray<CChar>)
    private let state: Guarded<State>

    init(_ file: StoreFile) {
        self.file = file
        (path, log, index) = (file.path.utf8CString, file.log.utf8CString, file.index.utf8CString)
        state = Guarded(State(main: FileIdentity(of: file.path)))
    }

    /// Checks that the files are in place, unless they were in place at a very recent check.
    ///
    /// Three `stat` calls take as long as fetching a row. This check is enough before reads; saves check again.
    func checkUnlessRecent() throws(StoreError) {
        let now = ContinuousClock.now
        let isTrusted = state.withLock { state in
            state.seen.map { $0.duration(to: now) < Self.trustedDuration } ?? false
        }
        if !isTrusted { try check() }
    }

    /// Checks that a connection has opened the right file, which may have been replaced since the last check.
    ///
    /// A connection checks only once, because it keeps its file open.
    func checkFileInPlace(of connection: SQLiteConnection) throws(StoreError) {
        if connection.hasCheckedFile { return }
        try check()
        try connection.checkFileInPlace()
    }

    /// Checks that the files are in place, and records the log and its index the first time.
    func check() throws(StoreError) {
        let now = ContinuousClock.now
        let main = FileIdentity(of: path)
        let (log, index) = (FileIdentity(of: log), FileIdentity(of: index))
        let (isHere, isWhole) = state.withLock { state in
            let isHere = state.main == main
            let isWhole = (state.log ?? log) == log && (state.index ?? index) == index
            if isHere, isWhole {
                state = State(main: main, log: log, index: index, seen: now)
            } else {
                state.seen = nil
            }
            return (isHere, isWhole)
        }
        if !isHere { throw StoreError.sqlite(SQLITE_READONLY | (4 << 8), detail: "the file is another one") }
        if !isWhole { throw lostLogError(log, index) }
    }

    /// Returns the error for a failed operation: that of a missing or replaced file if there is one, otherwise the original error.
    func diagnosis(of error: StoreError) -> StoreError {
        guard [.inputOutput, .notADatabase, .corrupt, .database, .readOnly].contains(error.code) else {
            return error
        }
        do throws(StoreError) { try check() } catch let moved { return moved }
        return error
    }

    private func lostLogError(_ log: FileIdentity?, _ index: FileIdentity?) -> StoreError {
        let (log, index) = (log == nil ? "missing" : "present", index == nil ? "missing" : "present")
        return StoreError(
            .storeMoved,
            "The store's log or the log's index was deleted or replaced while the store was open.",
            remedy: """
                Close the store and open it again. Closing saves the committed changes, unless another program has created a new \
                log.
                """,
            detail: "\(file.log): \(log); \(file.index): \(index)")
    }

    /// Forgets the identities of the log and its index; must be called when no connection is open.
    func forgetLog() { state.withLock { $0 = State(main: $0.main) } }
}
#endif
