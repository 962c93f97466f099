/// Sorts objects by sort keys; ties are broken by the objects' keys, with unsaved objects last.
package struct SubjectOrder<Subject: PredicateSubject> {
    private let keys: [ResolvedSortKey]
    private let evaluator: PredicateEvaluator<Subject>

    package init(_ keys: [ResolvedSortKey], evaluator: PredicateEvaluator<Subject>) {
        self.keys = keys
        self.evaluator = evaluator
    }

    /// Sorts objects.
    ///
    /// Each sort value is computed once per object.
    package func sorted(_ subjects: [Subject]) throws -> [Subject] {
        let entries = try subjects.map { subject in
            (subject: subject, values: try values(of: subject))
        }
        return entries.sorted { first, second in
            let order = compare(first.values, second.values)
            return order == 0
                ? TemporaryKeys.precedes(first.subject.key, second.subject.key) : order < 0
        }.map(\.subject)
    }

    /// Returns the index at which an object belongs in a sorted collection.
    ///
    /// A binary search computes the sort values of log₂ n objects.
    package func index<Sorted: RandomAccessCollection<Subject>>(
        of subject: Subject, in sorted: Sorted
    ) throws -> Sorted.Index {
        let values = try values(of: subject)
        var low = sorted.startIndex
        var count = sorted.count
        while count > 0 {
            let middle = sorted.index(low, offsetBy: count / 2)
            let other = sorted[middle]
            let order = compare(try self.values(of: other), values)
            if order < 0 || order == 0 && TemporaryKeys.precedes(other.key, subject.key) {
                low = sorted.index(after: middle)
                count -= count / 2 + 1
            } else {
                count /= 2
            }
        }
        return low
    }

    private func values(of subject: Subject) throws -> [StoredValue] {
        try keys.map { try evaluator.value($0.expression, subject) }
    }

    /// Compares the sort values of two objects: negative if the left ones come first, zero for a tie.
    package func compare(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
        for ((key, left), right) in zip(zip(keys, left), right) {
            let order = Self.compare(left, right, key)
            if order != 0 { return order }
        }
        return 0
    }

    private static func compare(_ left: StoredValue, _ right: StoredValue, _ key: ResolvedSortKey) -> Int {
        switch (left.isNull, right.isNull) {
        case (true, true): return 0
        case (true, false): return key.nullsFirst ? -1 : 1
        case (false, true): return key.nullsFirst ? 1 : -1
        case (false, false):
            let order = ValueOrder.compare(left, right)
            return key.isDescending ? -order : order
        }
    }
}
