/// Puts objects in the order that sort keys ask for; ties are broken by key.
package struct SubjectOrder<Subject: PredicateSubject> {
    private let keys: [ResolvedSortKey]
    private let evaluator: PredicateEvaluator<Subject>

    package init(_ keys: [ResolvedSortKey], evaluator: PredicateEvaluator<Subject>) {
        self.keys = keys
        self.evaluator = evaluator
    }

    /// Sorts objects.
    ///
    /// Each value is worked out once.
    package func sorted(_ subjects: [Subject]) throws -> [Subject] {
        let entries = try subjects.map { subject in
            (subject: subject, values: try keys.map { try evaluator.value($0.expression, subject) })
        }
        return entries.sorted { first, second in
            let order = compare(first.values, second.values)
            return order == 0 ? first.subject.key < second.subject.key : order < 0
        }.map(\.subject)
    }

    /// Which of two lists of values comes first: negative, zero or positive.
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
