import ContextCore

/// Copies a consistent sample of a store into another store.
struct DataSampleCommand: Command {
    /// The key of the store's metadata that marks an unfinished sample.
    static let unfinishedKey = "storectl.sampling"

    let declaration = CommandDeclaration(
        words: ["data", "sample"],
        abstract: "Copies a consistent sample of a store into another store.",
        discussion: """
            The sample has some objects of each entity and all objects that they refer to, directly or indirectly, and as many
            members of to-many relationships as their minimum count requires. It has the links between its objects. The same
            seed selects the same objects on every backend. The destination must be empty, or is created. Keys, versions and
            the metadata of programs are kept. The command exits with 2 if the sample violates its model, as the source then
            does too, with 3 if the destination has objects, and with 65 if an object can't be written.

            --mask replaces the values of an attribute: 'hash' by a digest in its type, within its limits, 'fake' by plausible
            names, addresses and texts, 'null' by nothing. Equal values stay equal, unique values unique, and nil stays nil.
            Derived copies are masked like the value. The seed is the key of the digests: someone who knows it can try values out.
            """,
        operands: [
            .init(name: "SOURCE", help: "The name or URL of a store."),
            .init(name: "DESTINATION", help: "The name or URL of another store."),
        ],
        options: [
            .option(
                "rows", "n", "N",
                "How many objects of each entity to select, without related objects. The default is 100."),
            .option("seed", nil, "N", "The seed of the random selection. The default is 1."),
            .option(
                "mask", nil, "NAME=RULE",
                "Masks an attribute, such as Player.name, by hash, fake or null. Can be repeated."),
            .option("entity", nil, "A,B", "Selects only objects of these entities and their subentities."),
            .option(
                "confirm", nil, "STORE",
                "The destination's name, which a production store requires as a confirmation."),
        ],
        examples: [
            .init(words: "data sample prod sqlite:small.sqlite -n 50", help: "For local debugging."),
            .init(
                words: "data sample prod test --entity Player --seed 7",
                help: "Players, with their games and other related objects."),
            .init(
                words: "data sample prod sqlite:masked.sqlite --mask Player.name=fake --mask Game.title=hash",
                help: "Without the names of people and games."),
        ], takesTenant: false, exitCodes: ExitCode.storeCommands.union([.differences, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        let rows = try call.arguments.positiveCount("rows") ?? 100
        let seed = try call.arguments.count("seed") ?? 1
        let (source, destination) = try call.copiedStores()
        let model = try source.model()
        let mask = try DataMask(HintOptions(call: call).pairs("mask"), model, seed: seed)
        let info = try source.userInfo(model: model)
        return try source.readAll("sample", model: model) { session, model in
            let sample = try StoreSample(
                session, model, entities: model.families(call.arguments.list("entity")), rows: rows,
                seed: seed)
            return try destination.write(model: model) { coordinator in
                let isUnfinished = try coordinator.metadata().userInfo[Self.unfinishedKey] != nil
                try coordinator.checkIsEmpty(
                    model,
                    hint: isUnfinished
                        ? "They are from a sample that was stopped. Drop the store with 'storectl db drop'."
                        : "Name an empty store, or one that does not exist yet.")
                try coordinator.replaceUserInfo([Self.unfinishedKey: "begun"])
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                try StoreCopy(
                    source: session, destination: coordinator, model: model, sample: sample, mask: mask,
                    progress: progress.report
                ).copy()
                try coordinator.replaceUserInfo(info)
                return try report(session, coordinator, model, seed, mask, progress)
            }
        }
    }

    /// Checks the whole sample, and reports its size in comparison to the source.
    private func report(
        _ source: any ReadSession, _ coordinator: any StoreCoordinator, _ model: ObjectModel, _ seed: Int,
        _ mask: DataMask, _ progress: ProgressLine
    ) throws -> Report {
        let copy = try coordinator.openReadSession(.forAllRows(identifier: "check"))
        defer { copy.end() }
        var checking = StoreChecker(
            session: copy, model: model, kinds: StoreFinding.Kind.sampleKinds, limit: 100,
            progress: progress.report)
        try checking.check(model.layouts)
        var rows = RowSet([
            .init("entity"), .init("source", isRightAligned: true), .init("sample", isRightAligned: true),
        ])
        var objects = 0
        for entity in model.layouts where !entity.isAbstract {
            let count = try copy.count(of: entity, includesSubentities: false)
            objects += count
            rows.append([
                .string(entity.name), .count(try source.count(of: entity, includesSubentities: false)),
                .count(count),
            ])
        }
        let findings = CheckCommand.rows(checking.findings)
        let json: [String: JSONValue] = [
            "seed": .int(seed), "objects": .int(objects), "entities": .array(rows.documents),
            "findings": .array(findings.documents),
            "masked": .array(mask.names.map(JSONValue.string)),
        ]
        let isSound = checking.findings.isEmpty
        let verdict =
            "\(Quantity.text(objects, "object", "objects")), selected with seed \(seed)"
            + (mask.isEmpty ? "" : ", masked: \(mask.names.joined(separator: ", "))")
            + (isSound ? "; the sample is consistent." : "; the sample violates its model.")
        return Report("data.sample", json, exit: isSound ? .success : .differences) { [rows] style in
            rows.text(style) + (isSound ? style.green(verdict) : style.red(verdict)) + "\n"
                + (isSound ? "" : findings.text(style))
        }
    }
}
