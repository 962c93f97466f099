/// The optional capabilities of a store.
public struct StoreCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Committed data persists after the process ends.
    public static let persistent = StoreCapabilities(rawValue: 1 << 0)
    /// Several processes may use the store at the same time.
    public static let sharedByProcesses = StoreCapabilities(rawValue: 1 << 1)
    /// Several write sessions may be open at the same time, each with its own snapshot.
    ///
    /// A session that changes what another has changed since its snapshot fails with ``StoreError/Code/contention``, or finds a conflict.
    public static let concurrentWrites = StoreCapabilities(rawValue: 1 << 2)
    /// Every save is recorded in a history that can be fetched.
    public static let history = StoreCapabilities(rawValue: 1 << 3)
    /// Open read sessions don't block commits.
    public static let concurrentReads = StoreCapabilities(rawValue: 1 << 4)
    /// Insert-only change sets are saved in one round trip: sessions with a deferred BEGIN are ``SingleRoundTripSession``s.
    public static let singleRoundTripSaves = StoreCapabilities(rawValue: 1 << 5)
}
