/// A regular expression of `MATCHES`, taken apart.
///
/// The language is a small one that every store can answer alike and in time linear in the text: no references back, no
/// looking around, no lazy or possessive repeating. Beginning and end are implied.
package struct TextExpression: Hashable, Sendable {
    /// A piece of an expression.
    package indirect enum Node: Hashable, Sendable {
        /// One scalar of a set.
        case scalar(ScalarSet)
        /// One after the other; none at all fits the empty text.
        case sequence([Node])
        /// One of several.
        case alternatives([Node])
        /// As often as the bounds say; without end when the upper one is nil.
        case repeated(Node, least: Int, most: Int?)
    }

    /// The expression as it was written.
    package let pattern: String
    /// The whole of it.
    package let root: Node

    init(pattern: String, root: Node) {
        self.pattern = pattern
        self.root = root
    }
}

/// A set of Unicode scalars, as ranges that are sorted and don't touch.
package struct ScalarSet: Hashable, Sendable {
    /// The ranges of code points.
    package private(set) var ranges: [ClosedRange<UInt32>]

    /// Makes a set of ranges in any order.
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

    /// Every scalar that the set lacks.
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
}
