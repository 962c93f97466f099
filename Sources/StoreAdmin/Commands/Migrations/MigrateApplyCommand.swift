import ContextCore
import Foundation

/// Migrates a store.
struct MigrateApplyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "apply"],
        abstract: "Migrates a store, as far as programs of both versions work on it.",
        discussion: """
            What was begun before is finished first. The last phase, in which what is no longer needed goes, is left to
            'migrate complete' where the older version can go on working until then. What would be lost must be named by
            --accept-loss. Where no version is frozen, --rename, --removed and --convert say what a manifest would, the same
            as they did to 'migrate plan'. It exits with 3 where somebody has to decide, and with 75 where somebody is in the way.
            """,
        options: [
            .option("to", nil, "VERSION", "The version at which the store ends; the last unless given."),
            .option("plan", nil, "FILE", "The plan that was reviewed; any other is refused."),
            .option(
                "phase", nil, "PHASE", "The last phase that is run; validate unless given.",
                choices: MigrationPhase.allCases.map(\.rawValue)),
            .flag("dry-run", nil, "Prints the plan, and changes nothing."),
        ] + HintOptions.options + MigrationCall.running + [BackupFolder.option],
        examples: [
            .init(words: "migrate apply -s dev", help: "To the last version."),
            .init(words: "migrate apply -s prod --plan plan.json --confirm prod", help: "What was reviewed."),
        ], exits: ExitCode.ofStores.union([.refused, .cannotCreate]).union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        let sealed = try call.arguments["plan"].map { try Self.sealedPlan($0, call) }
        let version = call.arguments["to"] ?? sealed?.version
        let phase = call.arguments["phase"].flatMap(MigrationPhase.init) ?? .validate
        let isDry = call.arguments.has("dry-run")
        var done = MigrationOutcome()
        // What was begun is a plan of its own, which the store keeps; what comes after it can be planned only then.
        let begun = try migration.state()
        try migration.checkAcceptedLosses(begun)
        if begun.run != nil {
            if let sealed, sealed.digest != begun.reviewed { throw Self.unreviewed }
            if isDry, let rest = try migration.rest() {
                return Report("migrate.plan", rest.json) { _ in rest.text(sql: false) }
            }
            try migration.checkWay(after: begun)
            try migration.finishRun(to: version, through: phase, sealed: sealed?.digest, &done)
            let isAll = try sealed != nil && migration.state().reviewed == nil
            if done.isPending || isAll { return migration.report(done) }
        }
        let plan = try migration.goOn(after: done) { try migration.plan(to: version) }
        if begun.run != nil, plan.isEmpty { return migration.report(done) }
        // Of a plan of which a part is done, the rest is another plan.
        let isRest = try sealed != nil && migration.state().reviewed == sealed?.digest
        if let sealed, sealed.digest != plan.digest, !isRest { throw Self.unreviewed }
        if isDry { return Report("migrate.plan", plan.json) { _ in plan.text(sql: false) } }
        try migration.confirm(plan, after: done)
        try migration.goOn(after: done) {
            try migration.run(plan, to: version, through: phase, sealed: sealed?.digest, &done)
        }
        return migration.report(done)
    }

    private static let unreviewed = AdminError.refused(
        "what would be done now is not what was reviewed.",
        hint: "Run 'migrate plan --out' and review it again.")

    private static func sealedPlan(_ path: String, _ call: CommandCall) throws -> SealedPlan {
        guard let data = FileManager.default.contents(atPath: call.tool.surroundings.resolved(path)) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                hint: "Write one with 'migrate plan --out'.")
        }
        return try SealedPlan(String(decoding: data, as: UTF8.self), name: path)
    }
}
