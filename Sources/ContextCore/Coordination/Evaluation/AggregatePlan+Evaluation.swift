public import Foundation

extension AggregatePlan {
    /// Evaluates the plan over rows, with a date for `now` in predicates.
    ///
    /// Result rows that the plan's order doesn't distinguish are sorted by the values of their groups, or by the keys of the stored rows.
    public func evaluate(over source: some RowSource, at date: Date = .now) throws -> [[StoredValue]] {
        let evaluation = RowEvaluation(source, now: date)
        let subjects = try evaluation.subjects(criteria(in: source.model), where: predicate)
        return try AggregateEvaluation(evaluation.evaluator).resultRows(of: self, over: subjects)
    }

    /// Returns the conditions that can be used to find the plan's rows with an index.
    public func criteria(in model: ObjectModel) -> RowCriteria {
        RowCriteria(
            model.layouts[entityIndex], includesSubentities: includesSubentities, predicate)
    }
}
