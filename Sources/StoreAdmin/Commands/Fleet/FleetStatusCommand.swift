import ContextCore

/// Shows the status of each tenant's store.
struct FleetStatusCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "status"],
        abstract: "Shows one line per tenant: version, objects, size, last save, and problems.",
        discussion: """
            For each tenant the command collects what 'status' shows. It exits with 2 if a tenant's store can't be read or,
            with --check, if a store needs attention. Lines appear in the order in which the stores are read; the rows of
            documents are in the order of the names. After an interruption, continue with --from.
            """,
        options: [
            ModelHistory.option, .flag("check", nil, "Exits with 2 if a store needs attention."),
        ] + FleetRun.options,
        examples: [
            .init(words: "fleet status -s prod", help: "Every tenant."),
            .init(words: "fleet status -s prod --check -o csv", help: "For a deployment script."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.fleetCommands.union(ExitCode.stoppableCommands))

    private static let columns: [RowSet.Column] = [
        .init("version"), .init("model", isRightAligned: true), .init("objects", isRightAligned: true),
        .init("size", key: "bytes", isRightAligned: true), .init("saves", isRightAligned: true),
        .init("lastSave"),
        .init("attention"),
    ]

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.status", words: [.done: "ok", .attention: "needing attention"],
            columns: Self.columns, failsOnAttention: call.arguments.has("check"))
        return try FleetRun(call, plan).run { call in
            var call = call
            call.arguments.insert(flag: "check")
            let report = try StatusCommand().run(call)
            return Self.result(JSONValue.object(report.json), isFine: report.exit == .success)
        }
    }

    /// Converts the document of a store's status into a result.
    private static func result(_ status: JSONValue, isFine: Bool) -> TenantResult {
        let version = status["migrations"]["version"].stringValue
        let model = status["model"]["number"].intValue ?? 0
        let counts = status["objects"].members?.values.compactMap(\.intValue)
        let objects = counts.map { $0.reduce(0, +) }
        let bytes = status["bytes"].intValue.map(Int64.init)
        let (saves, date) = (status["saves"]["last"].intValue, status["saves"]["date"].stringValue)
        let attention = attention(status)
        var parts = [version ?? "model \(model)"]
        if let objects { parts.append(Quantity.text(objects, "object", "objects")) }
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

    /// Returns the reasons why a store needs attention, in a few words each.
    private static func attention(_ status: JSONValue) -> [String] {
        var found: [String] = []
        let migrations = status["migrations"]
        if status["model"]["relation"].stringValue == "different" {
            found.append("not the application's model")
        }
        if let transition = migrations["run"]["transition"].stringValue {
            found.append("\(transition) is unfinished")
        } else if let pending = migrations["pending"].stringValues, !pending.isEmpty {
            found.append("\(pending.joined(separator: ", ")) is pending")
        }
        if let problem = migrations["problem"].stringValue { found.append(problem) }
        if let drift = status["drift"]["count"].intValue, drift > 0 {
            found.append(Quantity.text(drift, "table difference", "table differences"))
        }
        if let transfer = status["unfinished"].stringValue.flatMap(UnfinishedTransfer.init(rawValue:)) {
            found.append(transfer.message)
        }
        return found
    }
}
