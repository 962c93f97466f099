import ContextCore

/// Lists the differences between two models.
struct ModelDiffCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "diff"], abstract: "Lists the differences between two models, in sentences.",
        discussion: """
            A model is a file, 'store' for the store's current model, 'store@1' for one of its versions, or 'app' for the
            application's model. The command exits with 2 if they differ. If an entity or a property may have been renamed, it
            fails until a renaming identifier or --removed decides it.
            """,
        operands: [
            .init(name: "OLD", help: "The older model."), .init(name: "NEW", help: "The newer model."),
        ],
        options: [
            .option("removed", nil, "A,B", "Entities and properties that were removed: Game, Player.score.")
        ],
        examples: [
            .init(words: "model diff store V2.model.json", help: "The changes of a new version."),
            .init(words: "model diff store app", help: "Whether the application is ahead of the store."),
        ], formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let selection = ModelSelection(call: call)
        let (old, new) = (
            try selection.model(call.arguments.operands[0]), try selection.model(call.arguments.operands[1])
        )
        let difference: ModelDifference
        let removed = Set(try call.arguments.list("removed") ?? [])
        do throws(AmbiguousRenames) {
            difference = try ModelDifference(from: old, to: new, removed: removed)
        } catch {
            throw AdminError.badData(error.description)
        }
        try MigrationHints(removed: removed).check(from: old, to: new, difference)
        var rows = RowSet(
            [.init("change"), .init("consequence")], emptyText: "the models are equal")
        for change in difference.changes {
            rows.append([.string(change.description), .string(change.consequence.title)])
        }
        var report = Report("model.diff", rows: rows)
        if !difference.changes.isEmpty { report.exit = .differences }
        return report
    }
}

extension ModelChange.Consequence {
    /// The name of the consequence in tables.
    fileprivate var title: String {
        switch self {
        case .none: ""
        case .dependsOnData: "depends on the objects"
        case .needsConversion: "needs a conversion"
        case .losesData: "loses data"
        }
    }
}
