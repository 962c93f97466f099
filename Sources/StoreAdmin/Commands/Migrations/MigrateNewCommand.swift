import ContextCore

/// Writes the migration file between two frozen versions.
struct MigrateNewCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "new"],
        abstract: "Writes the migration file from one frozen version to the next, for a review.",
        discussion: """
            If an entity or a property may have been renamed, the command fails until --rename or --removed decides it. The
            former name comes first: --rename Game.name:title.
            """,
        operands: [
            .init(name: "FROM", help: "The older version."), .init(name: "TO", help: "The newer version."),
        ],
        options: [ModelHistory.option] + HintOptions.options + [HintOptions.acceptOption],
        examples: [
            .init(words: "migrate new V1 V2 --rename Game.name:title", help: "After 'model freeze V2'."),
            .init(
                words: "migrate new V1 V2 --convert 'Product.price=cents / 100'",
                help: "With a conversion."),
        ], takesTenant: false, exitCodes: [.refused, .badData, .inputMissing, .cannotCreate])

    func run(_ call: CommandCall) throws -> Report {
        let history = ModelHistory(call)
        let (from, to) = (call.arguments.operands[0], call.arguments.operands[1])
        let options = HintOptions(call: call)
        let reasons = try options.pairs("accept")
        let hints = try options.hints(acceptedLosses: Set(reasons.keys))
        let transition = try ModelTransition(
            from: ModelVersion(from, history.frozen(from)),
            to: ModelVersion(to, history.frozen(to), hints: hints))
        let manifest = MigrationManifest(transition, reasons: reasons)
        let path = history.manifestPath(from, to)
        try history.write(manifest.fileText, to: path)
        let undecided = transition.undecided.map(\.description)
        let losses = transition.losses.filter { !hints.acceptedLosses.contains($0) }
        let json: [String: JSONValue] = [
            "file": .string(path), "operations": .array(manifest.operations.map(JSONValue.string)),
            "losses": .array(losses.map(JSONValue.string)),
            "undecided": .array(undecided.map(JSONValue.string)),
        ]
        return Report("migrate.new", json) { style in
            "\(path)\n" + manifest.operations.map { "  \($0)\n" }.joined()
                + losses.map { style.yellow("Lost, and not accepted: \($0).") + "\n" }.joined()
                + undecided.map { style.yellow("Undecided: \($0)") + "\n" }.joined()
        }
    }
}
