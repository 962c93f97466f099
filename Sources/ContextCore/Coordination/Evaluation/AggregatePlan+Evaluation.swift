public import Foundation

extension AggregatePlan {
    /// Answers the plan out of rows; the moment is what `now` means in a predicate.
    ///
    /// Lines that the plan's order leaves equal stand in the order of their groups' values, or of their rows' keys.
    public func evaluate(over source: some RowSource, at moment: Date = .now) throws -> [[StoredValue]] {
        let evaluation = RowEvaluation(source, now: moment)
        let subjects = try evaluation.subjects(criteria(in: source.model), where: predicate)
        return try AggregateEvaluation(evaluation.evaluator).lines(of: self, over: subjects)
    }

    /// What is certain of the plan's rows before any of them is looked at.
    public func criteria(in model: ObjectModel) -> RowCriteria {
        RowCriteria(
            model.layouts[entityIndex], includesSubentities: includesSubentities, predicate)
    }
}
