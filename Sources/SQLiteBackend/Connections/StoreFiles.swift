#if SQLite
import CSQLite
import ContextCore

/// Knows which files are the store's, as long as it is open: its own, its log and the log's index.
///
/// SQLite never looks again at a file that it has opened. Where one of these was deleted or replaced, it would go on writing into
/// nothing, or take a log for that of another file: what is saved then is lost. SQLite itself deletes the log and its index only
/// when no connection is left.
///
/// State: what the files are, guarded by a mutex.
final class StoreFiles: Sendable {
    private struct State {
        var main: FileIdentity?
        var log: FileIdentity?
        var index: FileIdentity?
        /// When all of them were seen; nil where one was missing since.
        var seen: ContinuousClock.Instant?
    }

    /// For how long what was seen is taken to be there still, where nothing is lost by it.
    private static let trust = Duration.milliseconds(1)

    private let file: StoreFile
    /// The paths as the system takes them.
    private let (path, log, index): (ContiguousArray<CChar>, ContiguousArray<CChar>, ContiguousArray<CChar>)
    private let state: Guarded<State>

    init(_ file: StoreFile) {
        self.file = file
        (path, log, index) = (file.path.utf8CString, file.log.utf8CString, file.index.utf8CString)
        state = Guarded(State(main: FileIdentity(of: file.path)))
    }

    /// Checks that the files are those that they were, unless they were a moment ago.
    ///
    /// To ask the system for three files takes as long as to look a row up. It is enough for whoever saves nothing before the next check.
    func checkLightly() throws(StoreError) {
        let now = ContinuousClock.now
        let isTrusted = state.withLock { state in
            state.seen.map { $0.duration(to: now) < Self.trust } ?? false
        }
        if !isTrusted { try check() }
    }

    /// Checks that a connection has opened the file that there was: another one may have lain there since the last look.
    ///
    /// A connection keeps its file open, so this is done once.
    func checkPlace(of connection: SQLiteConnection) throws(StoreError) {
        if connection.isPlaced { return }
        try check()
        try connection.checkPlace()
    }

    /// Checks that the files are those that they were; notes the log and its index the first time.
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
        if !isWhole { throw lostLog(log, index) }
    }

    /// Why something has failed that relied on what was seen a moment ago: perhaps for want of the file.
    func reason(of error: StoreError) -> StoreError {
        guard [.inputOutput, .notADatabase, .corrupt, .database, .readOnly].contains(error.code) else {
            return error
        }
        do throws(StoreError) { try check() } catch let moved { return moved }
        return error
    }

    private func lostLog(_ log: FileIdentity?, _ index: FileIdentity?) -> StoreError {
        let (log, index) = (log == nil ? "gone" : "there", index == nil ? "gone" : "there")
        return StoreError(
            .storeMoved, "The log of the store, or its index, was deleted or replaced while it was open.",
            remedy: """
                Close the store and open it again: closing saves what was committed, unless another program has begun a \
                log of its own.
                """,
            detail: "\(file.log): \(log); \(file.index): \(index)")
    }

    /// Forgets the log and its index; to be called when no connection is open.
    func forgetLog() { state.withLock { $0 = State(main: $0.main) } }
}
#endif
