import Synchronization

/// The temporary keys of this process, which count down from -1.
enum TemporaryKeys {
    private static let count = Atomic<Int64>(0)

    /// Returns a negative key that no other object of this process has.
    static func next() -> Int64 { -count.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether one key precedes another by default: stored objects come in the order of their keys, followed by new objects in the order
    /// of their insertion.
    static func precedes(_ left: Int64, _ right: Int64) -> Bool {
        if left < 0, right < 0 { return left > right }
        return (left < 0) == (right < 0) ? left < right : right < 0
    }

    /// Compares two keys: negative if the left one precedes the right one by default, zero if they are equal.
    static func compare(_ left: Int64, _ right: Int64) -> Int {
        left == right ? 0 : precedes(left, right) ? -1 : 1
    }
}
