/// Says what a session is for.
public struct SessionOptions: Sendable, Hashable {
    /// Who asks: shown wherever waiting sessions are listed.
    public var identifier: String
    /// The lane of a write session.
    public var lane: String
    /// Whether what the session does may end, with ``StoreError/Code/cancelled``, when the task that runs it is cancelled.
    ///
    /// A commit that has begun comes to its end in any case.
    public var heedsCancellation: Bool
    /// Whether a session that reads must see all that anybody has committed, and not only what this store has saved or seen.
    ///
    /// A server that follows another may not have it yet.
    public var seesNewest: Bool
    /// Whether a session that writes may wait with its transaction until it is asked for something, if it is a ``LateSession``.
    public var mayBeginLate = false
    /// Whether a session that reads stays open for as long as a pinned context needs it, and is idle most of the time.
    public var isHeld = false

    /// The lane of whoever names none.
    public static let mainLane = "main"

    /// Makes options.
    public init(
        identifier: String, lane: String = mainLane, heedsCancellation: Bool = true, seesNewest: Bool = false
    ) {
        self.identifier = identifier
        self.lane = lane
        self.heedsCancellation = heedsCancellation
        self.seesNewest = seesNewest
    }
}
