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
