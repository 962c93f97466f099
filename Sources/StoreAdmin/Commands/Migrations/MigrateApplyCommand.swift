import ContextCore
import Foundation

/// Migrates a store.
struct MigrateApplyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "apply"],
        abstract: "Migrates a store up to the point where programs of both versions can use it.",
        discussion: """
            The command finishes an unfinished migration first. If programs of the older version can still work, it leaves the
            contract phase, which drops what the newer version doesn't need, to 'migrate complete'. Losses must be named by
            --accept-loss. Without frozen versions, --rename, --removed and --convert take the place of a migration file; give
            the same options as to 'migrate plan'. The command exits with 3 if it needs a decision, and with 75 if another
            process holds a lock.
            """,
        options: [
            .option("to", nil, "VERSION", "The version to migrate to. The default is the last one."),
            .option("plan", nil, "FILE", "The reviewed plan. The command runs no other plan."),
            .option(
                "phase", nil, "PHASE", "The last phase to run. The default is validate.",
                choices: MigrationPhase.allCases.map(\.rawValue)),
            .flag("dry-run", nil, "Prints the plan, and changes nothing."),
        ] + HintOptions.options + MigrationCall.runOptions + [BackupFolder.option],
        examples: [
            .init(words: "migrate apply -s dev", help: "To the last version."),
            .init(words: "migrate apply -s prod --plan plan.json --confirm prod", help: "A reviewed plan."),
        ],
        exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]).union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        let reviewedPlan = try call.arguments["plan"].map { try Self.readReviewedPlan($0, call) }
        let version = call.arguments["to"] ?? reviewedPlan?.version
        let phase = call.arguments["phase"].flatMap(MigrationPhase.init) ?? .validate
        let isDry = call.arguments.has("dry-run")
        var done = MigrationOutcome()
        // The store contains the plan of an unfinished migration. Further transitions can be planned only after it is finished.
        let initialState = try migration.state()
        try migration.checkAcceptedLosses(initialState)
        if initialState.run != nil {
            if let reviewedPlan, reviewedPlan.digest != initialState.reviewed {
                throw Self.unreviewedPlanError
            }
            if isDry, let rest = try migration.remainingMigration() {
                return rest.report(sql: false)
            }
            try migration.checkFrozenVersions(after: initialState)
            try migration.finishRun(to: version, through: phase, approvedDigest: reviewedPlan?.digest, &done)
            let isAll = try reviewedPlan != nil && migration.state().reviewed == nil
            if done.isPending || isAll { return migration.report(done) }
        }
        let plan = try migration.continueMigration(after: done) { try migration.plan(to: version) }
        if initialState.run != nil, plan.isEmpty { return migration.report(done) }
        // After a part of a reviewed plan is done, the plan of the rest has another digest.
        let isRest = try reviewedPlan != nil && migration.state().reviewed == reviewedPlan?.digest
        if let reviewedPlan, reviewedPlan.digest != plan.digest, !isRest { throw Self.unreviewedPlanError }
        if isDry { return plan.report(sql: false, refusedBy: try migration.refusal(of: plan)) }
        try migration.confirm(plan, after: done)
        try migration.continueMigration(after: done) {
            try migration.run(plan, to: version, through: phase, approvedDigest: reviewedPlan?.digest, &done)
        }
        return migration.report(done)
    }

    private static let unreviewedPlanError = AdminError.refused(
        "the migration plan differs from the reviewed plan.",
        hint: "Run 'storectl migrate plan --out FILE' and review the new plan.")

    private static func readReviewedPlan(_ path: String, _ call: CommandCall) throws -> ReviewedPlanFile {
        guard let data = FileManager.default.contents(atPath: call.tool.environment.resolved(path)) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                hint: "Write a plan with 'storectl migrate plan --out FILE'.")
        }
        return try ReviewedPlanFile(String(decoding: data, as: UTF8.self), name: path)
    }
}
