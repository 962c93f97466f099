/// Says how many objects the next batch of a stage is to have, by how long the last one took.
///
/// Objects that are read and not come to are read again for the next batch, so a batch is meant to end by its size, and not because
/// its time is over.
struct BatchLimit: Hashable, Sendable {
    /// How many objects the next batch has at most.
    private(set) var objects: Int
    private let most: Int

    /// For how long a batch may go on to the next object.
    static let longest = Duration.milliseconds(500)
    /// How long a batch is meant to take.
    static let wanted = longest / 2
    /// How many objects the first one has, of which nobody knows yet how long they take.
    private static let first = 16

    /// - Parameter most: How many objects a batch has at the most, however quick it is.
    init(most: Int) {
        self.most = most
        objects = min(Self.first, most)
    }

    /// Learns from a batch: its successor is larger, twice at most, as long as it was quick and no objects were left over.
    ///
    /// - Parameters:
    ///   - handled: How many objects were come to.
    ///   - read: How many were read.
    mutating func note(_ handled: Int, of read: Int, in duration: Duration) {
        let inTime = Double(handled) * (Self.wanted / max(duration, .microseconds(1)))
        let room = handled < read ? handled : objects * 2
        objects = max(1, min(most, room, Int(min(inTime, Double(most)))))
    }
}
