import ContextCore

extension CommandTree {
    /// Every command that there is.
    static let all = CommandTree(
        commands: [
            StatusCommand(), DoctorCommand(), CheckCommand(), SQLCommand(),
            DatabasePingCommand(), DatabaseWaitCommand(), DatabaseCreateCommand(), DatabaseDropCommand(),
            ModelListCommand(), ModelShowCommand(), ModelDiffCommand(), ModelImportCommand(),
            ModelFreezeCommand(),
            ModelCheckCommand(),
            DiagramCommand(),
            MigrateNewCommand(), MigratePlanCommand(), MigrateRehearseCommand(), MigrateLintCommand(),
            MigrateScriptCommand(),
            MigrateApplyCommand(), MigrateCompleteCommand.complete, MigrateCompleteCommand.resume,
            MigrateRollbackCommand(), MigrateAdoptCommand.adopt, MigrateAdoptCommand.baseline,
            MigrateStatusCommand(), MigrateHistoryCommand(), DriftCommand(),
            InspectEntitiesCommand(), InspectEntityCommand(), InspectRelationshipsCommand(),
            InspectCountsCommand(), InspectSizesCommand(), InspectIndexesCommand(), InspectSettingsCommand(),
            QueryCommand(), GetCommand(), CountCommand(), ExplainCommand(), AdviseCommand(), ShellCommand(),
            HistoryListCommand(), HistoryShowCommand(), HistoryTailCommand(), HistoryPruneCommand(),
            DataExportCommand(), DataImportCommand(), DataCopyCommand(), DataVerifyCommand(),
            DataChecksumCommand(), DataSampleCommand(),
            BackupCreateCommand(), BackupListCommand(), BackupVerifyCommand(), BackupRestoreCommand(),
            BackupPruneCommand(),
            MaintainCommand(.vacuum), MaintainCommand(.analyze), MaintainCommand(.checkpoint),
            MaintainCommand(.reindex), MaintainIntegrityCommand(), MaintainRecoverCommand(),
            FleetListCommand(), FleetStatusCommand(), FleetMigrateCommand(), FleetCheckCommand(),
            FleetBackupCommand(),
            InitCommand(), ConfigShowCommand(), ConfigCheckCommand(), ConfigPathCommand(),
            CompletionCommand(), VersionCommand(),
        ],
        groups: [
            Group(name: "db", abstract: "Makes and removes stores, and waits for their servers."),
            Group(name: "model", abstract: "Shows, compares and freezes models."),
            Group(name: "migrate", abstract: "Brings stores from one version of a model to the next."),
            Group(name: "inspect", abstract: "Looks into a store, or into any database."),
            Group(name: "history", abstract: "Shows, follows and forgets what was saved."),
            Group(name: "data", abstract: "Moves data out of, into and between stores, and compares it."),
            Group(name: "backup", abstract: "Makes backups of stores, verifies and restores them."),
            Group(name: "maintain", abstract: "Looks after a database without changing what it holds."),
            Group(name: "fleet", abstract: "Lists, migrates, checks and backs up the stores of all tenants."),
            Group(name: "config", abstract: "Shows and checks the configuration."),
        ])
}
