import ContextCore

/// Shows a store on one screen.
struct StatusCommand: Command {
    let declaration = CommandDeclaration(
        words: ["status"], abstract: "Shows a store on one screen: where it is, its model, what is in it.",
        discussion: "With --check it exits with 2 when the application's model is not the store's.",
        options: [.flag("check", nil, "Exits with 2 when the application's model is another one.")],
        examples: [
            .init(words: "status", help: "The store that is meant where none is named."),
            .init(words: "status -s prod --check", help: "For a script that deploys."),
        ])

    /// What was found out about a store.
    private struct Findings: Sendable {
        let store: AdministeredStore
        let facts: StoreFacts
        let models: [StoredModel]
        let storeID: String
        let lastSave: Int64
        let lastDate: String?
        let counts: [(name: String, count: Int)]
        let tables: [TableFacts]
    }

    func run(_ call: CommandCall) throws -> Report {
        let findings = try findings(call.store())
        let stored = findings.models.last?.fingerprint ?? ""
        let relation = call.tool.model.map { $0.fingerprint == stored ? "same" : "different" }
        var json = json(findings, stored)
        json["model"] = .object([
            "number": .int(findings.models.count), "fingerprint": .string(stored),
            "entities": .int(findings.counts.count),
            "application": call.tool.model.map { .string($0.fingerprint) } ?? .null,
            "relation": relation.map(JSONValue.string) ?? .null,
        ])
        let isOff = call.arguments.has("check") && relation == "different"
        return Report("status", json, exit: isOff ? .differences : .success) {
            text(findings, stored, relation, $0)
        }
    }

    private func findings(_ store: AdministeredStore) throws -> Findings {
        let (facts, models, tables) = try store.inspect { inspector in
            let models = try inspector.models()
            return (try inspector.facts(), models, try inspector.tables())
        }
        return try store.read("status") { session, model in
            let counts = try model.layouts.filter { !$0.isAbstract }.map { layout in
                (name: layout.name, count: try session.count(of: layout, includesSubentities: false))
            }
            let last = session.token.sequence
            let request = HistoryRequest(
                after: StoreToken(storeID: session.token.storeID, sequence: max(0, last - 1)))
            // A store may keep no history, or have forgotten it.
            let date = (try? session.history(request))?.last?.date
            return Findings(
                store: store, facts: facts, models: models, storeID: session.token.storeID.uuidString,
                lastSave: last, lastDate: date.map { CivilTime(date: $0).text }, counts: counts,
                tables: tables)
        }
    }

    private func json(_ findings: Findings, _ fingerprint: String) -> [String: JSONValue] {
        [
            "store": findings.store.json, "id": .string(findings.storeID),
            "server": .object([
                "product": .string(findings.facts.product), "version": .string(findings.facts.version),
            ]),
            "bytes": findings.facts.bytes.map { .int(Int($0)) } ?? .null,
            "saves": .object([
                "last": .int(Int(findings.lastSave)),
                "date": findings.lastDate.map(JSONValue.string) ?? .null,
            ]),
            "objects": .object(
                Dictionary(findings.counts.map { ($0.name, .int($0.count)) }, uniquingKeysWith: { $1 })),
        ]
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
        let date = findings.lastDate.map { " at \($0)" } ?? ""
        head.append(["last save", findings.lastSave == 0 ? "none yet" : "\(findings.lastSave)\(date)"])
        return Self.plain(head, style) + "\n" + objects(findings, style)
    }

    private static func remark(_ relation: String?, _ style: TextStyle) -> String {
        switch relation {
        case "same": "  " + style.green("the application's")
        case .some: "  " + style.yellow("not the application's")
        case nil: ""
        }
    }

    /// Two columns without a heading, of which the second may have colours.
    private static func plain(_ table: TextTable, _ style: TextStyle) -> String {
        let width = table.rows.map { $0[0].count }.max() ?? 0
        return table.rows.map { row in
            style.dim(row[0]) + String(repeating: " ", count: width - row[0].count + 2) + row[1] + "\n"
        }.joined()
    }

    private func objects(_ findings: Findings, _ style: TextStyle) -> String {
        let total = findings.counts.reduce(0) { $0 + $1.count }
        let largest = Int64(findings.counts.map(\.count).max() ?? 0)
        var table = TextTable([
            .init(name: "entity"), .init(name: "objects", isRight: true), .init(name: ""),
        ])
        let shown = findings.counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(15)
        for (name, count) in shown {
            table.append([name, Quantity.count(count), Quantity.bar(Int64(count), of: largest)])
        }
        let rest = findings.counts.count - shown.count
        let more = rest > 0 ? ", and \(Quantity.of(rest, "more entity", "more entities"))" : ""
        return table.text(style)
            + style.dim(
                "\(Quantity.of(total, "object", "objects")) in \(Quantity.of(findings.counts.count, "entity", "entities"))\(rest > 0 ? "; the largest are shown\(more)" : "")"
            ) + "\n"
    }
}
