/// Remembers what has been done, for stores that every round finds as the first one left them.
final class Once {
    private var names: Set<String> = []

    /// Whether this is the first time that the name is given.
    func first(_ name: String) -> Bool { names.insert(name).inserted }
}

/// Keeps what was prepared for each store.
final class Cache<Value> {
    private var values: [String: Value] = [:]

    subscript(name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
