import ContextCore

/// Copies a store into another, of the same backend or not.
struct DataCopyCommand: Command {
    static let sourceNote = "storectl.copying"

    let declaration = CommandDeclaration(
        words: ["data", "copy"], abstract: "Copies a whole store, and verifies the copy value by value.",
        discussion: """
            The destination is made, or is empty. Keys, versions and what programs have noted about the store stay as they
            are; the history is not copied. A copy that
            was stopped goes on with --resume: SIGINT and SIGTERM stop it between two batches, and it exits with 130 or 143
            then. It exits with 2 when the copy is not equal to the source, with 3 when the destination holds anything, and
            with 65 when something in the source can't be written.
            """,
        operands: [
            .init(name: "SOURCE", help: "A store's name or URL."),
            .init(name: "DESTINATION", help: "Another's."),
        ],
        options: [
            .flag("resume", nil, "Goes on with a copy that was stopped."),
            .option(
                "verify", nil, "HOW", "full, counts or none; full unless given, and with --resume.",
                choices: ["full", "counts", "none"]),
            .option("confirm", nil, "STORE", "The destination's name, where it is a production store."),
        ],
        examples: [
            .init(words: "data copy dev prod", help: "Moves from a file to a server."),
            .init(words: "data copy sqlite:a.sqlite sqlite:b.sqlite --resume", help: "After a power cut."),
        ], takesTenant: false,
        exits: ExitCode.ofStores.union([.differences, .refused]).union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let source = try call.store(call.arguments.operands[0])
        let destination = try call.store(call.arguments.operands[1])
        try Confirmation.check(call, destination)
        guard source.url != destination.url else {
            throw AdminError.usage("the source and the destination are the same store.")
        }
        let model = try source.model()
        let info = try source.userInfo(model: model)
        return try call.interruption.heeded {
            try source.read("copy", model: model) { session, model in
                try destination.write(model: model) { coordinator in
                    try prepare(coordinator, from: session, model, resumes: call.arguments.has("resume"))
                    let report = try copy(session, coordinator, model, call)
                    if report.exit == .success { try coordinator.note(info) }
                    return report
                }
            }
        }
    }

    private func copy(
        _ session: any ReadSession, _ coordinator: any StoreCoordinator, _ model: ObjectModel,
        _ call: CommandCall
    ) throws -> Report {
        let progress = ProgressLine(call.output)
        defer { progress.finish() }
        let goesOn = { () throws(AdminError) in
            try call.interruption.check(
                "The copy", hint: "Go on with 'storectl data copy --resume', and the same stores.")
        }
        try StoreCopy(
            source: session, destination: coordinator, model: model, progress: progress.tell,
            betweenBatches: goesOn
        ).copy()
        // What was copied before may be of an earlier moment of the source.
        let how = call.arguments.has("resume") ? "full" : call.arguments["verify"] ?? "full"
        let copy = try coordinator.openReadSession(SessionOptions(identifier: "verify"))
        defer { copy.end() }
        var comparison = StoreComparison(first: session, second: copy, model: model, limit: 100) {
            progress.tell($0, $1, of: $2)
            try goesOn()
        }
        if how == "full" { try comparison.compare(model.layouts) }
        return try report(comparison, how)
    }

    /// Makes sure that nothing is in the way, and notes whose copy this is.
    private func prepare(
        _ coordinator: any StoreCoordinator, from session: any ReadSession, _ model: ObjectModel,
        resumes: Bool
    ) throws {
        let source = session.token.storeID.uuidString
        let note = try coordinator.metadata().userInfo[Self.sourceNote]
        if resumes, note == source { return }
        try coordinator.demandEmptiness(
            model,
            hint: note == source
                ? "It is an unfinished copy of this source: add --resume."
                : "Name an empty store, or one that isn't there.")
        try coordinator.note([Self.sourceNote: source])
    }

    private func report(_ comparison: StoreComparison, _ how: String) throws -> Report {
        var rows = RowSet([
            .init("entity"), .init("source", isRight: true), .init("copy", isRight: true),
        ])
        var isEqual = comparison.differences.isEmpty
        for entity in comparison.model.layouts where !entity.isAbstract {
            let counts = (
                try comparison.first.count(of: entity, includesSubentities: false),
                try comparison.second.count(of: entity, includesSubentities: false)
            )
            if how != "none", counts.0 != counts.1 { isEqual = false }
            rows.append([.string(entity.name), .count(counts.0), .count(counts.1)])
        }
        let differences = ComparisonTable.rows(comparison.differences)
        let verdict =
            switch how {
            case "full": isEqual ? "Every value of the copy is equal." : "The copy is not equal."
            case "counts": isEqual ? "The counts are equal." : "The counts are not equal."
            default: "The copy was not verified."
            }
        let json: [String: JSONValue] = [
            "entities": .array(rows.documents), "verified": .string(how), "equal": .bool(isEqual),
            "differences": .array(differences.documents),
        ]
        return Report("data.copy", json, exit: isEqual ? .success : .differences) { [rows, isEqual] style in
            rows.text(style) + (isEqual ? style.green(verdict) : style.red(verdict)) + "\n"
                + (differences.rows.isEmpty ? "" : differences.text(style))
        }
    }
}

extension StoreCoordinator {
    /// Refuses a store that holds any object.
    func demandEmptiness(_ model: ObjectModel, hint: String) throws {
        let reading = try openReadSession(SessionOptions(identifier: "copy"))
        defer { reading.end() }
        for root in model.layouts where root.rootIndex == root.index {
            let count = try reading.count(of: root, includesSubentities: true)
            if count == 0 { continue }
            throw AdminError.refused(
                "the destination holds \(Quantity.of(count, "object", "objects")) of \(root.name).",
                hint: hint)
        }
    }
}

/// Sets differences in a table.
enum ComparisonTable {
    static func rows(_ differences: [StoreComparison.Difference]) -> RowSet {
        var rows = RowSet(
            [.init("object"), .init("property"), .init("first"), .init("second")],
            emptyText: "the stores hold the same")
        for difference in differences {
            rows.append([
                .string(difference.object), difference.property.map { .string($0) } ?? .none,
                .string(difference.first), .string(difference.second),
            ])
        }
        return rows
    }
}
