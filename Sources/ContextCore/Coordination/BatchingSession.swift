/// A write session that can insert the rows of several writes together, in one round trip.
public protocol BatchingSession: WriteSession {
    /// Applies insert-only change sets in order, with the same result as ``WriteSession/apply(_:)`` for each.
    ///
    /// The result affects all writes whose changes are included, so the cancellation of a single task has no effect.
    ///
    /// - Returns: The token after each of them; nil if one of them can't be applied. Then nothing was applied, and applying them one by one
    ///   reports the problem.
    func applyBatch(_ changeSets: [ChangeSet]) throws -> [StoreToken]?
}

/// A write session that can begin, save and commit in one round trip.
///
/// A store with ``StoreCapabilities/singleRoundTripSaves`` opens it for ``SessionOptions/defersBegin``.
public protocol SingleRoundTripSession: WriteSession {
    /// Applies change sets in a transaction that is committed at once.
    ///
    /// It is called only on a session that has executed nothing except reserving keys.
    ///
    /// - Parameters:
    ///   - changeSets: Insert-only change sets.
    ///   - isCancellable: Whether the cancellation of the calling task cancels it, because no other task is affected.
    /// - Returns: The token after each of them; nil if one of them can't be applied. Then nothing was saved, and applying them one by one
    ///   reports the problem.
    func saveInOneRoundTrip(_ changeSets: [ChangeSet], isCancellable: Bool) throws -> [StoreToken]?
    /// Applies a last change set and commits, with the same result as ``WriteSession/apply(_:)`` and ``WriteSession/commit()``.
    ///
    /// - Returns: The token of the last transaction; nil if the change set can't be applied. Then the session continues without it,
    ///   and applying it reports the problem.
    func commit(applying changes: ChangeSet) throws -> StoreToken?
}
