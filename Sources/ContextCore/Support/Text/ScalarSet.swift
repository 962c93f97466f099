/// A set of Unicode scalars, stored as sorted ranges that don't touch.
package struct ScalarSet: Hashable, Sendable {
    /// The ranges of code points.
    package let ranges: [ClosedRange<UInt32>]

    /// Makes a set from ranges in any order.
    package init(_ ranges: [ClosedRange<UInt32>]) {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound &+ 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        self.ranges = joined
    }

    /// `\d`: the ASCII digits.
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`: the ASCII letters and digits, and the underscore.
    static let wordScalars = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`: the ASCII white space.
    static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
    /// `.`: everything except the line feed.
    static let anyButLineFeed = ScalarSet([0x0A...0x0A]).inverted

    /// The complement of the set.
    package var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    /// Whether a scalar is in the set.
    package func contains(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }

    /// Returns the set with the folded forms of its scalars added.
    func folded(_ options: TextOptions) -> ScalarSet {
        guard let map = ScalarMap.folding(options) else { return self }
        let targets = map.changes.compactMap { contains($0.scalar) ? $0.target : nil }
        return ScalarSet(ranges + targets.map { $0...$0 })
    }
}
