import ContextCore

extension ModelTransition {
    /// The program's stage that a step needs.
    ///
    /// - Throws: `StoreError.Code.migrationUnfinished` where the program hasn't got it.
    func stage(of fill: MigrationStep.Fill) throws(StoreError) -> MigrationStage {
        if let stage = to.stages.first(where: { $0.fills(fill) }) { return stage }
        throw StoreError(
            .migrationUnfinished,
            "The migration needs the program's stage that fills \(fill.stage.joined(separator: ", ")) of \(fill.entityName).",
            remedy:
                "Finish it with the program that has the stage, or take it back with “storectl migrate rollback”."
        )
    }
}

extension MigrationStage {
    /// Whether it is the one that a step needs.
    func fills(_ fill: MigrationStep.Fill) -> Bool {
        entityName == fill.entityName && attributes == fill.stage
    }
}
