extension MigrationState.Run {
    /// Throws if the migration's last phase has started, or if rolling it back would lose data whose loss isn't accepted.
    ///
    /// - Parameter losses: The accepted losses.
    package func checkRollback(accepting losses: Set<String>) throws(StoreError) {
        let made = steps.prefix(done)
        guard made.allSatisfy({ $0.phase < .contract }) else {
            throw StoreError(
                .migrationRefused,
                "The rollback of \(transition) was refused, because the last phase of the migration has started.",
                remedy: "Run the migration again to finish it.")
        }
        let isShared = made.contains { $0.force == .both }
        let lost = isShared ? added.filter { !losses.contains($0) } : []
        guard lost.isEmpty else {
            throw StoreError(
                .migrationRefused,
                "The rollback of \(transition) was refused, because programs of the newer version may have saved data in "
                    + "\(lost.joined(separator: ", ")).",
                remedy: MigrationOptions.remedy(accepting: lost))
        }
        for name in losses.sortedByBytes(of: \.self) {
            guard let finding = HintCheck.ineffectiveLoss(name, among: added) else { continue }
            throw StoreError(.migrationRefused, finding.sentence, remedy: finding.remedy)
        }
    }
}
