import ContextCore

/// Says how the store of each tenant is.
struct FleetStatusCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "status"],
        abstract: "Shows a line a tenant: version, objects, size, last save, and what asks for attention.",
        discussion: """
            Collects what 'status' shows, for each tenant. It exits with 2 when a tenant's store can't be read and, with
            --check, when anything asks for attention. Lines appear in the order in which stores are read; rows of documents
            are in the order of the names. After an interruption, go on with --from.
            """,
        options: [
            ModelHistory.option, .flag("check", nil, "Exits with 2 when anything asks for attention."),
        ] + FleetRun.options,
        examples: [
            .init(words: "fleet status -s prod", help: "Every tenant."),
            .init(words: "fleet status -s prod --check -o csv", help: "For a script that deploys."),
        ], takesTenant: false, forms: [.json, .jsonl, .csv, .md],
        exits: ExitCode.ofFleets.union(ExitCode.ofStopping))

    private static let columns: [RowSet.Column] = [
        .init("version"), .init("model", isRight: true), .init("objects", isRight: true),
        .init("size", key: "bytes", isRight: true), .init("saves", isRight: true), .init("lastSave"),
        .init("attention"),
    ]

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.status", words: [.done: "in order", .attention: "to be looked at"],
            columns: Self.columns, mindsAttention: call.arguments.has("check"))
        return try FleetRun(call, plan).run { call in
            var call = call
            call.arguments.note(flag: "check")
            let report = try StatusCommand().run(call)
            return Self.result(JSONValue.object(report.json), isFine: report.exit == .success)
        }
    }

    /// Puts the document of one store's status into a line.
    private static func result(_ status: JSONValue, isFine: Bool) -> TenantResult {
        let version = status["migrations"]["version"].stringValue
        let model = status["model"]["number"].intValue ?? 0
        let counts = status["objects"].members?.values.compactMap(\.intValue)
        let objects = counts.map { $0.reduce(0, +) }
        let bytes = status["bytes"].intValue.map(Int64.init)
        let (saves, date) = (status["saves"]["last"].intValue, status["saves"]["date"].stringValue)
        let attention = attention(status)
        var parts = [version ?? "model \(model)"]
        if let objects { parts.append(Quantity.of(objects, "object", "objects")) }
        if let bytes { parts.append(Quantity.bytes(bytes)) }
        if let date { parts.append("last save \(date)") }
        let cells: [RowSet.Cell] = [
            version.map { .string($0) } ?? .none, .count(model), objects.map { .count($0) } ?? .none,
            .bytes(bytes), saves.map { .count($0) } ?? .none, date.map { .string($0) } ?? .none,
            RowSet.Cell(
                text: attention.joined(separator: "; "), json: .array(attention.map(JSONValue.string))),
        ]
        let text = parts.joined(separator: ", ") + (attention.isEmpty ? "" : ": ")
        return TenantResult(
            isFine ? .done : .attention, text + attention.joined(separator: "; "), cells: cells)
    }

    /// What asks for attention, in a few words each.
    private static func attention(_ status: JSONValue) -> [String] {
        var found: [String] = []
        let migrations = status["migrations"]
        if status["model"]["relation"].stringValue == "different" {
            found.append("not the application's model")
        }
        if let begun = migrations["run"]["transition"].stringValue {
            found.append("\(begun) was begun")
        } else if let pending = migrations["pending"].stringValues, !pending.isEmpty {
            found.append("\(pending.joined(separator: ", ")) is left to do")
        }
        if let problem = migrations["problem"].stringValue { found.append(problem) }
        if let drift = status["drift"]["count"].intValue, drift > 0 {
            found.append(Quantity.of(drift, "difference of its tables", "differences of its tables"))
        }
        if let filling = status["unfinished"].stringValue.flatMap(UnfinishedFilling.init(rawValue:)) {
            found.append(filling.message)
        }
        return found
    }
}
