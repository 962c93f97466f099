import ContextCore

/// Migrates a copy of a store, and compares it with the store.
struct MigrateRehearseCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "rehearse"],
        abstract: "Migrates a copy of a store, and compares every property with the store.",
        discussion: """
            The store is read in one snapshot and not changed, and programs can use it meanwhile. The copy is beside the store's
            file, or in a schema of its own in the store's database, and is removed at the end. With --rows only a consistent
            sample is copied. The command runs all phases on the copy, compares counts, sums, missing values and every value,
            and checks the copy like 'check' and 'drift'. Losses must be accepted as for 'migrate apply'. The command exits with
            2 if the migrated copy violates its model. User-defined objects in the database are not copied. If the command is
            killed, the copy stays; its name contains “rehearsal”.
            """,
        options: [
            ModelHistory.option,
            .option("to", nil, "VERSION", "The version to migrate the copy to. The default is the last one."),
            .option(
                "rows", "n", "N",
                "How many objects of each entity to copy, without related objects. The default is all."),
            .option("seed", nil, "N", "The seed of the random selection with --rows. The default is 1."),
            .option("accept-loss", nil, "A,B", "The losses to accept, by name: Game, Game.title."),
            .flag("all", nil, "Also prints the properties without a change."),
        ] + HintOptions.options,
        examples: [
            .init(words: "migrate rehearse -s prod", help: "Before 'migrate apply'."),
            .init(
                words: "migrate rehearse -s prod --rows 1000 --json", help: "With a sample, for a script."
            ),
        ],
        exitCodes: ExitCode.storeCommands.union([.differences, .refused]).union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        let state = try migration.state()
        if let run = state.run {
            throw AdminError.refused(
                "the migration \(run.transition) is unfinished. No other can be rehearsed until it is finished.",
                hint: "Run 'storectl migrate resume' or 'storectl migrate rollback'.")
        }
        try migration.checkAcceptedLosses(state)
        let version = call.arguments["to"]
        // Errors of the plan are thrown before the store is copied.
        let plan = try migration.plan(to: version)
        try plan.checkDecisions(accepting: Set(call.arguments.list("accept-loss") ?? []))
        let rows = try call.arguments.positiveCount("rows")
        let rehearsal = MigrationRehearsal(
            call: call, store: migration.store, versions: migration.versions, version: version, rows: rows,
            seed: try call.arguments.count("seed") ?? 1)
        let result = try call.stopRequest.withSignalHandlers { try rehearsal.run() }
        return report(result, migration.store, rows, includesUnchanged: call.arguments.has("all"))
    }

    private func report(
        _ result: MigrationRehearsal.Result, _ store: AdministeredStore, _ rows: Int?, includesUnchanged: Bool
    ) -> Report {
        let isSound = result.findings.isEmpty && result.drift.isEmpty
        let findings = CheckCommand.rows(result.findings)
        let json: [String: JSONValue] = [
            "store": store.json, "transitions": .array(result.outcome.transitions.map(JSONValue.string)),
            "sample": rows.map(JSONValue.int) ?? .null,
            "milliseconds": .int(Quantity.milliseconds(result.duration)),
            "entities": .array(result.entities.map(\.json)), "findings": .array(findings.documents),
            "drift": .array(result.drift.map(JSONValue.string)),
            "notes": .array(result.outcome.notes.map(JSONValue.string)),
        ]
        return Report("migrate.rehearse", json, exit: isSound ? .success : .differences) { style in
            var text = result.entities.text(style, includesUnchanged: includesUnchanged)
            for note in result.outcome.notes { text += note + "\n" }
            if !result.findings.isEmpty { text += findings.text(style) }
            for sentence in result.drift { text += sentence + "\n" }
            let what = rows == nil ? "a copy" : "a sample"
            let done =
                "\(result.outcome.transitions.joined(separator: ", ")) on \(what) of \(store.title) in \(Quantity.time(result.duration))"
            let verdict =
                result.outcome.transitions.isEmpty
                ? "There is nothing to do."
                : isSound ? "\(done); the result is valid." : "\(done); the result violates its model."
            return text + (isSound ? style.green(verdict) : style.red(verdict)) + "\n"
        }
    }
}

extension RehearsalComparison.Entity {
    fileprivate var json: JSONValue {
        .object([
            "entity": .string(name), "was": olderName.map(JSONValue.string) ?? .null, "before": .int(before),
            "after": .int(after), "missing": .int(missing), "new": .int(added),
            "properties": .array(properties.map(\.json)),
        ])
    }
}

extension [RehearsalComparison.Entity] {
    fileprivate func text(_ style: TextStyle, includesUnchanged: Bool) -> String {
        if isEmpty { return "" }
        var objects = RowSet([
            .init("entity"), .init("was"), .init("before", isRightAligned: true),
            .init("after", isRightAligned: true),
            .init("missing", isRightAligned: true), .init("new", isRightAligned: true),
        ])
        for entity in self {
            objects.append([
                .string(entity.name),
                .string(entity.olderName == entity.name ? "" : entity.olderName ?? "new"),
                .count(entity.before), .count(entity.after), .count(entity.missing), .count(entity.added),
            ])
        }
        let changes = flatMap(\.properties).filter { includesUnchanged || $0.isChange }
        return objects.text(style) + "\n" + Self.properties(changes).text(style) + "\n"
            + Self.examples(changes, style)
    }

    private static func properties(_ changes: [PropertyChange]) -> RowSet {
        var rows = RowSet(
            [
                .init("property"), .init("was"), .init("empty before", isRightAligned: true),
                .init("after", isRightAligned: true), .init("sum or links before", isRightAligned: true),
                .init("after", isRightAligned: true), .init("different", isRightAligned: true),
            ], emptyText: "No value has changed.")
        for change in changes {
            func total(_ tally: PropertyTally) -> RowSet.Cell {
                change.isRelationship ? .count(tally.links) : .string(tally.sum ?? "")
            }
            rows.append([
                .string(change.path),
                .string(change.olderPath == change.path ? "" : change.olderPath ?? "new"),
                .count(change.before.empty), .count(change.after.empty), total(change.before),
                total(change.after), .count(change.different),
            ])
        }
        return rows
    }

    private static func examples(_ changes: [PropertyChange], _ style: TextStyle) -> String {
        var rows = RowSet([.init("object"), .init("property"), .init("before"), .init("after")])
        for change in changes {
            for example in change.examples {
                rows.append([
                    .string(example.object), .string(change.path), .string(example.before),
                    .string(example.after),
                ])
            }
        }
        return rows.rows.isEmpty ? "" : rows.text(style) + "\n"
    }
}
