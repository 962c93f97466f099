import ContextCore

extension CommandTree {
    /// All commands of the tool.
    static let all = CommandTree(
        commands: [
            StatusCommand(), DoctorCommand(), CheckCommand(), ReportCommand(), SQLCommand(),
            DatabasePingCommand(), DatabaseWaitCommand(), DatabaseCreateCommand(), DatabaseDropCommand(),
            ModelListCommand(), ModelShowCommand(), ModelDiffCommand(), ModelImportCommand(),
            ModelGenerateCommand(),
            ModelFreezeCommand(),
            ModelCheckCommand(),
            DiagramCommand(),
            MigrateDevCommand(), MigrateNewCommand(), MigratePlanCommand(), MigrateRehearseCommand(),
            MigrateLintCommand(),
            MigrateScriptCommand(),
            MigrateApplyCommand(), MigrateCompleteCommand.complete, MigrateCompleteCommand.resume,
            MigrateRollbackCommand(), MigrateAdoptCommand.adopt, MigrateAdoptCommand.baseline,
            MigrateStatusCommand(), MigrateHistoryCommand(), DriftCommand(),
            InspectEntitiesCommand(), InspectEntityCommand(), InspectRelationshipsCommand(),
            InspectCountsCommand(), InspectSizesCommand(), InspectIndexesCommand(), InspectSettingsCommand(),
            ActivityCommand(),
            QueryCommand(), GetCommand(), RelatedCommand(), ChangeCommand(), CountCommand(), ExplainCommand(),
            AdviseCommand(), ShellCommand(), StudioCommand(),
            HistoryListCommand(), HistoryShowCommand(), HistoryTailCommand(), HistoryPruneCommand(),
            DataExportCommand(), DataImportCommand(), DataCopyCommand(), DataVerifyCommand(),
            DataChecksumCommand(), DataSampleCommand(),
            BackupCreateCommand(), BackupListCommand(), BackupVerifyCommand(), BackupRestoreCommand(),
            BackupPruneCommand(),
            MaintainCommand(.vacuum), MaintainCommand(.analyze), MaintainCommand(.checkpoint),
            MaintainCommand(.reindex), MaintainIntegrityCommand(), MaintainRecoverCommand(),
            FleetListCommand(), FleetStatusCommand(), FleetMigrateCommand(), FleetCheckCommand(),
            FleetBackupCommand(),
            NewCommand(), InitCommand(), ConfigShowCommand(), ConfigCheckCommand(), ConfigPathCommand(),
            CompletionCommand(), VersionCommand(),
        ],
        hiddenCommands: [CompleteCommand(), ManCommand()],
        groups: [
            Group(name: "db", abstract: "Creates and drops stores, and waits for servers."),
            Group(name: "model", abstract: "Shows, compares, imports, generates and freezes models."),
            Group(name: "migrate", abstract: "Migrates stores between versions of a model."),
            Group(name: "inspect", abstract: "Shows the model, the sizes and the settings of a store."),
            Group(name: "history", abstract: "Shows, follows and prunes the history of saves."),
            Group(name: "data", abstract: "Exports, imports, copies and compares objects."),
            Group(name: "backup", abstract: "Makes, verifies and restores backups of stores."),
            Group(name: "maintain", abstract: "Runs maintenance of a database, which changes no objects."),
            Group(name: "fleet", abstract: "Lists, migrates, checks and backs up the stores of all tenants."),
            Group(name: "config", abstract: "Shows and checks the configuration."),
        ],
        sections: [
            Section(title: "Start here", words: ["new", "init", "status", "doctor", "help"]),
            Section(
                title: "Look",
                words: [
                    "query", "get", "related", "count", "explain", "advise", "inspect", "history", "activity",
                    "diagram", "shell", "studio",
                ]),
            Section(title: "Change", words: ["data", "change", "sql", "db"]),
            Section(title: "Migrate", words: ["model", "migrate", "drift"]),
            Section(
                title: "Operate",
                words: ["check", "report", "backup", "maintain", "fleet", "config", "completion", "version"]),
        ])
}
