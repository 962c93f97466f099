/// The values that were made or asked for last, no more of them than a bound allows.
///
/// It keeps two tables: when one is full, the other begins anew, and what is asked for again moves over. So what is in use stays,
/// and nobody has to keep an order.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// - Parameter capacity: How many values there are at the most.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many values there are.
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
