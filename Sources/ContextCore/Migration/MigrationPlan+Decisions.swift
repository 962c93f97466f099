extension MigrationPlan {
    /// Refuses a plan in which somebody has something to decide, or something would be lost that nobody has named.
    ///
    /// - Parameter losses: What may be lost, beside what the versions say themselves.
    package func checkDecisions(accepting losses: Set<String>) throws(StoreError) {
        if let sentence = undecided.first {
            throw StoreError(
                .migrationRefused, "Somebody has to decide this: \(sentence)",
                remedy: "Give a conversion or a stage; nothing was changed.",
                detail: undecided.joined(separator: " "))
        }
        for transition in stretches.map(\.transition) {
            let accepted = losses.union(transition.to.hints.acceptedLosses)
            let lost = transition.losses.filter { !accepted.contains($0) }
            guard lost.isEmpty else {
                throw StoreError(
                    .migrationRefused, "The migration would lose \(lost.joined(separator: ", ")).",
                    remedy: "Name what may be lost among the accepted losses; nothing was changed.")
            }
        }
    }
}
