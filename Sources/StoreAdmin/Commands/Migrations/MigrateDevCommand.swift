import ContextCore

/// Freezes a changed model and migrates a development store to it.
struct MigrateDevCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "dev"],
        abstract: "Freezes the changed model as a version, and migrates a development store to it.",
        discussion: """
            The command writes the model file of the next version and its migration file, and shows the plan. At a terminal it
            asks about possible renames, losses, and the whole. Then it migrates the store through all phases, compares its
            tables with the model, and lists the files to commit. If there is no store, it creates one. Without frozen versions,
            the store's model becomes V1. If the model is frozen already, only the store is migrated; if that is up to date, the
            command changes nothing. A store whose model is no version, because a program migrated it automatically, is migrated
            directly. With --amend the last version is replaced: use it before you commit that version. A refused migration
            leaves no files. Without a terminal it changes nothing without --yes. Production stores are refused, and stores on a
            server that only an environment variable names.
            """,
        operands: [
            .init(
                name: "NAME", help: "The version's name. The default follows the last one: V3 after V2.",
                isOptional: true)
        ],
        options: [
            ModelHistory.option, ModelSelection.option,
            .flag("amend", nil, "Replaces the last version, which no other store may have."),
            .flag("sql", nil, "Shows the plan as SQL statements instead of sentences."),
        ] + HintOptions.options + Self.runOptions,
        examples: [
            .init(
                words: "migrate dev", help: "After a change of the model, with the application's own tool."),
            .init(words: "migrate dev --rename Player.name:fullName", help: "With a renamed property."),
            .init(words: "migrate dev --amend", help: "If the model changes again before a commit."),
        ],
        exitCodes: ExitCode.storeCommands.union([.refused, .differences, .cannotCreate])
            .union(ExitCode.stoppableCommands))

    /// The options about the run of a migration, without that for production stores.
    private static let runOptions: [OptionDeclaration] = {
        let own = MigrationCall.runOptions.filter {
            ![ModelHistory.option, Confirmation.option].contains($0)
        }
        return [HintOptions.acceptOption] + own + [BackupFolder.option]
    }()

    func run(_ call: CommandCall) throws -> Report { try DevelopmentMigration(call).run() }
}
