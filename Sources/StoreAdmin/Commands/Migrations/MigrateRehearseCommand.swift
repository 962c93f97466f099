import ContextCore

/// Migrates a copy of a store, and compares it with the store.
struct MigrateRehearseCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "rehearse"],
        abstract: "Migrates a copy of a store, says what has become of every property, and removes the copy.",
        discussion: """
            The store is read at one moment and not changed. All phases are run on the copy, whose objects have the same keys:
            beside the store's file, or in a schema of its own in the store's database. With --rows a part is copied that is
            whole by itself. Then counts, sums, missing values and every value are compared, and the copy is checked as
            'check' and 'drift' do. Programs can go on working. What would be lost has to be named as for 'migrate apply'; where
            that refuses, so does this. It exits with 2 when the migrated copy breaks its model. What others have made in the
            database isn't copied. Where the tool is killed, the copy stays and has “rehearsal” in its name.
            """,
        options: [
            ModelHistory.option,
            .option("to", nil, "VERSION", "The version at which the copy ends; the last unless given."),
            .option(
                "rows", "n", "N",
                "How many objects of each entity are copied, beside those that they lead to; all unless given."
            ),
            .option("seed", nil, "N", "With --rows, another number chooses others; 1 unless given."),
            .option("accept-loss", nil, "A,B", "What may be lost, by name: Game, Game.title."),
            .flag("all", nil, "Prints the properties too in which nothing is other than it was."),
        ] + HintOptions.options,
        examples: [
            .init(words: "migrate rehearse -s prod", help: "Before 'migrate apply'."),
            .init(
                words: "migrate rehearse -s prod --rows 1000 --json", help: "With a part of it, for a script."
            ),
        ], exits: ExitCode.ofStores.union([.differences, .refused]).union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        let state = try migration.state()
        if let run = state.run {
            throw AdminError.refused(
                "\(run.transition) was begun, and nothing else can be rehearsed before it is finished.",
                hint: "Run 'storectl migrate resume', or 'storectl migrate rollback'.")
        }
        try migration.checkAcceptedLosses(state)
        let version = call.arguments["to"]
        // What would be refused of the store itself is, before it is copied.
        let plan = try migration.plan(to: version)
        try plan.checkDecisions(accepting: Set(call.arguments.list("accept-loss") ?? []))
        let rows = try call.arguments.positiveCount("rows")
        let rehearsal = MigrationRehearsal(
            call: call, store: migration.store, versions: migration.versions, version: version, rows: rows,
            seed: try call.arguments.count("seed") ?? 1)
        let result = try call.interruption.heeded { try rehearsal.run() }
        return report(result, migration.store, rows, isWhole: call.arguments.has("all"))
    }

    private func report(
        _ result: MigrationRehearsal.Result, _ store: AdministeredStore, _ rows: Int?, isWhole: Bool
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
            var text = result.entities.text(style, isWhole: isWhole)
            for note in result.outcome.notes { text += note + "\n" }
            if !result.findings.isEmpty { text += findings.text(style) }
            for sentence in result.drift { text += sentence + "\n" }
            let what = rows == nil ? "a copy" : "a part"
            let done =
                "\(result.outcome.transitions.joined(separator: ", ")) on \(what) of \(store.title) in \(Quantity.time(result.duration))"
            let verdict =
                result.outcome.transitions.isEmpty
                ? "There is nothing to do."
                : isSound ? "\(done); it keeps its model." : "\(done); it breaks its model."
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
    fileprivate func text(_ style: TextStyle, isWhole: Bool) -> String {
        if isEmpty { return "" }
        var objects = RowSet([
            .init("entity"), .init("was"), .init("before", isRight: true), .init("after", isRight: true),
            .init("missing", isRight: true), .init("new", isRight: true),
        ])
        for entity in self {
            objects.append([
                .string(entity.name),
                .string(entity.olderName == entity.name ? "" : entity.olderName ?? "new"),
                .count(entity.before), .count(entity.after), .count(entity.missing), .count(entity.added),
            ])
        }
        let changes = flatMap(\.properties).filter { isWhole || $0.isChange }
        return objects.text(style) + "\n" + Self.properties(changes).text(style) + "\n"
            + Self.examples(changes, style)
    }

    private static func properties(_ changes: [PropertyChange]) -> RowSet {
        var rows = RowSet(
            [
                .init("property"), .init("was"), .init("empty before", isRight: true),
                .init("after", isRight: true), .init("sum or links before", isRight: true),
                .init("after", isRight: true), .init("different", isRight: true),
            ], emptyText: "Every value is what it was.")
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
