import ContextCore
import Foundation

/// Runs the remaining steps between two versions, each atomically.
struct MigrationRun {
    /// The number of steps that this run completed.
    private(set) var steps = 0
    /// Findings that the migration left unchanged.
    private(set) var found: [String] = []
    /// The phases that remain after the last requested phase.
    private(set) var remainingPhases: [MigrationPhase] = []

    private let connection: any MigrationConnection
    private var record: RunRecord
    private let transition: ModelTransition
    private let options: MigrationOptions
    private let start = ContinuousClock.now
    /// Whether the store contains the record of the migration, which the first step writes.
    private var hasBegun: Bool

    init(
        _ connection: any MigrationConnection, _ record: RunRecord, _ transition: ModelTransition,
        _ options: MigrationOptions, hasBegun: Bool
    ) {
        self.hasBegun = hasBegun
        self.connection = connection
        self.record = record
        self.transition = transition
        self.options = options
    }

    private var metadata: MigrationMetadata { MigrationMetadata(connection: connection) }

    /// Runs to the end or to the last requested phase, and returns whether it reached the end.
    mutating func runToEnd() throws -> Bool {
        var index = hasBegun ? try metadata.doneSteps() : 0
        while index < record.steps.count {
            let step = record.steps[index]
            if options.isCancelled() { throw SQLMigrator.cancelledError }
            if step.phase > options.lastPhase, try metadata.isShared(from: record.from) {
                remainingPhases = Set(record.steps[index...].map(\.phase)).sorted()
                return false
            }
            report(index, rows: 0)
            try withRetries { run in try run.perform(step, index) }
            steps += 1
            index += 1
        }
        return true
    }

    /// Records that a step is complete; the last step also completes the migration in its transaction.
    private func recordDone(_ index: Int) throws(StoreError) {
        if index == verifiedStep {
            let later = keysDerivedLater
            try verify { !later.contains($0) }
        }
        if index + 1 < record.steps.count {
            try metadata.setDone(index + 1)
        } else {
            let later = keysDerivedLater
            if index != verifiedStep, !later.isEmpty { try verify { later.contains($0) } }
            try metadata.finish(record, detail: detail)
        }
    }

    /// The step whose transaction verifies the migration, because the migration can't be rolled back after it.
    ///
    /// It is the last step of a migration that an older release began.
    private var verifiedStep: Int? {
        let last = record.steps.indices.last
        return record.touched == nil ? last : record.steps.firstIndex { $0.phase == .contract } ?? last
    }

    /// The keys of missing values that the store derives in steps after the verification.
    private var keysDerivedLater: Set<String> {
        guard let verifiedStep else { return [] }
        let keys = record.steps[(verifiedStep + 1)...].flatMap { step -> [String] in
            guard case .fill(let fill) = step.work else { return [] }
            return fill.derived.map { MigrationVerification.missingKey($0, of: fill.entityName) }
        }
        return Set(keys)
    }

    /// Compares the contradictions to the newer model with those to the older model before the first step, per property.
    ///
    /// - Parameter isWanted: Selects the findings to compare by their keys.
    /// - Throws: `StoreError.Code.migrationRefused`, upon which the step's transaction is rolled back.
    private func verify(_ isWanted: (String) -> Bool) throws(StoreError) {
        guard let before = record.contradictionsBefore else { return }
        let schema = try SchemaTransition(
            transition, connection.migrationDialect, oldNumbers: try metadata.numbers(),
            newNumbers: record.numbers)
        let found = try MigrationVerification(
            schema.new, connection.migrationDialect, touched: record.touched
        )
        .findings(connection, older: schema, where: isWanted)
        let worse = found.filter { finding in
            finding.count > finding.olderKeys.reduce(0) { $0 + (before[$1] ?? 0) }
        }
        if !worse.isEmpty {
            throw verificationError(worse.map { "\($0.sentence) (\($0.count.groupedDigits))" })
        }
    }

    private func verificationError(_ findings: [String]) -> StoreError {
        StoreError(
            .migrationRefused,
            "The check of the migration \(record.transition) failed, so its last step was rolled back: "
                + "\(findings.joined(separator: "; ")).",
            remedy: "A stage or the library has a bug: correct the stage, or report the bug.")
    }

