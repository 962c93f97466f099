import ContextCore

/// Copies a small part of a store into another.
struct DataSampleCommand: Command {
    /// What is noted about a store as long as a sample that is made in it isn't finished.
    static let note = "storectl.sampling"

    let declaration = CommandDeclaration(
        words: ["data", "sample"],
        abstract: "Copies a small part of a store that is whole by itself into another store.",
        discussion: """
            Some objects of each entity come, and all that these lead to: what they refer to, and as many members as a
            relationship to many must have. Links come where both of their ends do. The same seed chooses the same objects,
            on every backend. The destination is made, or is empty; keys, versions and what programs have noted about the
            store stay as they are, and nothing is masked. It exits with 2 when the sample breaks its model, which then the
            source does too, with 3 when the destination holds anything, and with 65 when something can't be written.
            """,
        operands: [
            .init(name: "SOURCE", help: "A store's name or URL."),
            .init(name: "DESTINATION", help: "Another's."),
        ],
        options: [
            .option(
                "rows", "n", "N",
                "How many objects of each entity are chosen, beside those that they lead to; 100 unless given."
            ),
            .option("seed", nil, "N", "Another number chooses others; 1 unless given."),
            .option("entity", nil, "A,B", "Only objects of these entities and their subentities are chosen."),
            .option("confirm", nil, "STORE", "The destination's name, where it is a production store."),
        ],
        examples: [
            .init(words: "data sample prod sqlite:small.sqlite -n 50", help: "To look into a fault at home."),
            .init(
                words: "data sample prod test --entity Order --seed 7",
                help: "Orders, with their customers and what else they lead to."),
        ], takesTenant: false, exits: ExitCode.ofStores.union([.differences, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        let source = try call.store(call.arguments.operands[0])
        let destination = try call.store(call.arguments.operands[1])
        let rows = try call.arguments.positiveCount("rows") ?? 100
        let seed = try call.arguments.count("seed") ?? 1
        try Confirmation.check(call, destination)
        guard source.url != destination.url else {
            throw AdminError.usage("the source and the destination are the same store.")
        }
        let model = try source.model()
        let info = try source.userInfo(model: model)
        return try source.read("sample", model: model) { session, model in
            let sample = try StoreSample(
                session, model, entities: model.families(call.arguments.list("entity")), rows: rows,
                seed: seed)
            return try destination.write(model: model) { coordinator in
                let isHalf = try coordinator.metadata().userInfo[Self.note] != nil
                try coordinator.demandEmptiness(
                    model,
                    hint: isHalf
                        ? "It is of a sample that was stopped: remove it with 'storectl db drop'."
                        : "Name an empty store, or one that isn't there.")
                try coordinator.note([Self.note: "begun"])
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                try StoreCopy(
                    source: session, destination: coordinator, model: model, sample: sample,
                    progress: progress.tell
                ).copy()
                try coordinator.note(info)
                return try report(session, coordinator, model, seed, progress)
            }
        }
    }

    /// Looks the whole sample over, and tells how much of the store it is.
    private func report(
        _ source: any ReadSession, _ coordinator: any StoreCoordinator, _ model: ObjectModel, _ seed: Int,
        _ progress: ProgressLine
    ) throws -> Report {
        let copy = try coordinator.openReadSession(SessionOptions(identifier: "check"))
        defer { copy.end() }
        var checking = StoreChecking(
            session: copy, model: model, kinds: StoreFinding.Kind.ofSamples, limit: 100,
            progress: progress.tell)
        try checking.check(model.layouts)
        var rows = RowSet([
            .init("entity"), .init("source", isRight: true), .init("sample", isRight: true),
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
        ]
        let isSound = checking.findings.isEmpty
        let verdict =
            "\(Quantity.of(objects, "object", "objects")), chosen by seed \(seed)"
            + (isSound ? "; every reference leads somewhere." : "; the sample breaks its model.")
        return Report("data.sample", json, exit: isSound ? .success : .differences) { [rows] style in
            rows.text(style) + (isSound ? style.green(verdict) : style.red(verdict)) + "\n"
                + (isSound ? "" : findings.text(style))
        }
    }
}
