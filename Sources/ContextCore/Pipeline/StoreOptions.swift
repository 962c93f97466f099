/// Says how a program wants to use a store, whatever its backend.
public struct StoreOptions: Sendable, Hashable {
    /// How many reads may run at once, each with a session and a thread of its own.
    ///
    /// Writes have one more. More reads wait their turn.
    public var readLimit: Int
    /// How often a store that other processes may use looks for what they have saved, while somebody listens; nil for never.
    public var watchInterval: Duration?
    /// What hears of the statements that are sent to the store's database, if it has one.
    public var statementLog: StatementLog?

    /// Chooses options.
    public init(
        readLimit: Int = 4, watchInterval: Duration? = .seconds(1), statementLog: StatementLog? = nil
    ) {
        self.readLimit = readLimit
        self.watchInterval = watchInterval
        self.statementLog = statementLog
    }
}
