/// A write session that can apply what several writes insert at once, and spares them the way to the store that each would take.
public protocol GatheringSession: WriteSession {
    /// Applies change sets that only insert, in their order, as ``WriteSession/apply(_:)`` would one after the other.
    ///
    /// Whatever becomes of it concerns everybody whose changes are among them, so nobody's cancellation is heeded.
    ///
    /// - Returns: The token after each of them; nil where anything stands in the way of one of them. Then nothing was applied, and
    ///   to apply them one by one tells what it is.
    func applyTogether(_ changeSets: [ChangeSet]) throws -> [StoreToken]?
}

/// A write session for which one way to the store is enough to begin, to save and to commit.
///
/// It is what a store with ``StoreCapabilities/savesTogether`` opens for ``SessionOptions/mayBeginLate``.
public protocol OneTripSession: WriteSession {
    /// Applies change sets in a transaction of their own, which is committed at once.
    ///
    /// Only a session is asked that has been asked for nothing before but keys.
    ///
    /// - Parameters:
    ///   - changeSets: Change sets that only insert.
    ///   - heedsCancellation: Whether nobody but the task that asks is concerned.
    /// - Returns: The token after each of them; nil where anything stands in the way of one of them. Then nothing was saved, and to
    ///   apply them one by one tells what it is.
    func saveTogether(_ changeSets: [ChangeSet], heedsCancellation: Bool) throws -> [StoreToken]?
    /// Applies a last change set and commits, as ``WriteSession/apply(_:)`` and ``WriteSession/commit()`` would one after the other.
    ///
    /// - Returns: The token of the last transaction; nil where anything stands in the way. Then the session goes on without the change
    ///   set, and to apply it tells what it is.
    func commit(applying changes: ChangeSet) throws -> StoreToken?
}
