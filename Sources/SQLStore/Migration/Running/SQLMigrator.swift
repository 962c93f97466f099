package import ContextCore
import Foundation

/// Migrates a store in a SQL database.
///
/// Its connection is used by one thread at a time.
package final class SQLMigrator: StoreMigrator {
    let connection: any MigrationConnection
    var metadata: MigrationMetadata { MigrationMetadata(connection: connection) }

    package init(_ connection: any MigrationConnection) {
        self.connection = connection
    }

    package func close() { connection.close() }

    package func state() throws -> MigrationState {
        let record = try metadata.record()
        let done = try metadata.doneSteps()
        let reviewedPlan = try record?.reviewedPlan ?? metadata.reviewedPlan()
        let isShared = try record.map { try metadata.isShared(from: $0.from) } ?? false
        return MigrationState(
            storeID: try metadata.storeID(), models: try metadata.models(),
            automatic: try metadata.automatic(),
            versions: try metadata.versions(),
            run: record.map {
                .init(
                    transition: $0.transition, fingerprint: $0.to, fileText: $0.model, origin: $0.from,
                    losses: $0.losses, added: $0.added, isShared: isShared, isAutomatic: $0.isAutomatic,
                    lastPhase: $0.wantedPhase, steps: $0.steps, done: done)
            },
            reviewed: reviewedPlan.flatMap { $0.isReviewed ? $0.digest : nil },
            entries: try metadata.entries())
    }

    package func plan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        let numbers = try metadata.numbers()
        let own = try metadata.ownTables()
        let userObjects = try connection.userDefinedObjects(besides: own)
        let plan = try MigrationScript.plan(
            transitions, connection.migrationDialect, storeNumbers: numbers, userObjects: userObjects,
            existingNames: existingNames(besides: own))
        // The rows that later transitions change don't exist yet.
        if let first = plan.segments.first { try checkRows(first, storeNumbers: numbers) }
        return plan
    }

    /// Checks before the migration begins that the existing rows allow it, and throws otherwise.
    private func checkRows(_ segment: MigrationPlan.Segment, storeNumbers: [String: Int]) throws {
        let numbers = EntityNumbering(segment.transition, storeNumbers: storeNumbers).numbers
        let schema = try SchemaTransition(
            segment.transition, connection.migrationDialect, oldNumbers: storeNumbers, newNumbers: numbers)
        try ConversionCheck(schema, connection).check(segment.steps)
        for check in segment.steps.first?.checks ?? [] where check.rule == "required-reference-lost" {
            if let refusal = check.refusal(try count(check)) { throw refusal }
        }
    }

    package func rowCounts(of tables: [String]) throws -> [String: RowCount] {
        var counts: [String: RowCount] = [:]
        for table in tables { counts[table] = try connection.rowCount(of: table) }
        return counts
    }

    package func count(_ check: MigrationStep.Check) throws -> Int { try connection.count(check) }

    /// Returns the names of user-defined objects that new tables can't have.
    private func existingNames(besides own: [TableSchema]) throws(StoreError) -> Set<String> {
        let rows = try connection.rows(
            SQLText(connection.migrationDialect.existingNames, connection.migrationDialect.dialect), [.text])
        return Set(rows.map { $0[0].textValue }).subtracting(
            own.flatMap { [$0.name] + $0.indexes.map(\.name) })
    }

    package func migrate(to versions: ModelVersions, _ options: MigrationOptions) throws -> MigrationOutcome {
        var outcome = MigrationOutcome()
        let before = try state()
        let wanted = versions.versions.first { $0.name == options.version } ?? versions.last
        if before.run == nil, before.models.last?.fingerprint == wanted.model.fingerprint { return outcome }
        try versions.checkAcceptedLosses(options.acceptedLosses, in: before)
        try lock(options)
        defer { connection.unlock() }
        var reviewedPlan = try metadata.reviewedPlan()
        if var record = try metadata.record() {
            try checkDigest(record.reviewedPlan.digest, options)
            let transition = try transition(of: record, versions, options)
            try resumeMigration(of: &record, transition, options, &outcome)
            if outcome.isPending { return outcome }
            if record.reviewedPlan.isReviewed || options.digest != nil { reviewedPlan = record.reviewedPlan }
        } else if let digest = options.digest, reviewedPlan?.digest != digest {
            // A different plan was reviewed since.
            reviewedPlan = nil
        }
        if options.finishesOnly { return outcome }
        do {
            if let reviewedPlan {
                try runTransitions(to: versions, options, reviewedPlan, &outcome)
                // A reviewed plan runs exactly as reviewed, without further transitions.
                if outcome.isPending || options.digest != nil { return outcome }
            }
            try runTransitions(to: versions, options, nil, &outcome)
        } catch let error as StoreError {
            throw error.afterFinishing(outcome.transitions)
        }
        return outcome
    }

    /// Plans and runs the transitions, or the first ones if a reviewed plan contains fewer.
    private func runTransitions(
        to versions: ModelVersions, _ options: MigrationOptions, _ reviewedPlan: ReviewedPlan?,
        _ outcome: inout MigrationOutcome
    ) throws {
        let transitions = try versions.transitions(from: try model(), to: options.version)
        if transitions.isEmpty || reviewedPlan?.rest.isEmpty == true { return }
        try versions.checkDirection(try metadata.models(), automatic: try metadata.automatic())
        let plan = try reviewed(try plan(transitions), reviewedPlan, options)
        try plan.checkDecisions(accepting: options.acceptedLosses.union(options.removedOnlyIfEmpty))
        let copies = MigrationBackup(connection: connection, options: options)
        let copy = try copies.make(before: plan)
        do {
            for (index, segment) in plan.segments.enumerated() {
                // The rows of the first segment were checked when it was planned.
                if index > 0 { try checkRows(segment, storeNumbers: metadata.numbers()) }
                let rest = ReviewedPlan(
                    digest: reviewedPlan?.digest ?? plan.digest,
                    isReviewed: reviewedPlan != nil || options.digest != nil,
                    rest: Array(plan.segmentDigests.dropFirst(index + 1)))
                var record = try record(of: segment, rest, options)
                record.backup = copy
                if !versions.infersFirst {
                    record.names = .init(from: segment.transition.from.name, to: segment.transition.to.name)
                }
                try run(record, segment.transition, options, hasBegun: false, &outcome)
                if outcome.isPending { break }
            }
        } catch {
            copies.discard(copy, isUntouched(before: plan), after: error)
            throw error
        }
        if let copy { outcome.backups.append(copy) }
    }

    /// Whether no step of a plan has run, or all of them were rolled back.
    private func isUntouched(before plan: MigrationPlan) -> Bool {
        do {
            let stored = try metadata.models().last?.fingerprint
            return try metadata.record() == nil
                && stored == plan.segments.first?.transition.from.model.fingerprint
        } catch {
            return false
        }
    }

    package func rollBack(_ options: MigrationOptions) throws {
        try lock(options)
        defer { connection.unlock() }
        try inTransaction {
            guard let record = try metadata.record() else {
                if options.requiredOrigin != nil { throw MigrationRun.overtakenError }
                if try metadata.reviewedPlan() != nil { return try metadata.removeReviewedPlan() }
                throw StoreError(
                    .migrationRefused, "There is no unfinished migration of the store.",
                    remedy: "There is nothing to roll back.")
            }
            if let origin = options.requiredOrigin {
                let isShared = try metadata.isShared(from: origin)
                guard record.isAutomatic, record.from == origin, !isShared else {
                    throw MigrationRun.overtakenError
                }
            }
            try state().run?.checkRollback(accepting: options.acceptedLosses)
            try rollBackMigration(record)
        }
    }

    package func drift() throws -> [String] { try drift(from: try model()) }

    private func drift(from model: ObjectModel) throws -> [String] {
        let longest = connection.migrationDialect.dialect.maximumNameLength
        let mapping = StoreMapping(model, numbers: try metadata.numbers(), maximumNameLength: longest)
        let tables = try SchemaBuilder(mapping, maximumNameLength: longest).storeTables()
        return SchemaDrift(
            expected: try connection.expectedSchema(for: tables), live: try connection.physicalSchema()
        ).sentences
    }

    package func adopt(_ version: ModelVersion, _ options: MigrationOptions) throws -> [String] {
        try lock(options)
        defer { connection.unlock() }
        if let record = try metadata.record() {
            throw StoreError(
                .migrationUnfinished, "The migration \(record.transition) is unfinished.",
                remedy:
                    "Finish it with 'storectl migrate complete', or roll it back with 'storectl migrate rollback'."
            )
        }
        let numbers = try metadata.numbers()
        // Each row has an entity number, so rows of an entity without a number can't have been added by hand.
        let unknown = version.model.layouts.map(\.name).filter { numbers[$0] == nil }
        let differences =
            try drift(from: version.model) + unknown.map { "The store has no number for the entity \($0)." }
        guard differences.isEmpty else { return differences }
        let fingerprint = version.model.fingerprint
        if try metadata.models().currentModel().fingerprint == fingerprint {
            if try metadata.versions()[version.name] != fingerprint {
                try inTransaction { try metadata.recordVersions([version.name: fingerprint]) }
            }
            return []
        }
        // Adopting is for tables that were changed by hand; another model of the same tables needs a migration.
        if try drift().isEmpty {
            return [
                "The tables match the model that the store records, which is not the model of \(version.name)."
            ]
        }
        try inTransaction { try metadata.adopt(version) }
        return []
    }

    // MARK: Parts

    /// Returns the model with which the store's rows were last written.
    private func model() throws -> ObjectModel {
        try ObjectModel(currentAmong: metadata.models())
    }

    private func lock(_ options: MigrationOptions) throws {
        let deadline = ContinuousClock.now + options.waitTimeout
        while try connection.tryLock() == false {
            if options.isCancelled() { throw Self.cancelledError }
            guard ContinuousClock.now < deadline else {
                throw StoreError(
                    .busy,
                    "Another process is migrating the store\(connection.lockHolder().map { ": \($0)" } ?? "").",
                    remedy: "Wait until it finishes, and try again.")
            }
            Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.1))
        }
    }

    static let cancelledError = StoreError(
        .cancelled, "The migration was stopped.", remedy: "Migrate again to continue where it stopped.")

    private func checkDigest(_ digest: String, _ options: MigrationOptions) throws(StoreError) {
        if options.digest == nil || options.digest == digest { return }
        throw StoreError(
            .migrationRefused, "The plan differs from the reviewed plan.",
            remedy: "Review the plan again. Nothing was changed.",
            detail: "Its digest is \(digest), the reviewed one's \(options.digest ?? "").")
    }

    /// Returns the reviewed part of a plan, or the whole plan if no review was requested.
    ///
    /// - Parameter reviewedPlan: The rest of a reviewed plan that is partly complete.
    private func reviewed(
        _ plan: MigrationPlan, _ reviewedPlan: ReviewedPlan?, _ options: MigrationOptions
    ) throws(StoreError) -> MigrationPlan {
        guard let reviewedPlan else {
            try checkDigest(plan.digest, options)
            return plan
        }
        guard plan.segmentDigests.starts(with: reviewedPlan.rest) else {
            throw StoreError(
                .migrationRefused, "The remaining steps differ from those of the reviewed plan.",
                remedy:
                    "Review the remaining steps and pass their digest, or roll the migration back with 'storectl migrate rollback' "
                    + "where that is possible. Completed steps are kept.",
                detail:
                    "The digest of the remaining steps is \(plan.digest), that of the reviewed plan \(reviewedPlan.digest)."
            )
        }
        return MigrationPlan(
            backend: plan.backend, frame: plan.frame,
            segments: Array(plan.segments.prefix(reviewedPlan.rest.count))
        )
    }

    // MARK: One segment

    /// Resumes an unfinished migration, after a backup if one is requested and needed.
    private func resumeMigration(
        of record: inout RunRecord, _ transition: ModelTransition, _ options: MigrationOptions,
        _ outcome: inout MigrationOutcome
    ) throws {
        let (before, done) = (record.backup, try metadata.doneSteps())
        let copies = MigrationBackup(connection: connection, options: options)
        let isShared = try metadata.isShared(from: record.from)
        let copy = try copies.make(beforeRestOf: record, done: done, isShared: isShared)
        do {
            if copy != nil || options.lastPhase > record.wantedPhase {
                record.backup = copy ?? before
                record.lastPhase = max(record.wantedPhase, options.lastPhase)
                try inTransaction { [record] in try metadata.update(record) }
            }
            try run(record, transition, options, hasBegun: true, &outcome)
        } catch {
            if copy != nil {
                record.backup = before
                copies.discard(copy, restorePreviousBackupPath(of: record, done: done), after: error)
            }
            throw error
        }
        outcome.backups += [copy].compactMap(\.self)
    }

    /// Restores the path of the previous backup if no step was completed since; returns whether it did or the migration was rolled back.
    private func restorePreviousBackupPath(of record: RunRecord, done: Int) -> Bool {
        var isForgotten = false
        do {
            try inTransaction {
                guard let begun = try metadata.record() else {
                    isForgotten = try metadata.models().last?.fingerprint == record.from
                    return
                }
                guard begun.id == record.id, try metadata.doneSteps() == done else { return }
                try metadata.update(record)
                isForgotten = true
            }
        } catch {
            return false
        }
        return isForgotten
    }

    /// Returns the transition of an unfinished migration from its record, with the program's version for its stages.
    private func transition(
        of record: RunRecord, _ versions: ModelVersions, _ options: MigrationOptions
    ) throws -> ModelTransition {
        let list = versions.versions
        let wanted = list.firstIndex { $0.name == options.version } ?? list.count - 1
        let version = list[...wanted].last { $0.model.fingerprint == record.to }
        if version == nil { try versions.checkFinishing(try state(), isOpening: options.isOpening) }
        guard let older = try metadata.models().last(where: { $0.fingerprint == record.from }) else {
            throw StoreError(
                .corrupt, "The store doesn't contain the model that the migration started from.",
                remedy: "Restore a backup.")
        }
        let hints = MigrationHints(
            renames: record.renames, removed: Set(record.removed), conversions: record.conversions)
        let stages = (version?.stages ?? []).filter { stage in record.stages().contains(where: stage.fills) }
        let transition = try ModelTransition(
            from: ModelVersion("the older model", ObjectModel(fileText: older.fileText)),
            to: ModelVersion(
                version?.name ?? "the newer model", ObjectModel(fileText: record.model), hints: hints,
                stages: stages), checksHints: false)
        for fill in record.stages(after: try metadata.doneSteps()) { _ = try transition.stage(of: fill) }
        return transition
    }

    /// Returns the record of a migration that is about to begin.
    private func record(
        of segment: MigrationPlan.Segment, _ reviewedPlan: ReviewedPlan, _ options: MigrationOptions
    ) throws -> RunRecord {
        let transition = segment.transition
        let hints = transition.to.hints
        let storeNumbers = try metadata.numbers()
        let numbers = EntityNumbering(transition, storeNumbers: storeNumbers).numbers
        var steps = segment.steps
        if !options.removedOnlyIfEmpty.isEmpty {
            let schema = try SchemaTransition(
                transition, connection.migrationDialect, oldNumbers: storeNumbers, newNumbers: numbers)
            steps = try EmptyOnlyRemovals(options.removedOnlyIfEmpty, schema).addingChecks(in: steps)
        }
        return RunRecord(
            id: UUID().uuidString, transition: transition.name, from: transition.from.model.fingerprint,
            to: transition.to.model.fingerprint, model: transition.to.model.fileText, numbers: numbers,
            renames: hints.renames, removed: hints.removed.sorted(), conversions: hints.conversions,
            reviewedPlan: reviewedPlan, steps: steps, undo: segment.undo,
            added: transition.difference.changes.filter { $0.kind == .added }.map(\.path),
            losses: transition.losses, isAutomatic: options.isOpening, names: nil,
            lastPhase: options.lastPhase, backup: nil)
    }

    private func run(
        _ record: RunRecord, _ transition: ModelTransition, _ options: MigrationOptions, hasBegun: Bool,
        _ outcome: inout MigrationOutcome
    ) throws {
        var run = MigrationRun(connection, record, transition, options, hasBegun: hasBegun)
        defer {
            outcome.steps += run.steps
            outcome.notes += run.found
        }
        do {
            if try run.runToEnd() {
                outcome.transitions.append(record.transition)
            } else {
                outcome.isPending = true
                outcome.remainingPhases = run.remainingPhases
            }
        } catch  where !Self.isTransient(error) {
            throw errorAfterRollingBack(record, error)
        }
    }

    // MARK: Rolling back

    /// Whether a retry may succeed, so that completed steps are kept.
    private static func isTransient(_ error: any Error) -> Bool {
        guard let error = error as? StoreError else { return error is CancellationError }
        return [
            .busy, .contention, .overloaded, .timeout, .cancelled, .connectionLost, .commitOutcomeUnknown,
            .migrationUnfinished, .diskFull,
        ].contains(error.code)
    }

    /// Rolls back an impossible migration if no program can have used its results, and adds the outcome to the error's remedy.
    private func errorAfterRollingBack(_ record: RunRecord, _ error: any Error) -> any Error {
        var outcomeSentence = "The migration \(record.transition) changed nothing."
        do {
            try inTransaction {
                guard let begun = try metadata.record() else { return }
                let done = record.steps.prefix(try metadata.doneSteps())
                guard begun.id == record.id, done.allSatisfy({ $0.phase < .contract && $0.force != .both })
                else {
                    outcomeSentence = "Completed steps are kept, and migrating again continues after them."
                    return
                }
                try rollBackMigration(record)
            }
        } catch {
            outcomeSentence = "Roll it back with 'storectl migrate rollback'."
        }
        // An error of the program's stage is passed on unchanged.
        guard let error = error as? StoreError else { return error }
        return StoreError(
            error.code, error.message,
            remedy: [error.remedy, outcomeSentence].compactMap(\.self).joined(separator: " "),
            detail: error.detail, cause: error.cause)
    }

    private func rollBackMigration(_ record: RunRecord) throws {
        if try metadata.doneSteps() > 0 {
            try UserObjectPreserver(connection).run(record.undo.statements, record.undo.bystanders)
        }
        try metadata.removeRolledBackRun(record)
    }

    private func inTransaction(_ work: () throws -> Void) throws {
        try connection.begin()
        do {
            try work()
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }
}
