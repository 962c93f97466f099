import ContextCore
import Foundation

/// Makes backups of the stores of tenants.
struct FleetBackupCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "backup"],
        abstract: "Makes a backup of each tenant's store.",
        discussion: """
            For each tenant the command runs 'backup create'. Backups are named after the store and the tenant. With
            --newer-than it skips tenants that have a complete backup younger than that; after a stop by SIGINT, SIGTERM or a
            kill, the same command continues. A backup whose file is missing, or has another size than in its metadata, is not
            complete. The command exits with 2 if a tenant's backup fails, or can't be restored onto a server.
            """,
        options: [
            BackupFolder.option,
            .option("newer-than", nil, "TIME", "Skips tenants with a backup younger than this: 24h."),
        ] + FleetRun.options,
        examples: [
            .init(
                words: "fleet backup -s prod --newer-than 20h", help: "Every night, and again after a stop."),
            .init(words: "fleet backup -s prod --only acme", help: "One tenant, even if it has a backup."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.fleetCommands.union([.cannotCreate]).union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.backup",
            words: [.done: "backed up", .skipped: "skipped", .attention: "with findings"],
            columns: [
                .init("file"), .init("objects", isRightAligned: true),
                .init("size", key: "bytes", isRightAligned: true),
                .init("findings"),
            ], showsDuration: true)
        let folder = BackupFolder(call)
        let backend = try call.tool.fileBackend()
        let run = try FleetRun(call, plan)
        let recentBackups = try call.arguments.duration("newer-than").map { age in
            let date = CivilTime(date: Date(timeIntervalSinceNow: -(age / .seconds(1)))).text
            // The folder is read once, because it may contain several backups for each of thousands of tenants.
            return Dictionary(
                grouping: folder.backups().filter { $0.location != nil && $0.date > date }, by: \.location)
        }
        return try folder.withFolder {
            try run.run { call in
                if let recentBackups {
                    let store = try call.store()
                    let own = recentBackups[store.location]?.last {
                        $0.store == store.title && $0.hasRecordedSize
                    }
                    if let own {
                        // The metadata of older backups, and of those that migrations make, doesn't contain the number.
                        let findings = try own.findings ?? own.obstacles(backend, call.output).count
                        return Self.result(own, findings: findings)
                    }
                }
                return Self.result(JSONValue.object(try BackupCreateCommand().run(call).json))
            }
        }
    }

    /// Returns the result for a tenant with a recent backup.
    ///
    /// - Parameter findings: The number of findings that prevent restoring the backup onto a server; the run then exits with 2, as when the
    ///   backup was made.
    private static func result(_ backup: StoreBackup, findings: Int) -> TenantResult {
        var text = "has a backup of \(backup.date)"
        let obstacles = obstacleText(findings)
        if findings > 0 { text += ", \(obstacles)" }
        let name = backup.path.split(separator: "/").last.map(String.init) ?? backup.path
        let details = findings > 0 ? ["\(obstacles): run 'storectl backup verify \(name)'"] : []
        return TenantResult(
            findings > 0 ? .attention : .skipped, text,
            cells: [.string(backup.path), .count(backup.objects), .bytes(backup.bytes), .list(details)],
            details: details)
    }

    private static func obstacleText(_ count: Int) -> String {
        "\(Quantity.text(count, "finding prevents", "findings prevent")) restoring it onto a server"
    }

    private static func result(_ backup: JSONValue) -> TenantResult {
        let path = backup["file"].stringValue ?? ""
        let (objects, bytes) = (backup["objects"].intValue ?? 0, Int64(backup["bytes"].intValue ?? 0))
        let findings = backup["findings"].stringValues ?? []
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var text = "\(name), \(Quantity.text(objects, "object", "objects")), \(Quantity.bytes(bytes))"
        if !findings.isEmpty {
            text += ", \(obstacleText(findings.count))"
        }
        return TenantResult(
            findings.isEmpty ? .done : .attention, text,
            cells: [.string(path), .count(objects), .bytes(bytes), .list(findings)], details: findings)
    }
}