    /// Counts the objects that a step must preserve; nil for a step that changes no rows, or if programs of the newer version may have
    /// inserted objects.
    private func countedObjects(before step: MigrationStep) throws(StoreError) -> (
        SchemaTransition, EntityCounts
    )? {
        guard record.contradictionsBefore != nil, step.phase == .contract, step.force != .unchanged,
            !step.statements.isEmpty, try metadata.isShared(from: record.from) == false
        else { return nil }
        let schema = try SchemaTransition(
            transition, connection.migrationDialect, oldNumbers: try metadata.numbers(),
            newNumbers: record.numbers)
        return (schema, try EntityCounts(schema.old, connection, in: record.touched?.older))
    }

    private func report(_ index: Int, rows: Int) {
        options.progress?(
            MigrationProgress(
                transition: record.transition, step: index + 1, steps: record.steps.count,
                sentence: record.steps[index].sentence, rows: rows))
    }

    private var detail: String {
        let seconds = (start.duration(to: .now) / .seconds(1)).description
        return
            "plan \(record.reviewedPlan.digest), \(seconds) seconds, process \(ProcessInfo.processInfo.processIdentifier)"
    }

    // MARK: Steps

    private mutating func perform(_ step: MigrationStep, _ index: Int) throws {
        switch step.work {
        case .statements(let statements): try performAtomically(step, statements, index)
        case .separately(let statements):
            for statement in statements { try connection.execute(statement) }
            try inTransaction { run in
                try run.checkFence(index)
                try run.recordDone(index)
            }
        case .fill(let fill): try performBatches(of: fill, index)
        }
    }

    private mutating func performAtomically(_ step: MigrationStep, _ statements: [String], _ index: Int)
        throws
    {
        try inTransaction { run in
            try run.hasBegun ? run.checkFence(index) : run.begin()
            try run.catchUp(before: index, blockingWrites: step.locks)
            for check in step.checks { try run.check(check) }
            // The statements may rename the tables.
            let tables = step.rewrites + step.locks
            let before = step.rewrites.isEmpty ? nil : try run.connection.orphans(in: tables)
            let counted = try run.countedObjects(before: step)
            try UserObjectPreserver(run.connection).run(statements, step.bystanders)
            try run.tryDerivations(after: index)
            for statement in step.lateStatements ?? [] { try run.connection.execute(statement) }
            if let before, let after = try run.connection.orphans(in: tables) {
                try run.compare(before, after)
            }
            if let (schema, counts) = counted {
                let tables = run.record.touched?.newer
                let differences = try EntityCounts(schema.new, run.connection, in: tables).differences(
                    from: counts, schema, in: tables)
                if !differences.isEmpty { throw run.verificationError(differences) }
            }
            try run.metadata.applyForce(step.force, run.record)
            try run.recordDone(index)
        }
        hasBegun = true
    }

    /// Records the migration together with its first step, so that a store that is unchanged has no record.
    private mutating func begin() throws(StoreError) {
        let stored = try metadata.models().last?.fingerprint
        guard try metadata.record() == nil, stored == record.from else { throw Self.overtakenError }
        let schema = try SchemaTransition(
            transition, connection.migrationDialect, oldNumbers: try metadata.numbers(),
            newNumbers: record.numbers)
        if MigrationVerification.isNeeded(for: record.steps, schema) {
            let touched = try TouchedTables(schema)
            record.touched = touched
            let found = try MigrationVerification(schema.new, connection.migrationDialect, touched: touched)
                .findingsBefore(connection, schema)
            record.contradictionsBefore = found.reduce(into: [:]) { $0[$1.key, default: 0] += $1.count }
        }
        try metadata.insertRecord(record)
    }

