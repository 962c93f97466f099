import Synchronization

/// Counts the temporary keys that were given out in this process.
enum TemporaryKeys {
    private static let count = Atomic<Int64>(0)

    /// A key that no other object has, negative.
    static func next() -> Int64 { -count.wrappingAdd(1, ordering: .relaxed).newValue }
}
