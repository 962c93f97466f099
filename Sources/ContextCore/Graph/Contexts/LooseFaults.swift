/// The keys of faults that no fetch led to, in the order in which they came to be.
///
/// Objects come and go without telling, so a key may be of one that is gone or was filled since.
struct LooseFaults {
    /// The only key there is, as in a block that looks for one object.
    private var single: Int64?
    private var keys: [Int64] = []
    /// Keys before this one were taken.
    private var first = 0
    /// How many keys there may be before those that nobody wants any more are sorted out.
    private var most = 4096

    mutating func append(_ key: Int64, where isWanted: (Int64) -> Bool) {
        if let earlier = single.take() {
            keys.append(earlier)
        } else if keys.isEmpty {
            return single = key
        }
        if keys.count >= most {
            keys = keys[first...].filter(isWanted)
            first = 0
            most = max(4096, keys.count * 2)
        }
        keys.append(key)
    }

    /// Takes the oldest keys that are still wanted, at most so many.
    ///
    /// Each key is looked at once, so that firing faults one after the other costs no more than making them.
    mutating func take(atMost count: Int, where isWanted: (Int64) -> Bool) -> [Int64] {
        if let key = single.take() { return isWanted(key) ? [key] : [] }
        var taken: [Int64] = []
        while first < keys.count, taken.count < count {
            if isWanted(keys[first]) { taken.append(keys[first]) }
            first += 1
        }
        if first == keys.count {
            keys.removeAll(keepingCapacity: first < 1024)
            first = 0
        }
        return taken
    }
}
