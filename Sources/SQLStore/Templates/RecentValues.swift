/// A bounded cache of the values that were inserted or read most recently.
///
/// It has two tables: when one is full, it replaces the other, and a value that is read moves to the recent one. So values in use stay
/// in the cache, without the cost of an exact LRU order.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// - Parameter capacity: The maximum number of values.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of values.
    var count: Int { recent.count + older.count }

    mutating func value(_ key: Key) -> Value? {
        if let value = recent[key] { return value }
        guard let value = older.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func insert(_ value: Value, for key: Key) {
        if recent.count >= capacity / 2 {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }
}
