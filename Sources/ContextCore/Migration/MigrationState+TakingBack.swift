extension MigrationState.Run {
    /// Refuses to take the migration back once its last phase has begun, and where that would lose what nobody has named.
    ///
    /// - Parameter losses: What may be lost, by name.
    package func checkTakingBack(accepting losses: Set<String>) throws(StoreError) {
        let made = steps.prefix(done)
        guard made.allSatisfy({ $0.phase < .contract }) else {
            throw StoreError(
                .migrationRefused, "The migration \(transition) can't be taken back any more.",
                remedy: "Migrate again, which finishes it.")
        }
        let isShared = made.contains { $0.force == .both }
        let lost = isShared ? added.filter { !losses.contains($0) } : []
        guard lost.isEmpty else {
            throw StoreError(
                .migrationRefused,
                "Programs of the newer version may have kept something in \(lost.joined(separator: ", ")).",
                remedy: "Name what may be lost among the accepted losses; nothing was changed.")
        }
        for name in losses.sortedByBytes(of: \.self) {
            guard let finding = HintCheck.stray(name, among: added) else { continue }
            throw StoreError(.migrationRefused, finding.sentence, remedy: finding.remedy)
        }
    }
}
