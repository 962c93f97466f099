import ContextCore

/// Compares two stores.
struct DataVerifyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["data", "verify"], abstract: "Compares what two stores of one model hold, value by value.",
        discussion: "It exits with 2 when they differ, and names object, property and both values.",
        operands: [
            .init(name: "FIRST", help: "A store's name or URL."), .init(name: "SECOND", help: "Another's."),
        ],
        options: [
            .option("entity", nil, "A,B", "Only objects of these entities."),
            .option("limit", "n", "N", "How many differences are enough; 100 unless given."),
            .flag("all", nil, "Prints every difference, and every link that only one store has."),
        ],
        examples: [
            .init(words: "data verify dev prod", help: "Whether a copy is still equal."),
            .init(words: "data verify dev prod --all -o csv", help: "Everything in which it differs."),
        ], takesTenant: false,
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let first = try call.store(call.arguments.operands[0])
        let second = try call.store(call.arguments.operands[1])
        let printsAll = call.arguments.has("all")
        if printsAll, call.arguments["limit"] != nil {
            throw AdminError.usage("--all and --limit can't go together.", hint: "Leave one of them out.")
        }
        let limit = printsAll ? Int.max : try call.arguments.positiveCount("limit") ?? 100
        return try first.read("verify") { left, model in
            // A store of another model is refused when it is opened; nothing is made where there is none.
            _ = try second.model()
            return try second.read("verify", model: model) { right, model in
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                var comparison = StoreComparison(
                    first: left, second: right, model: model, limit: limit, progress: progress.tell)
                comparison.namesAllLinks = printsAll
                try comparison.compare(try model.families(call.arguments.list("entity")))
                var rows = ComparisonTable.rows(comparison.differences)
                rows.emptyText = "equal: \(Quantity.of(comparison.count, "object", "objects")) compared"
                if comparison.differences.count >= limit {
                    rows.footer = "The first \(Quantity.count(limit)); --all prints every difference."
                }
                var report = Report(
                    "data.verify", rows: rows, isData: true, json: ["compared": .int(comparison.count)])
                if !comparison.differences.isEmpty { report.exit = .differences }
                return report
            }
        }
    }
}
