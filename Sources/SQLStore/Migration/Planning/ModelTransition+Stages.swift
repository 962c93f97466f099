import ContextCore

extension ModelTransition {
    /// Returns the program's stage that a step runs.
    ///
    /// - Throws: `StoreError.Code.migrationUnfinished` if the program doesn't have it.
    func stage(of fill: MigrationStep.Fill) throws(StoreError) -> MigrationStage {
        if let stage = to.stages.first(where: { $0.fills(fill) }) { return stage }
        throw fill.missingStageError
    }
}

extension MigrationStage {
    /// Whether a step runs this stage.
    func fills(_ fill: MigrationStep.Fill) -> Bool {
        entityName == fill.entityName && properties == fill.stage
    }
}
