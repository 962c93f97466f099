extension CommandTree {
    /// Every command that there is.
    static let all = CommandTree(
        commands: [
            StatusCommand(), DoctorCommand(), CheckCommand(), SQLCommand(),
            ModelListCommand(), ModelShowCommand(), ModelDiffCommand(), DiagramCommand(),
            InspectEntitiesCommand(), InspectEntityCommand(), InspectRelationshipsCommand(),
            InspectCountsCommand(), InspectSizesCommand(), InspectIndexesCommand(), InspectSettingsCommand(),
            QueryCommand(), GetCommand(), CountCommand(), ExplainCommand(),
            HistoryListCommand(), HistoryShowCommand(),
            DataExportCommand(), DataImportCommand(), DataCopyCommand(), DataVerifyCommand(),
            DataChecksumCommand(),
            ConfigShowCommand(), ConfigCheckCommand(), ConfigPathCommand(),
            CompletionCommand(), VersionCommand(),
        ],
        groups: [
            Group(name: "model", abstract: "Shows and compares models."),
            Group(name: "inspect", abstract: "Looks into a store, or into any database."),
            Group(name: "history", abstract: "Shows what was saved."),
            Group(name: "data", abstract: "Moves data out of, into and between stores, and compares it."),
            Group(name: "config", abstract: "Shows and checks the configuration."),
        ])
}
