/// The permanent keys that a context's new objects got, by their temporary ones, for identifiers that were kept from before the save.
///
/// It remembers the latest 1,000 times that keys were given out; one costs the same for a million objects as for one, where the objects
/// were made one after the other.
struct PermanentKeys {
    private struct Run {
        let first: Int64
        let last: Int64
        /// All of the temporary keys; nil where they are those from the first one down to the last.
        let temporary: [Int64]?
        let permanent: Range<Int64>

        init(_ temporary: [Int64], _ permanent: Range<Int64>) {
            first = temporary[0]
            last = temporary[temporary.count - 1]
            self.temporary = first - last == temporary.count - 1 ? nil : temporary
            self.permanent = permanent
        }

        func key(of key: Int64) -> Int64? {
            guard key <= first, key >= last else { return nil }
            let index = temporary.map { $0.firstIndex(of: key) } ?? Int(first - key)
            return index.map { permanent.lowerBound + Int64($0) }
        }
    }

    private static let limit = 1000
    /// The oldest first.
    private var runs: [Run] = []

    /// Records that objects got permanent keys.
    ///
    /// The temporary keys are in the order in which the objects were made, so each is less than the one before.
    mutating func record(_ permanent: Range<Int64>, for temporary: [Int64]) {
        if temporary.isEmpty { return }
        runs.append(Run(temporary, permanent))
        // Half of them at a time, so that each costs little.
        if runs.count > 2 * Self.limit { runs.removeFirst(Self.limit) }
    }

    /// Forgets the keys that a failed save takes back.
    mutating func forget(_ temporary: [Int64]) {
        guard let first = temporary.first else { return }
        runs.removeAll { $0.first == first }
    }

    /// The key that an object with a temporary key got; nil where it isn't known.
    func key(of temporary: Int64) -> Int64? {
        runs.lazy.reversed().compactMap { $0.key(of: temporary) }.first
    }
}
