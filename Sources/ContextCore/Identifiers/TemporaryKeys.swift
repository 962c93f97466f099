import Synchronization

/// Counts the temporary keys that were given out in this process.
enum TemporaryKeys {
    private static let count = Atomic<Int64>(0)

    /// A key that no other object has, negative.
    static func next() -> Int64 { -count.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether the object of one key comes before that of another where nothing else orders them: stored objects in the order of
    /// their keys, then new objects in the order of their insertion.
    static func precedes(_ left: Int64, _ right: Int64) -> Bool {
        if left < 0, right < 0 { return left > right }
        return (left < 0) == (right < 0) ? left < right : right < 0
    }
}
