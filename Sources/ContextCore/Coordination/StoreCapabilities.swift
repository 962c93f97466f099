/// Says what a store can do beyond what every store can.
public struct StoreCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// What was committed is still there when the process ends.
    public static let persistent = StoreCapabilities(rawValue: 1 << 0)
    /// Several processes may use the store at once.
    public static let sharedByProcesses = StoreCapabilities(rawValue: 1 << 1)
    /// Several write sessions may be open at once, each on a moment of its own.
    ///
    /// A session that changes what another has changed since its moment fails with ``StoreError/Code/contention``, or finds a conflict.
    public static let concurrentWrites = StoreCapabilities(rawValue: 1 << 2)
    /// Every save is written to a history that can be fetched.
    public static let history = StoreCapabilities(rawValue: 1 << 3)
    /// A session that reads keeps nobody from committing, however long it is open.
    public static let readsBesideWrites = StoreCapabilities(rawValue: 1 << 4)
    /// Change sets that only insert are saved in one way to the store: its late sessions are ``OneTripSession``s.
    public static let savesTogether = StoreCapabilities(rawValue: 1 << 5)
}
