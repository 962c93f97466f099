package import ContextCore
import Foundation

/// Migrates a store in a SQL database.
///
/// State: its connection, used by one thread at a time.
package final class SQLMigrator: StoreMigrator {
    private let connection: any MigrationConnection
    private var notes: MigrationNotes { MigrationNotes(connection: connection) }

    package init(_ connection: any MigrationConnection) {
        self.connection = connection
    }

    package func close() { connection.close() }

    package func state() throws -> MigrationState {
        try reading { () throws(StoreError) in
            let record = try notes.record()
            let done = try notes.doneSteps()
            return MigrationState(
                storeID: try notes.storeID(), models: try notes.models(),
                run: record.map {
                    .init(transition: $0.transition, fingerprint: $0.to, steps: $0.steps, done: done)
                },
                entries: try notes.entries())
        }
    }

    package func plan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        let (numbers, foreign) = try reading { () throws(StoreError) in
            (try notes.numbers(), try connection.foreignObjects())
        }
        return try MigrationScript.plan(transitions, connection.spelling, known: numbers, foreign: foreign)
    }

    package func migrate(to versions: ModelVersions, _ options: MigrationOptions) throws -> MigrationOutcome {
        var outcome = MigrationOutcome()
        let before = try state()
        let wanted = versions.versions.first { $0.name == options.version } ?? versions.last
        if before.run == nil, before.models.last?.fingerprint == wanted.model.fingerprint { return outcome }
        try lock(options)
        defer { connection.unlock() }
        var isSealed = options.digest == nil
        if let record = try reading({ () throws(StoreError) in try notes.record() }) {
            isSealed = try isSealed || checkSeal(record.digest, options)
            try run(record, try transition(of: record, versions), options, &outcome)
            if outcome.isPending { return outcome }
        }
        let stored = try model()
        let transitions = try versions.transitions(from: stored, to: options.version)
        if transitions.isEmpty { return outcome }
        let plan = try plan(transitions)
        if !isSealed { _ = try checkSeal(plan.digest, options) }
        try check(plan, options)
        try backUp(plan, options)
        for stretch in plan.stretches {
            let record = try begin(stretch, digest: plan.digest)
            try run(record, stretch.transition, options, &outcome)
            if outcome.isPending { return outcome }
        }
        return outcome
    }

    package func abandon(_ options: MigrationOptions) throws {
        try lock(options)
        defer { connection.unlock() }
        try connection.begin()
        do {
            guard let record = try notes.record() else {
                throw StoreError(.migrationRefused, "There is no unfinished migration of the store.")
            }
            let done = record.steps.prefix(try notes.doneSteps())
            guard done.allSatisfy({ $0.phase < .contract }) else {
                throw StoreError(
                    .migrationRefused, "The migration \(record.transition) can't be taken back any more.",
                    remedy: "Migrate again, which finishes it.")
            }
            if done.contains(where: { $0.force == .both }) {
                let lost = record.added.filter { !options.acceptedLosses.contains($0) }
                guard lost.isEmpty else {
                    throw StoreError(
                        .migrationRefused,
                        "Programs of the newer version may have kept something in \(lost.joined(separator: ", ")).",
                        remedy: "Name what may be lost among the accepted losses; nothing was changed.")
                }
            }
            if !done.isEmpty { for statement in record.undo { try connection.execute(statement) } }
            try notes.abandon(record)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    package func drift() throws -> [String] {
        let stored = try model()
        let (numbers, live) = try reading { () throws(StoreError) in
            (try notes.numbers(), try connection.liveTables())
        }
        let longest = connection.spelling.dialect.longestName
        let mapping = StoreMapping(stored, numbers: numbers, longestName: longest)
        let tables = try StoreTables.all + SchemaBuilder(mapping, longestName: longest).tables()
        return SchemaDrift(expected: tables, live: live).sentences
    }

    // MARK: Parts

    private func reading<Answer>(_ work: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        try work()
    }

    /// The model that the store's rows were written with last.
    private func model() throws -> ObjectModel {
        guard let stored = try reading({ () throws(StoreError) in try notes.models() }).last else {
            throw StoreError(.corrupt, "The store keeps no model.", remedy: "Restore a backup.")
        }
        return try ObjectModel(fileText: stored.fileText, fileName: "the store's model")
    }

    private func lock(_ options: MigrationOptions) throws {
        let deadline = ContinuousClock.now + options.patience
        while try connection.tryLock() == false {
            if options.isCancelled() { throw Self.cancelled }
            guard ContinuousClock.now < deadline else {
                throw StoreError(
                    .busy,
                    "Another process is migrating the store\(connection.lockHolder().map { ": \($0)" } ?? "").",
                    remedy: "Wait for it, and try again.")
            }
            Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.1))
        }
    }

    static let cancelled = StoreError(
        .cancelled, "The migration was stopped.", remedy: "Migrate again: it goes on where it was stopped.")

    @discardableResult
    private func checkSeal(_ digest: String, _ options: MigrationOptions) throws(StoreError) -> Bool {
        if options.digest == nil || options.digest == digest { return true }
        throw StoreError(
            .migrationRefused, "The plan is not the one that was reviewed.",
            remedy: "Look at the plan again; nothing was changed.",
            detail: "Its digest is \(digest), the reviewed one's \(options.digest ?? "").")
    }

    private func check(_ plan: MigrationPlan, _ options: MigrationOptions) throws(StoreError) {
        if let sentence = plan.undecided.first {
            throw StoreError(
                .migrationRefused, "Somebody has to decide this: \(sentence)",
                remedy: "Give a conversion or a stage; nothing was changed.",
                detail: plan.undecided.joined(separator: " "))
        }
        for stretch in plan.stretches {
            let accepted = options.acceptedLosses.union(stretch.transition.to.hints.acceptedLosses)
            let lost = stretch.transition.losses.filter { !accepted.contains($0) }
            guard lost.isEmpty else {
                throw StoreError(
                    .migrationRefused, "The migration would lose \(lost.joined(separator: ", ")).",
                    remedy: "Name what may be lost among the accepted losses; nothing was changed.")
            }
        }
    }

    private func backUp(_ plan: MigrationPlan, _ options: MigrationOptions) throws(StoreError) {
        guard let path = options.backupPath,
            !plan.isLossless || plan.steps.contains(where: { !$0.rewrites.isEmpty })
        else { return }
        try connection.backUp(to: path)
    }

    /// The two versions of a migration that another process has begun.
    private func transition(of record: RunRecord, _ versions: ModelVersions) throws -> ModelTransition {
        let known = zip(versions.versions, versions.versions.dropFirst()).first {
            $0.model.fingerprint == record.from && $1.model.fingerprint == record.to
        }
        if let known { return try ModelTransition(from: known.0, to: known.1) }
        if let stage = record.steps.lazy.compactMap(\.stageEntity).first {
            throw StoreError(
                .migrationUnfinished,
                "The migration \(record.transition) needs the program's stage for \(stage).",
                remedy: "Finish it with the program that has the stage.")
        }
        guard let older = try notes.models().last(where: { $0.fingerprint == record.from }) else {
            throw StoreError(
                .corrupt, "The store doesn't keep the model that it was of.", remedy: "Restore a backup.")
        }
        let hints = MigrationHints(
            renames: record.renames, removed: Set(record.removed), conversions: record.conversions)
        return try ModelTransition(
            from: ModelVersion("the older model", ObjectModel(fileText: older.fileText)),
            to: ModelVersion("the newer model", ObjectModel(fileText: record.model), hints: hints))
    }

    /// Notes what is going to be done, before anything is.
    private func begin(_ stretch: MigrationPlan.Stretch, digest: String) throws -> RunRecord {
        let transition = stretch.transition
        let hints = transition.to.hints
        try connection.begin()
        do {
            let numbering = EntityNumbering(transition, known: try notes.numbers())
            let record = RunRecord(
                id: UUID().uuidString, transition: transition.name, from: transition.from.model.fingerprint,
                to: transition.to.model.fingerprint, model: transition.to.model.fileText,
                numbers: numbering.numbers,
                renames: hints.renames, removed: hints.removed.sorted(), conversions: hints.conversions,
                digest: digest, steps: stretch.steps, undo: stretch.undo,
                added: transition.difference.changes.filter { $0.kind == .added }.map(\.path))
            try notes.begin(record)
            try connection.commit()
            return record
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func run(
        _ record: RunRecord, _ transition: ModelTransition, _ options: MigrationOptions,
        _ outcome: inout MigrationOutcome
    ) throws {
        var run = MigrationRun(connection, record, transition, options)
        defer {
            outcome.steps += run.steps
            outcome.notes += run.found
        }
        if try run.toItsEnd() {
            outcome.transitions.append(record.transition)
        } else {
            outcome.isPending = true
        }
    }
}

extension MigrationStep {
    /// The entity of a fill by a program's stage.
    fileprivate var stageEntity: String? {
        if case .fill(let fill) = work, !fill.stage.isEmpty { fill.entityName } else { nil }
    }
}
