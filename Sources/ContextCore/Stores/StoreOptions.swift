/// Says how a program wants to use a store, whatever its backend.
public struct StoreOptions: Sendable, Hashable {
    /// How many reads may run at once, each with a session and a thread of its own.
    ///
    /// Writes have one more. More reads wait their turn.
    public var readLimit: Int

    /// Chooses options.
    public init(readLimit: Int = 4) {
        self.readLimit = readLimit
    }
}
