import ContextCore

extension ModelTransition {
    /// The program's stage that a step needs.
    ///
    /// - Throws: `StoreError.Code.migrationUnfinished` where the program hasn't got it.
    func stage(of fill: MigrationStep.Fill) throws(StoreError) -> MigrationStage {
        if let stage = to.stages.first(where: { $0.fills(fill) }) { return stage }
        throw fill.stageMissing
    }
}

extension MigrationStage {
    /// Whether it is the one that a step needs.
    func fills(_ fill: MigrationStep.Fill) -> Bool {
        entityName == fill.entityName && properties == fill.stage
    }
}
