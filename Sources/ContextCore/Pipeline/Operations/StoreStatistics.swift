/// The operations of a store and the use of its database at one time, for metrics.
public struct StoreStatistics: Sendable, Hashable {
    /// The number of operations by kind.
    public struct Operations: Sendable, Hashable {
        /// The number of reads.
        public var reads = 0
        /// The number of writes.
        public var writes = 0

        mutating func add(_ kind: PipelineQueue.Kind) {
            switch kind {
            case .read: reads += 1
            case .write: writes += 1
            }
        }
    }

    /// The operations that wait for their turn, or for the delay before a retry.
    public var waiting = Operations()
    /// The operations that run, or whose commit a later write makes.
    public var running = Operations()
    /// The use of the database; nil for a store without one, as in memory.
    public var database: DatabaseStatistics?

    mutating func add(_ label: OperationLabel, isRunning: Bool) {
        if isRunning { running.add(label.kind) } else { waiting.add(label.kind) }
    }
}
