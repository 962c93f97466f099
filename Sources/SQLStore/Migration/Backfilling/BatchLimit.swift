/// Adapts the number of objects of a stage's next batch to the duration of the last one.
///
/// Objects that a batch reads but has no time to process are read again by the next batch, so batches should end by their size, not by
/// their time limit.
struct BatchLimit: Hashable, Sendable {
    /// The maximum number of objects of the next batch.
    private(set) var objects: Int
    private let maximumObjects: Int

    /// The time after which a batch processes no more objects.
    static let timeLimit = Duration.milliseconds(500)
    /// The intended duration of a batch.
    static let targetDuration = timeLimit / 2
    /// The number of objects of the first batch, when their duration is unknown.
    private static let first = 16

    /// - Parameter maximumObjects: The maximum number of objects of any batch.
    init(maximumObjects: Int) {
        self.maximumObjects = maximumObjects
        objects = min(Self.first, maximumObjects)
    }

    /// Adjusts the limit after a batch; it never more than doubles, and grows only after a quick batch that processed all objects it read.
    ///
    /// - Parameters:
    ///   - handled: The number of objects that were processed.
    ///   - read: The number of objects that were read.
    mutating func adjust(_ handled: Int, of read: Int, in duration: Duration) {
        let inTime = Double(handled) * (Self.targetDuration / max(duration, .microseconds(1)))
        let room = handled < read ? handled : objects * 2
        objects = max(1, min(maximumObjects, room, Int(min(inTime, Double(maximumObjects)))))
    }
}
