extension MigrationPlan {
    /// Throws if the plan needs a decision, or would lose data whose loss isn't accepted.
    ///
    /// - Parameter losses: The accepted losses, in addition to those that the versions accept.
    package func checkDecisions(accepting losses: Set<String>) throws(StoreError) {
        if let sentence = undecided.first {
            throw StoreError(
                .migrationRefused, "The migration needs a decision: \(sentence)",
                remedy: "Add a conversion or a stage. Nothing was changed.",
                detail: undecided.joined(separator: " "))
        }
        for transition in segments.map(\.transition) {
            let accepted = losses.union(transition.to.hints.acceptedLosses)
            let lost = transition.losses.filter { !accepted.contains($0) }
            guard lost.isEmpty else {
                throw StoreError(
                    .migrationRefused, "The migration would lose \(lost.joined(separator: ", ")).",
                    remedy: MigrationOptions.remedy(accepting: lost))
            }
        }
    }
}
