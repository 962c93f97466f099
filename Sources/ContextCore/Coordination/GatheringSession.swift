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

/// A gathering session that may begin its transaction late, so that one way to the store is enough to begin, to save and to commit.
public protocol LateSession: GatheringSession {
    /// Whether the transaction has begun; until then nobody knows its moment, and ``ReadSession/token`` is none that means anything.
    var hasBegun: Bool { get }
    /// Lets the transaction begin, if it has not: whatever is asked for does so too.
    ///
    /// - Parameter heedsCancellation: Whether the wait for it, and what is done in it, is of the task alone that asks.
    func begin(heedsCancellation: Bool) throws
    /// Applies change sets as ``GatheringSession/applyTogether(_:)`` does, in a transaction of their own, which is committed at once.
    ///
    /// Only a session is asked that has not begun, and it has not begun afterwards.
    ///
    /// - Parameters:
    ///   - changeSets: Change sets that only insert.
    ///   - heedsCancellation: Whether nobody but the task that asks is concerned.
    /// - Returns: The token after each of them; nil where anything stands in the way of one of them. Then nothing was saved, and to
    ///   apply them one by one tells what it is.
    func saveTogether(_ changeSets: [ChangeSet], heedsCancellation: Bool) throws -> [StoreToken]?
}
