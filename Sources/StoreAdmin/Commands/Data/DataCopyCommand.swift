import ContextCore

/// Copies a store into another, of the same backend or not.
struct DataCopyCommand: Command {
    static let sourceNote = "storectl.copying"

    let declaration = CommandDeclaration(
        words: ["data", "copy"], abstract: "Copies a whole store, and verifies the copy value by value.",
        discussion: """
            The destination is made, or is empty. Keys, versions and what programs have noted about the store stay as they
            are; the history is not copied. A copy that
            was stopped goes on with --resume. It exits with 2 when the copy is not equal to the source.
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
            .option("confirm", nil, "STORE", "The destination's name, where it is one of production."),
        ],
        examples: [
            .init(words: "data copy dev prod", help: "Moves from a file to a server."),
            .init(words: "data copy sqlite:a.sqlite sqlite:b.sqlite --resume", help: "After a power cut."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let source = try call.store(call.arguments.operands[0])
        let destination = try call.store(call.arguments.operands[1])
        try Confirmation.check(call, destination)
        guard source.url != destination.url else {
            throw AdminError.usage("the source and the destination are the same store.")
        }
        let model = try source.model()
        let info = try source.userInfo(model: model)
        return try source.read("copy", model: model) { session, model in
            try destination.write(model: model) { coordinator in
                try prepare(coordinator, from: session, model, resumes: call.arguments.has("resume"))
                let progress = Progress(call.output)
                try StoreCopy(
                    source: session, destination: coordinator, model: model, progress: progress.tell
                ).copy()
                // What was copied before may be of an earlier moment of the source.
                let how = call.arguments.has("resume") ? "full" : call.arguments["verify"] ?? "full"
                let report = try verified(session, coordinator, model, how)
                if report.exit == .success { try coordinator.note(info) }
                return report
            }
        }
    }

    /// Makes sure that nothing is in the way, and notes whose copy this is.
    private func prepare(
        _ coordinator: any StoreCoordinator, from session: any ReadSession, _ model: ObjectModel,
        resumes: Bool
    ) throws {
        let source = session.token.storeID.uuidString
        let note = try coordinator.metadata().userInfo[Self.sourceNote]
        if resumes, note == source { return }
        let reading = try coordinator.openReadSession(SessionOptions(identifier: "copy"))
        defer { reading.end() }
        for root in model.layouts where root.rootIndex == root.index {
            let count = try reading.count(of: root, includesSubentities: true)
            if count == 0 { continue }
            throw AdminError.refused(
                "the destination holds \(Quantity.of(count, "object", "objects")) of \(root.name).",
                hint: note == source
                    ? "It is an unfinished copy of this source: add --resume."
                    : "Name an empty store, or one that isn't there.")
        }
        try coordinator.note([Self.sourceNote: source])
    }

    private func verified(
        _ source: any ReadSession, _ coordinator: any StoreCoordinator, _ model: ObjectModel, _ how: String
    ) throws -> Report {
        let copy = try coordinator.openReadSession(SessionOptions(identifier: "verify"))
        defer { copy.end() }
        var comparison = StoreComparison(first: source, second: copy, model: model, limit: 100)
        if how == "full" { try comparison.compare(model.layouts) }
        var rows = RowSet([
            .init("entity"), .init("source", isRight: true), .init("copy", isRight: true),
        ])
        var isEqual = comparison.differences.isEmpty
        for entity in model.layouts where !entity.isAbstract {
            let counts = (
                try source.count(of: entity, includesSubentities: false),
                try copy.count(of: entity, includesSubentities: false)
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
