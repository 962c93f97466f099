/// The permanent keys that a context's saves assigned, by temporary key, for identifiers that callers kept from before a save.
///
/// It keeps the latest 1,000 to 2,000 assignments, one per inheritance tree and save. An assignment is stored as runs of equally spaced
/// keys: one run for a million objects that were inserted one after the other, or alternately with those of another tree. If assignments
/// need many runs, fewer are kept, so that there are at most ``runLimit`` runs in addition to those of the latest assignment.
struct PermanentKeys {
    /// A run of equally spaced temporary keys whose permanent keys are consecutive.
    private struct Run {
        let first: Int64
        private(set) var last: Int64
        private var distance: Int64 = 0
        private let permanent: Int64

        init(_ first: Int64, _ permanent: Int64) {
            (self.first, self.last, self.permanent) = (first, first, permanent)
        }

        /// Appends a key; returns false if its distance from the last key differs.
        mutating func append(_ key: Int64) -> Bool {
            if distance == 0 {
                distance = key - first
            } else if key - last != distance {
                return false
            }
            last = key
            return true
        }

        func key(of key: Int64) -> Int64? {
            if key == first { return permanent }
            guard key >= min(first, last), key <= max(first, last) else { return nil }
            let (place, rest) = (key - first).quotientAndRemainder(dividingBy: distance)
            return rest == 0 ? permanent + place : nil
        }
    }

    /// The keys that one save assigned to the objects of one inheritance tree.
    private struct Assignment {
        let runs: [Run]
        private let keys: ClosedRange<Int64>

        init(_ permanent: Range<Int64>, for temporary: [Int64]) {
            var runs: [Run] = []
            var run = Run(temporary[0], permanent.lowerBound)
            for index in 1..<temporary.count where !run.append(temporary[index]) {
                runs.append(run)
                run = Run(temporary[index], permanent.lowerBound + Int64(index))
            }
            runs.append(run)
            self.runs = runs
            var (lowest, highest) = (temporary[0], temporary[0])
            for run in runs {
                lowest = min(lowest, run.first, run.last)
                highest = max(highest, run.first, run.last)
            }
            keys = lowest...highest
        }

        func key(of key: Int64) -> Int64? {
            keys.contains(key) ? runs.lazy.compactMap { $0.key(of: key) }.first : nil
        }
    }

    private static let limit = 1000
    static let runLimit = 20_000
    /// The assignments, oldest first.
    private var assignments: [Assignment] = []
    private(set) var runCount = 0

    /// Records the permanent keys that a save assigned, in the order of the temporary keys.
    mutating func record(_ permanent: Range<Int64>, for temporary: [Int64]) {
        if temporary.isEmpty { return }
        let assignment = Assignment(permanent, for: temporary)
        if runCount + assignment.runs.count > Self.runLimit {
            // Removes half of them at a time, so that the amortized cost is low.
            removeFirst { $0 + assignment.runs.count > Self.runLimit / 2 }
        }
        assignments.append(assignment)
        runCount += assignment.runs.count
        if assignments.count > 2 * Self.limit {
            runCount -= assignments.prefix(Self.limit).reduce(0) { $0 + $1.runs.count }
            assignments.removeFirst(Self.limit)
        }
    }

    /// Removes the oldest assignments while there are too many runs.
    private mutating func removeFirst(while isTooMany: (Int) -> Bool) {
        var count = 0
        while count < assignments.count, isTooMany(runCount) {
            runCount -= assignments[count].runs.count
            count += 1
        }
        assignments.removeFirst(count)
    }

    /// Removes the keys that a failed save revokes.
    mutating func removeAssignment(_ temporary: [Int64]) {
        guard let first = temporary.first else { return }
        assignments.removeAll { $0.runs[0].first == first }
        runCount = assignments.reduce(0) { $0 + $1.runs.count }
    }

    /// Returns the permanent key of a temporary key; nil if no recorded assignment contains it.
    func key(of temporary: Int64) -> Int64? {
        assignments.lazy.reversed().compactMap { $0.key(of: temporary) }.first
    }
}
