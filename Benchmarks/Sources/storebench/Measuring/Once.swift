/// Records which preparations are done, for stores that are filled once for all rounds.
final class Once {
    private var names: Set<String> = []

    /// Returns whether this is the first call with a name.
    func first(_ name: String) -> Bool { names.insert(name).inserted }
}

/// The values that were prepared for each store.
final class Cache<Value> {
    private var values: [String: Value] = [:]

    subscript(name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