    /// Backfills the rows that other programs have changed since, now that the transaction excludes them.
    ///
    /// - Parameter tables: The tables that the step changes. Programs that use this library already wait; other programs wait for these
    ///   table locks before they write, and can read until the tables change.
    private func catchUp(before index: Int, blockingWrites tables: [String]) throws {
        guard index > 0, case .fill(let last) = record.steps[index - 1].work, last.isLive else { return }
        if !connection.migrationDialect.rebuildsTables {
            for statement in AlterScript.blockingWrites(tables) {
                try connection.execute(connection.migrationDialect.text(statement))
            }
        }
        for case .fill(let fill) in record.steps.prefix(index).map(\.work) {
            let backfill = try backfill(fill)
            while try backfill.fillNextBatch(after: RowBackfill.end, connection).last != nil {}
        }
    }

    /// Computes derived values that may be invalid while the step can still be rolled back.
    private func tryDerivations(after index: Int) throws {
        for step in record.steps.dropFirst(index + 1) {
            guard case .fill(let fill) = step.work, !fill.derived.isEmpty else { return }
            let backfill = try backfill(fill)
            if backfill.mayFail { try backfill.fillAll(connection) }
        }
    }

    private func check(_ check: MigrationStep.Check) throws(StoreError) {
        if let refusal = check.refusal(try connection.count(check)) { throw refusal }
    }

    /// Records references that were dangling before the step, and refuses new ones.
    private mutating func compare(_ before: Set<String>, _ after: Set<String>) throws(StoreError) {
        guard after.isSubset(of: before) else {
            throw StoreError(
                .migrationRefused, "The step would leave references to objects that don't exist.",
                remedy: "This is a bug in the library. Please report it.",
                detail: after.subtracting(before).sorted().prefix(3).joined(separator: "; "))
        }
        if !after.isEmpty {
            let verb = after.count == 1 ? "was" : "were"
            found.append(
                "\(after.count.counted("reference", "references")) \(verb) dangling before the migration and \(verb) left unchanged."
            )
        }
    }

    /// Throws if another process has continued the migration in the meantime.
    private func checkFence(_ index: Int) throws(StoreError) {
        let isOurs = try metadata.record()?.id == record.id
        if isOurs, try metadata.doneSteps() == index { return }
        throw Self.overtakenError
    }

    static let overtakenError = StoreError(
        .contention, "Another process continued the migration at the same time.", remedy: "Migrate again.")

    // MARK: Batches

    private mutating func performBatches(of fill: MigrationStep.Fill, _ index: Int) throws {
        var backfill: any Backfill =
            fill.stage.isEmpty ? try backfill(fill) : try StageBackfill(fill, schema(fill))
        var rows = 0
        var isDone = false
        while !isDone {
            if options.isCancelled() { throw SQLMigrator.cancelledError }
            // Each batch is retried alone, so that a conflict doesn't repeat the others.
            try withRetries { run in
                try run.inTransaction { run in
                    try run.checkFence(index)
                    let (count, last) = try backfill.fillNextBatch(
                        after: try run.metadata.cursor(), run.connection)
                    rows += count
                    if let last { try run.metadata.setCursor(last) } else { try run.recordDone(index) }
                    isDone = last == nil
                }
            }
            report(index, rows: rows)
        }
    }

    private func backfill(_ fill: MigrationStep.Fill) throws -> RowBackfill {
        try RowBackfill(fill, schema(fill))
    }

    private func schema(_ fill: MigrationStep.Fill) throws -> SchemaTransition {
        let numbers = try metadata.numbers()
        // Derived values are computed from rows that already have the newer model.
        let newNumbers = fill.derived.isEmpty ? record.numbers : numbers
        return try SchemaTransition(
            transition, connection.migrationDialect, oldNumbers: numbers, newNumbers: newNumbers)
    }

    // MARK: Transactions

    private mutating func inTransaction(_ work: (inout MigrationRun) throws -> Void) throws {
        try connection.begin()
        do {
            try work(&self)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Retries work after conflicts with other processes, with increasing delays.
    private mutating func withRetries(_ work: (inout MigrationRun) throws -> Void) throws {
        var attempt = 1
        while true {
            do {
                return try work(&self)
            } catch let error as StoreError where error.code == .busy || error.code == .contention {
                guard attempt < options.maximumAttempts, !options.isCancelled() else { throw error }
                Thread.sleep(
                    forTimeInterval: min(5, 0.05 * Double(1 << min(attempt, 7))) * Double.random(in: 0.5...1))
                attempt += 1
            }
        }
    }
}
