/// Evaluates aggregate plans in memory, over subjects.
package struct AggregateEvaluation<Subject: PredicateSubject> {
    private let evaluator: PredicateEvaluator<Subject>

    package init(_ evaluator: PredicateEvaluator<Subject>) { self.evaluator = evaluator }

    /// Returns the result rows for the subjects that satisfy the plan's predicate.
    ///
    /// Result rows that the plan's order doesn't distinguish are sorted by the values of their groups, or by the keys of the stored rows.
    package func resultRows(of plan: AggregatePlan, over subjects: [Subject]) throws -> [[StoredValue]] {
        var resultRows: [(values: [StoredValue], order: [StoredValue])] = []
        for group in try groups(of: plan, subjects) {
            if let having = plan.having, try evaluator.evaluate(having, group: group) != .true { continue }
            let values = try plan.columns.map { try evaluator.value($0, group: group) }
            resultRows.append(
                (values, try plan.order.map { try evaluator.value($0.expression, group: group) }))
        }
        if plan.isDistinct {
            var seen: Set<[StoredValue]> = []
            resultRows = resultRows.filter { seen.insert($0.values).inserted }
        }
        let order = SubjectOrder(plan.order, evaluator: evaluator)
        let sorted = resultRows.enumerated().sorted { first, second in
            let result = order.compare(first.element.order, second.element.order)
            return result == 0 ? first.offset < second.offset : result < 0
        }
        return sorted.dropFirst(max(0, plan.offset)).prefix(max(0, plan.limit ?? .max)).map(\.element.values)
    }

    /// Returns the groups: a single one if the plan has aggregates without groups, and one per row if it has neither.
    private func groups(of plan: AggregatePlan, _ subjects: [Subject]) throws -> [[Subject]] {
        let subjects = subjects.sorted { $0.key < $1.key }
        if plan.groupBy.isEmpty {
            return plan.aggregatesRows ? [subjects] : subjects.map { [$0] }
        }
        var groups: [[StoredValue]: [Subject]] = [:]
        for subject in subjects {
            let key = try plan.groupBy.map { try evaluator.value($0, subject) }
            groups[key, default: []].append(subject)
        }
        return groups.sorted { Self.precedes($0.key, $1.key) }.map(\.value)
    }

    private static func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for (left, right) in zip(left, right) where left != right {
            if left.isNull || right.isNull { return left.isNull }
            return ValueOrder.compare(left, right) < 0
        }
        return false
    }
}

extension AggregatePlan {
    /// Whether the plan has groups or aggregates of rows, so that a result row isn't a stored row.
    package var aggregatesRows: Bool { columns.contains(where: \.containsRowAggregate) || having != nil }
}

extension ResolvedExpression {
    /// Whether the expression contains an aggregate of rows.
    package var containsRowAggregate: Bool {
        switch node {
        case .constant, .property: false
        case .arithmetic(_, let left, let right): left.containsRowAggregate || right.containsRowAggregate
        case .function(_, let arguments): arguments.contains(where: \.containsRowAggregate)
        case .conditional(_, let first, let second): first.containsRowAggregate || second.containsRowAggregate
        case .aggregate(let aggregate): aggregate.collection == nil
        }
    }
}
