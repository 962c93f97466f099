import ContextCore

/// Copies a store into another one, which may have another backend.
struct DataCopyCommand: Command {
    static let unfinishedKey = "storectl.copying"

    let declaration = CommandDeclaration(
        words: ["data", "copy"], abstract: "Copies a whole store, and verifies the copy value by value.",
        discussion: """
            The destination must be empty, or is created. Keys, versions and the metadata of programs are kept; the history
            is not copied. SIGINT and SIGTERM stop the copy between two batches with exit code 130 or 143, and --resume
            continues it. The command exits with 2 if the copy differs from the source, with 3 if the destination has
            objects, and with 65 if an object of the source can't be written.
            """,
        operands: [
            .init(name: "SOURCE", help: "The name or URL of a store."),
            .init(name: "DESTINATION", help: "The name or URL of another store."),
        ],
        options: [
            .flag("resume", nil, "Continues a copy that was stopped."),
            .option(
                "verify", nil, "HOW", "full, counts or none. The default is full, also with --resume.",
                choices: ["full", "counts", "none"]),
            .option(
                "confirm", nil, "STORE",
                "The destination's name, which a production store requires as a confirmation."),
        ],
        examples: [
            .init(words: "data copy dev prod", help: "Moves from a file to a server."),
            .init(
                words: "data copy sqlite:a.sqlite sqlite:b.sqlite --resume", help: "After a power failure."),
        ], takesTenant: false,
        exitCodes: ExitCode.storeCommands.union([.differences, .refused]).union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let (source, destination) = try call.copiedStores()
        let model = try source.model()
        let info = try source.userInfo(model: model)
        return try call.stopRequest.withSignalHandlers {
            try source.readAll("copy", model: model) { session, model in
                try destination.write(model: model) { coordinator in
                    try prepare(coordinator, from: session, model, resumes: call.arguments.has("resume"))
                    let report = try copy(session, coordinator, model, call)
                    if report.exit == .success { try coordinator.replaceUserInfo(info) }
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
        let checkInterruption = { () throws(AdminError) in
            try call.stopRequest.throwIfRequested(
                "The copy", hint: "Continue with 'storectl data copy --resume' and the same stores.")
        }
        try StoreCopy(
            source: session, destination: coordinator, model: model, progress: progress.report,
            betweenBatches: checkInterruption
        ).copy()
        // The objects that an earlier run has copied may have changed in the source since, so --resume verifies all values.
        let how = call.arguments.has("resume") ? "full" : call.arguments["verify"] ?? "full"
        let copy = try coordinator.openReadSession(.forAllRows(identifier: "verify"))
        defer { copy.end() }
        var comparison = StoreComparison(first: session, second: copy, model: model, limit: 100) {
            progress.report($0, $1, of: $2)
            try checkInterruption()
        }
        if how == "full" { try comparison.compare(model.layouts) }
        return try report(comparison, how)
    }

    /// Checks that the destination is empty or an unfinished copy of the source to resume, and records the source in it.
    private func prepare(
        _ coordinator: any StoreCoordinator, from session: any ReadSession, _ model: ObjectModel,
        resumes: Bool
    ) throws {
        let source = session.token.storeID.uuidString
        let recordedSource = try coordinator.metadata().userInfo[Self.unfinishedKey]
        if resumes, recordedSource == source { return }
        try coordinator.checkIsEmpty(
            model,
            hint: recordedSource == source
                ? "The destination is an unfinished copy of this source. Add --resume."
                : "Name an empty store, or one that does not exist yet.")
        try coordinator.replaceUserInfo([Self.unfinishedKey: source])
    }

    private func report(_ comparison: StoreComparison, _ how: String) throws -> Report {
        var rows = RowSet([
            .init("entity"), .init("source", isRightAligned: true), .init("copy", isRightAligned: true),
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
            case "full": isEqual ? "The copy is equal to the source." : "The copy differs from the source."
            case "counts": isEqual ? "The counts are equal." : "The counts differ."
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
    /// Throws if the store has objects.
    func checkIsEmpty(_ model: ObjectModel, hint: String) throws {
        let reading = try openReadSession(.forAllRows(identifier: "copy"))
        defer { reading.end() }
        for root in model.layouts where root.rootIndex == root.index {
            let count = try reading.count(of: root, includesSubentities: true)
            if count == 0 { continue }
            throw AdminError.refused(
                "the destination is not empty: it has \(Quantity.text(count, "object", "objects")) of \(root.name).",
                hint: hint)
        }
    }
}

/// Makes a table of the differences between two stores.
enum ComparisonTable {
    static func rows(_ differences: [StoreComparison.Difference]) -> RowSet {
        var rows = RowSet(
            [.init("object"), .init("property"), .init("first"), .init("second")],
            emptyText: "the stores are equal")
        for difference in differences {
            rows.append([
                .string(difference.object), difference.property.map { .string($0) } ?? .none,
                .string(difference.first), .string(difference.second),
            ])
        }
        return rows
    }
}
