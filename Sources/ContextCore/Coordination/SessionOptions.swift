/// Says what a session is for.
public struct SessionOptions: Sendable, Hashable {
    /// Who asks: shown wherever waiting sessions are listed.
    public var identifier: String
    /// The lane of a write session.
    public var lane: String

    /// Makes options.
    public init(identifier: String, lane: String = "main") {
        self.identifier = identifier
        self.lane = lane
    }
}
