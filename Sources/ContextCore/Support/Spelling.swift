/// Suggests corrections of misspelled names.
package enum Spelling {
    /// Returns the nearest of several names; nil if none is similar.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let candidates = names.map { (name: $0, distance: distance(word, $0)) }
        return candidates.filter { $0.distance <= limit }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// Returns the Damerau-Levenshtein distance (optimal string alignment) of two words, ignoring case; `Int.max` for 64 or more scalars.
    static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first.lowercased().unicodeScalars)
        let b = Array(second.lowercased().unicodeScalars)
        guard a.count < 64, b.count < 64 else { return .max }
        var before: [Int] = []
        var previous = Array(0...b.count)
        for i in 0..<a.count {
            var current = [i + 1]
            for j in 0..<b.count {
                let cost = a[i] == b[j] ? 0 : 1
                var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + cost)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                current.append(best)
            }
            before = previous
            previous = current
        }
        return previous[b.count]
    }
}
