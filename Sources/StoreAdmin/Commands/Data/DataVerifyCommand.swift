import ContextCore

/// Compares two stores.
struct DataVerifyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["data", "verify"], abstract: "Compares two stores with the same model, value by value.",
        discussion: "It prints object, property and both values of each difference, and exits with 2.",
        operands: [
            .init(name: "FIRST", help: "The name or URL of a store."),
            .init(name: "SECOND", help: "The name or URL of another store."),
        ],
        options: [
            .option("entity", nil, "A,B", "Only objects of these entities and their subentities."),
            .option("limit", "n", "N", "Stops after N differences. The default is 100."),
            .flag("all", nil, "Prints every difference, and every link that only one store has."),
        ],
        examples: [
            .init(words: "data verify dev prod", help: "Whether a copy is still equal."),
            .init(words: "data verify dev prod --all -o csv", help: "All differences."),
        ], takesTenant: false,
        formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let first = try call.store(call.arguments.operands[0])
        let second = try call.store(call.arguments.operands[1])
        let printsAll = call.arguments.has("all")
        if printsAll, call.arguments["limit"] != nil {
            throw AdminError.usage("--all and --limit can't be combined.", hint: "Omit one of them.")
        }
        let limit = printsAll ? Int.max : try call.arguments.positiveCount("limit") ?? 100
        return try first.readAll("verify") { left, model in
            // Opening a store with another model throws. Reading the model first prevents creating a store.
            _ = try second.model()
            return try second.readAll("verify", model: model) { right, model in
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                var comparison = StoreComparison(
                    first: left, second: right, model: model, limit: limit, progress: progress.report)
                comparison.namesAllLinks = printsAll
                try comparison.compare(try model.families(call.arguments.list("entity")))
                var rows = ComparisonTable.rows(comparison.differences)
                rows.emptyText = "equal: \(Quantity.text(comparison.count, "object", "objects")) compared"
                if comparison.differences.count >= limit {
                    rows.footer = "The first \(Quantity.count(limit)) differences; --all prints all."
                }
                var report = Report(
                    "data.verify", rows: rows, isData: true, json: ["compared": .int(comparison.count)])
                if !comparison.differences.isEmpty { report.exit = .differences }
                return report
            }
        }
    }
}
