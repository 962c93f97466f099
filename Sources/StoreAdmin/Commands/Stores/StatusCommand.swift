import ContextCore

/// Shows the status of a store.
struct StatusCommand: Command {
    let declaration = CommandDeclaration(
        words: ["status"],
        abstract: "Shows a store's address, model, contents, and the next command to run.",
        discussion: """
            If the project has frozen versions, or the tool is an application's own, it shows the pending migrations. With
            --check it exits with 2 if the store needs attention: if its model is not the application's, if migrations are
            pending or unfinished, if a copy, an import or a sample is unfinished, or if its tables differ from the model.
            """,
        options: [
            ModelHistory.option, .flag("check", nil, "Exits with 2 if the store needs attention."),
        ],
        examples: [
            .init(words: "status", help: "The default store."),
            .init(words: "status -s prod --check", help: "For a deployment script."),
        ], exitCodes: ExitCode.storeCommands.union([.differences]))

    /// The facts about a store.
    private struct Findings: Sendable {
        let store: AdministeredStore
        let facts: StoreFacts
        let models: [StoredModel]
        /// The contents; nil while a migration blocks other programs.
        let contents: StoreContents?
        let summary: MigrationSummary
    }

    func run(_ call: CommandCall) throws -> Report {
        let findings = try findings(call.store(), call)
        let stored = findings.models.last?.fingerprint ?? ""
        let relation = call.tool.model.map { $0.fingerprint == stored ? "same" : "different" }
        var json = json(findings, stored)
        json["model"] = .object([
            "number": .int(findings.models.count), "fingerprint": .string(stored),
            "entities": findings.contents.map { .int($0.counts.count) } ?? .null,
            "application": call.tool.model.map { .string($0.fingerprint) } ?? .null,
            "relation": relation.map(JSONValue.string) ?? .null,
        ])
        let isOff =
            call.arguments.has("check")
            && (relation == "different" || findings.summary.needsAttention
                || findings.contents?.unfinished != nil)
        return Report("status", json, exit: isOff ? .differences : .success) {
            text(findings, stored, relation, $0)
        }
    }

    private func findings(_ store: AdministeredStore, _ call: CommandCall) throws -> Findings {
        let (facts, models) = try store.inspect { inspector in
            let models = try inspector.models()
            return (try inspector.databaseInfo(), models)
        }
        var contents: StoreContents?
        do {
            contents = try StoreContents(of: store)
        } catch let error as StoreError where error.code == .migrationUnfinished {
            // The objects can't be read during the migration, but its state is reported.
        }
        return Findings(
            store: store, facts: facts, models: models, contents: contents,
            summary: MigrationSummary(call, store))
    }

    private func json(_ findings: Findings, _ fingerprint: String) -> [String: JSONValue] {
        let contents = findings.contents
        let counts = contents?.counts.map { ($0.name, JSONValue.int($0.count)) }
        return [
            "store": findings.store.json, "id": contents.map { .string($0.storeID) } ?? .null,
            "server": findings.facts.json, "bytes": findings.facts.bytes.map { .int(Int($0)) } ?? .null,
            "saves": .object([
                "last": contents.map { .int(Int($0.lastSave)) } ?? .null,
                "date": contents?.lastDate.map(JSONValue.string) ?? .null,
            ]),
            "unfinished": contents?.unfinished.map { .string($0.rawValue) } ?? .null,
            "objects": counts.map { .object(Dictionary($0, uniquingKeysWith: { $1 })) } ?? .null,
        ].merging(findings.summary.json) { $1 }
    }

    private func text(
        _ findings: Findings, _ fingerprint: String, _ relation: String?, _ style: TextStyle
    ) -> String {
        let store = findings.store
        var head = TextTable([.init(name: ""), .init(name: "")])
        let production = store.isProduction ? style.red("  production") : ""
        head.append(["store", style.bold(store.name ?? "(no name)") + production])
        head.append(["address", store.url.description])
        head.append(["backend", "\(findings.facts.product) \(findings.facts.version)"])
        head.append(["size", findings.facts.bytes.map(Quantity.bytes) ?? "unknown"])
        let number = findings.models.count
        head.append(["model", "version \(number), \(fingerprint.prefix(12))" + Self.remark(relation, style)])
        if let contents = findings.contents {
            head.append(["last save", contents.lastSaveText])
        }
        if let contents = findings.contents, let unfinished = contents.unfinished {
            head.append(["unfinished", style.red(unfinished.message)])
            head.append(["next", style.bold(contents.remedy)])
        }
        for line in findings.summary.lines { head.append([line.heading, Self.styled(line, style)]) }
        return Self.plain(head, style) + "\n"
            + (findings.contents.map { objects($0, style) }
                ?? style.dim("objects can't be counted until the migration is finished") + "\n")
    }

    private static func remark(_ relation: String?, _ style: TextStyle) -> String {
        switch relation {
        case "same": "  " + style.green("the application's")
        case .some: "  " + style.yellow("not the application's")
        case nil: ""
        }
    }

    private static func styled(_ line: (heading: String, text: String), _ style: TextStyle) -> String {
        switch line.heading {
        case "problem": style.red(line.text)
        case "next": style.bold(line.text)
        default: line.text
        }
    }

    /// Returns a table of two columns without headings, the second of which may have colors.
    private static func plain(_ table: TextTable, _ style: TextStyle) -> String {
        let width = table.rows.map { $0[0].count }.max() ?? 0
        return table.rows.map { row in
            style.dim(row[0]) + String(repeating: " ", count: width - row[0].count + 2) + row[1] + "\n"
        }.joined()
    }

    private func objects(_ contents: StoreContents, _ style: TextStyle) -> String {
        let largest = Int64(contents.counts.map(\.count).max() ?? 0)
        var table = TextTable([
            .init(name: "entity"), .init(name: "objects", isRightAligned: true), .init(name: ""),
        ])
        let shown = contents.largestFirst.prefix(15)
        for (name, count) in shown {
            table.append([name, Quantity.count(count), Quantity.bar(Int64(count), of: largest)])
        }
        let rest = contents.counts.count - shown.count
        let more = rest > 0 ? ", and \(Quantity.text(rest, "more entity", "more entities"))" : ""
        return table.text(style)
            + style.dim(
                "\(Quantity.text(contents.total, "object", "objects")) in \(Quantity.text(contents.counts.count, "entity", "entities"))\(rest > 0 ? "; the largest are shown\(more)" : "")"
            ) + "\n"
    }
}
