/// Assigns positions to the members of a list while changing as few as possible.
package enum ListPositions {
    /// The distance between the positions of new members of an ordered relationship; members can later be inserted
    /// between them.
    package static let gap: Int64 = 1 << 20

    /// Returns strictly increasing positions.
    ///
    /// The members of a longest increasing subsequence keep their positions; the others are placed between their neighbors. If there is no
    /// room between two neighbors, the whole list is renumbered.
    package static func assign(_ old: [Int64?], gap: Int64) -> [Int64] {
        let kept = longestIncreasingSubsequence(old)
        var positions: [Int64?] = old.indices.map { kept.contains($0) ? old[$0] : nil }
        var index = 0
        while index < positions.count {
            if positions[index] != nil {
                index += 1
                continue
            }
            let end = positions[index...].firstIndex { $0 != nil } ?? positions.count
            let before = index > 0 ? positions[index - 1] : nil
            let after = end < positions.count ? positions[end] : nil
            guard let run = positionsBetween(before, after, count: end - index, gap: gap) else {
                return old.indices.map { Int64($0 + 1) * gap }
            }
            positions.replaceSubrange(index..<end, with: run)
            index = end
        }
        return positions.map { $0 ?? 0 }
    }

    /// Returns positions between two neighbors; nil if there is no room.
    private static func positionsBetween(_ before: Int64?, _ after: Int64?, count: Int, gap: Int64)
        -> [Int64]?
    {
        switch (before, after) {
        case (nil, nil): return run(from: 0, by: gap, count: count)
        case (let before?, nil): return run(from: before, by: gap, count: count)
        case (nil, let after?): return run(from: after, by: -gap, count: count)?.reversed()
        case (let before?, let after?):
            let (distance, isHuge) = after.subtractingReportingOverflow(before)
            let step = (isHuge ? .max : distance) / Int64(count + 1)
            return step > 0 ? run(from: before, by: step, count: count) : nil
        }
    }

    /// Returns the given number of equidistant positions after a start; nil if they overflow.
    static func run(from start: Int64, by step: Int64, count: Int) -> [Int64]? {
        let (length, isTooLong) = step.multipliedReportingOverflow(by: Int64(count))
        if isTooLong || start.addingReportingOverflow(length).overflow { return nil }
        return (0..<count).map { start + Int64($0 + 1) * step }
    }

    /// Returns the indices of a longest strictly increasing subsequence.
    private static func longestIncreasingSubsequence(_ values: [Int64?]) -> Set<Int> {
        var tails: [Int] = []
        var previous: [Int: Int] = [:]
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] ?? .max < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var run: Set<Int> = []
        var current = tails.last
        while let index = current {
            run.insert(index)
            current = previous[index]
        }
        return run
    }
}
