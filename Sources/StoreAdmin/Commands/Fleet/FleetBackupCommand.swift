import ContextCore
import Foundation

/// Makes backups of the stores of tenants.
struct FleetBackupCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "backup"],
        abstract: "Copies each tenant's store, from a snapshot of its own, into a SQLite file.",
        discussion: """
            For each tenant it does what 'backup create' does: the copies are verified, and stand in the folder with the names
            of the store and of the tenant. With --newer-than, a tenant that has a whole backup younger than that is passed
            over: when the command was stopped, by SIGINT, SIGTERM or a kill, the same command goes on where it stopped. A
            backup whose file is missing, or has another size than its notes say, isn't whole. It exits with 2 when a tenant
            has no backup then, or one that couldn't be restored onto a server.
            """,
        options: [
            BackupFolder.option,
            .option("newer-than", nil, "TIME", "Passes over tenants with a backup younger than that: 24h."),
        ] + FleetRun.options,
        examples: [
            .init(
                words: "fleet backup -s prod --newer-than 20h", help: "Every night; once more after a stop."),
            .init(words: "fleet backup -s prod --only acme", help: "One tenant's, whatever there is."),
        ], takesTenant: false, forms: [.json, .jsonl, .csv, .md],
        exits: ExitCode.ofFleets.union([.cannotCreate]).union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.backup",
            words: [.done: "backed up", .skipped: "passed over", .attention: "with findings"],
            columns: [
                .init("file"), .init("objects", isRight: true), .init("size", key: "bytes", isRight: true),
                .init("findings"),
            ], isTimed: true)
        let folder = BackupFolder(call)
        let backend = try call.tool.fileBackend()
        let run = try FleetRun(call, plan)
        let young = try call.arguments.duration("newer-than").map { age in
            let date = CivilTime(date: Date(timeIntervalSinceNow: -(age / .seconds(1)))).text
            // The folder is read once: it may have several backups of each of thousands.
            return Dictionary(
                grouping: folder.backups().filter { $0.place != nil && $0.date > date }, by: \.place)
        }
        return try folder.during {
            try run.run { call in
                if let young {
                    let store = try call.store()
                    let own = young[store.place]?.last { $0.store == store.title && $0.isWhole }
                    if let own {
                        // Backups that migrations make, and older ones, don't note it.
                        let findings = try own.findings ?? own.obstacles(backend, call.output).count
                        return Self.result(own, findings: findings)
                    }
                }
                return Self.result(JSONValue.object(try BackupCreateCommand().run(call).json))
            }
        }
    }

    /// - Parameter findings: How many findings keep a backup that is there from a server; they make the run exit with 2 as when it was made.
    private static func result(_ backup: StoreBackup, findings: Int) -> TenantResult {
        var text = "has a backup of \(backup.date)"
        let obstacles = obstacleText(findings)
        if findings > 0 { text += ", \(obstacles)" }
        let name = backup.path.split(separator: "/").last.map(String.init) ?? backup.path
        let told = findings > 0 ? ["\(obstacles): run 'storectl backup verify \(name)'"] : []
        return TenantResult(
            findings > 0 ? .attention : .skipped, text,
            cells: [.string(backup.path), .count(backup.objects), .bytes(backup.bytes), .list(told)],
            details: told)
    }

    private static func obstacleText(_ count: Int) -> String {
        "\(Quantity.of(count, "finding keeps", "findings keep")) it from a server"
    }

    private static func result(_ backup: JSONValue) -> TenantResult {
        let path = backup["file"].stringValue ?? ""
        let (objects, bytes) = (backup["objects"].intValue ?? 0, Int64(backup["bytes"].intValue ?? 0))
        let findings = backup["findings"].stringValues ?? []
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var text = "\(name), \(Quantity.of(objects, "object", "objects")), \(Quantity.bytes(bytes))"
        if !findings.isEmpty {
            text += ", \(obstacleText(findings.count))"
        }
        return TenantResult(
            findings.isEmpty ? .done : .attention, text,
            cells: [.string(path), .count(objects), .bytes(bytes), .list(findings)], details: findings)
    }
}
