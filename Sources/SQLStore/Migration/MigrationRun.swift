import ContextCore
import Foundation

/// Does the steps between two versions that are not done yet, each whole or not at all.
struct MigrationRun {
    /// How many steps were done.
    private(set) var steps = 0
    /// What was found and left alone.
    private(set) var found: [String] = []
    /// The phases that are left, where what was wanted is done and more is to be done.
    private(set) var leftPhases: [MigrationPhase] = []

    private let connection: any MigrationConnection
    private var record: RunRecord
    private let transition: ModelTransition
    private let options: MigrationOptions
    private let start = ContinuousClock.now
    /// Whether the store notes the migration, which it does from the first step on.
    private var isBegun: Bool

    init(
        _ connection: any MigrationConnection, _ record: RunRecord, _ transition: ModelTransition,
        _ options: MigrationOptions, isBegun: Bool
    ) {
        self.isBegun = isBegun
        self.connection = connection
        self.record = record
        self.transition = transition
        self.options = options
    }

    private var notes: MigrationNotes { MigrationNotes(connection: connection) }

    /// Goes on to the end, or to the last phase that is wanted; tells whether it is the end.
    mutating func toItsEnd() throws -> Bool {
        var index = isBegun ? try notes.doneSteps() : 0
        while index < record.steps.count {
            let step = record.steps[index]
            if options.isCancelled() { throw SQLMigrator.cancelled }
            if step.phase > options.lastPhase, try notes.isShared(from: record.from) {
                leftPhases = Set(record.steps[index...].map(\.phase)).sorted()
                return false
            }
            report(index, rows: 0)
            try patiently { run in try run.take(step, index) }
            steps += 1
            index += 1
        }
        return true
    }

    /// Notes that a step is done; with the last one, and in its transaction, the migration is.
    private func noteDone(_ index: Int) throws(StoreError) {
        if index == verifiedStep {
            let later = workedOutLater
            try verify { !later.contains($0) }
        }
        if index + 1 < record.steps.count {
            try notes.setDone(index + 1)
        } else {
            let later = workedOutLater
            if index != verifiedStep, !later.isEmpty { try verify { later.contains($0) } }
            try notes.finish(record, detail: detail)
        }
    }

    /// The step in whose transaction what was done is checked: the one after which the migration can't be taken back.
    ///
    /// It is the last one in a migration that an older release began.
    private var verifiedStep: Int? {
        let last = record.steps.indices.last
        return record.touched == nil ? last : record.steps.firstIndex { $0.phase == .contract } ?? last
    }

    /// The keys of what is missing until the store has worked it out, which it does in steps after the one that is checked.
    private var workedOutLater: Set<String> {
        guard let verifiedStep else { return [] }
        let keys = record.steps[(verifiedStep + 1)...].flatMap { step -> [String] in
            guard case .fill(let fill) = step.work else { return [] }
            return fill.derived.map { MigrationVerification.missingKey($0, of: fill.entityName) }
        }
        return Set(keys)
    }

    /// Compares what contradicts the newer model with what contradicted the older one before the first step, property by property.
    ///
    /// - Parameter isWanted: Chooses what is compared, by its key.
    /// - Throws: `StoreError.Code.migrationRefused`; the step's transaction is then rolled back.
    private func verify(_ isWanted: (String) -> Bool) throws(StoreError) {
        guard let before = record.contradictionsBefore else { return }
        let schema = try SchemaTransition(
            transition, connection.spelling, oldNumbers: try notes.numbers(), newNumbers: record.numbers)
        let found = try MigrationVerification(schema.new, connection.spelling, touched: record.touched)
            .findings(connection, older: schema, where: isWanted)
        let worse = found.filter { finding in
            finding.count > finding.olderKeys.reduce(0) { $0 + (before[$1] ?? 0) }
        }
        if !worse.isEmpty {
            throw failed(worse.map { "\($0.sentence) (\($0.count.groupedDigits))" })
        }
    }

    private func failed(_ findings: [String]) -> StoreError {
        StoreError(
            .migrationRefused,
            "The check of the migration \(record.transition) failed, so the step that it is a part of was taken back: "
                + "\(findings.joined(separator: "; ")).",
            remedy: "This is a fault of the library or of a stage: correct the stage, or report it.")
    }

    /// The counts of objects that a step has to keep; nil for a step that changes no rows, and where programs of the newer version have
    /// made objects already.
    private func countedObjects(before step: MigrationStep) throws(StoreError) -> (
        SchemaTransition, EntityCounts
    )? {
        guard record.contradictionsBefore != nil, step.phase == .contract, step.force != .unchanged,
            !step.statements.isEmpty, try notes.isShared(from: record.from) == false
        else { return nil }
        let schema = try SchemaTransition(
            transition, connection.spelling, oldNumbers: try notes.numbers(), newNumbers: record.numbers)
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
            "plan \(record.seal.digest), \(seconds) seconds, process \(ProcessInfo.processInfo.processIdentifier)"
    }

    // MARK: Steps

    private mutating func take(_ step: MigrationStep, _ index: Int) throws {
        switch step.work {
        case .statements(let statements): try takeWhole(step, statements, index)
        case .separately(let statements):
            for statement in statements { try connection.execute(statement) }
            try inTransaction { run in
                try run.checkFence(index)
                try run.noteDone(index)
            }
        case .fill(let fill): try takeBatches(of: fill, index)
        }
    }

    private mutating func takeWhole(_ step: MigrationStep, _ statements: [String], _ index: Int) throws {
        try inTransaction { run in
            try run.isBegun ? run.checkFence(index) : run.begin()
            try run.catchUp(before: index, closing: step.locks)
            for check in step.checks { try run.check(check) }
            // They may have other names afterwards.
            let tables = step.rewrites + step.locks
            let before = step.rewrites.isEmpty ? nil : try run.connection.orphans(in: tables)
            let counted = try run.countedObjects(before: step)
            try BystanderKeeping(run.connection).run(statements, step.bystanders)
            try run.tryDerivations(after: index)
            for statement in step.lateStatements ?? [] { try run.connection.execute(statement) }
            if let before, let after = try run.connection.orphans(in: tables) {
                try run.compare(before, after)
            }
            if let (schema, counts) = counted {
                let tables = run.record.touched?.newer
                let differences = try EntityCounts(schema.new, run.connection, in: tables).differences(
                    from: counts, schema, in: tables)
                if !differences.isEmpty { throw run.failed(differences) }
            }
            try run.notes.put(step.force, run.record)
            try run.noteDone(index)
        }
        isBegun = true
    }

    /// Notes the migration, so that a store of which nothing was done notes none.
    private mutating func begin() throws(StoreError) {
        let stored = try notes.models().last?.fingerprint
        guard try notes.record() == nil, stored == record.from else { throw Self.overtaken }
        let schema = try SchemaTransition(
            transition, connection.spelling, oldNumbers: try notes.numbers(), newNumbers: record.numbers)
        if MigrationVerification.isNeeded(for: record.steps, schema) {
            let touched = try TouchedTables(schema)
            record.touched = touched
            let found = try MigrationVerification(schema.new, connection.spelling, touched: touched)
                .findingsBefore(connection, schema)
            record.contradictionsBefore = found.reduce(into: [:]) { $0[$1.key, default: 0] += $1.count }
        }
        try notes.begin(record)
    }

    /// Works out again what others have changed since it was, now that nobody can.
    ///
    /// - Parameter tables: The tables that the step changes. Who writes by means of this library waits already; who doesn't waits for the
    ///   tables from here on, and reads them until they are changed.
    private func catchUp(before index: Int, closing tables: [String]) throws {
        guard index > 0, case .fill(let last) = record.steps[index - 1].work, last.isLive else { return }
        if !connection.spelling.rebuildsTables {
            for statement in AlterScript.closing(tables) {
                try connection.execute(connection.spelling.text(statement))
            }
        }
        for case .fill(let fill) in record.steps.prefix(index).map(\.work) {
            let filling = try filling(fill)
            while try filling.takeBatch(after: RowFilling.end, connection).last != nil {}
        }
    }

    /// Works out what the store can't keep, perhaps, as long as the tables can still be what they were.
    private func tryDerivations(after index: Int) throws {
        for step in record.steps.dropFirst(index + 1) {
            guard case .fill(let fill) = step.work, !fill.derived.isEmpty else { return }
            let filling = try filling(fill)
            if filling.mayFail { try filling.takeAll(connection) }
        }
    }

    private func check(_ check: MigrationStep.Check) throws(StoreError) {
        if let refusal = check.refusal(try connection.count(check)) { throw refusal }
    }

    /// References that led nowhere before are told of and left alone; that there are more is refused.
    private mutating func compare(_ before: Set<String>, _ after: Set<String>) throws(StoreError) {
        guard after.isSubset(of: before) else {
            throw StoreError(
                .migrationRefused, "References would lead nowhere that lead somewhere now.",
                remedy: "This is a fault of the library: please report it.",
                detail: after.subtracting(before).sorted().prefix(3).joined(separator: "; "))
        }
        if !after.isEmpty {
            let verb = after.count == 1 ? "was" : "were"
            found.append(
                "\(after.count.counted("reference", "references")) led nowhere before the migration, and \(verb) left alone."
            )
        }
    }

    /// Sees to it that nobody else has gone on with the migration meanwhile.
    private func checkFence(_ index: Int) throws(StoreError) {
        let isOurs = try notes.record()?.id == record.id
        if isOurs, try notes.doneSteps() == index { return }
        throw Self.overtaken
    }

    static let overtaken = StoreError(
        .contention, "Another process has gone on with the migration.", remedy: "Migrate again.")

    // MARK: Batches

    private mutating func takeBatches(of fill: MigrationStep.Fill, _ index: Int) throws {
        var filling: any BatchFilling =
            fill.stage.isEmpty ? try filling(fill) : try StageFilling(fill, schema(fill))
        var rows = 0
        var isDone = false
        while !isDone {
            if options.isCancelled() { throw SQLMigrator.cancelled }
            // Each batch is tried by itself, so that one which somebody got in the way of costs no others.
            try patiently { run in
                try run.inTransaction { run in
                    try run.checkFence(index)
                    let (count, last) = try filling.takeBatch(after: try run.notes.cursor(), run.connection)
                    rows += count
                    if let last { try run.notes.setCursor(last) } else { try run.noteDone(index) }
                    isDone = last == nil
                }
            }
            report(index, rows: rows)
        }
    }

    private func filling(_ fill: MigrationStep.Fill) throws -> RowFilling {
        try RowFilling(fill, schema(fill))
    }

    private func schema(_ fill: MigrationStep.Fill) throws -> SchemaTransition {
        let numbers = try notes.numbers()
        // What the store works out is worked out of rows that are the newer model's already.
        let newNumbers = fill.derived.isEmpty ? record.numbers : numbers
        return try SchemaTransition(
            transition, connection.spelling, oldNumbers: numbers, newNumbers: newNumbers)
    }

    // MARK: Patience

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

    /// Does something again that others got in the way of, later each time.
    private mutating func patiently(_ work: (inout MigrationRun) throws -> Void) throws {
        var attempt = 1
        while true {
            do {
                return try work(&self)
            } catch let error as StoreError where error.code == .busy || error.code == .contention {
                guard attempt < options.attempts, !options.isCancelled() else { throw error }
                Thread.sleep(
                    forTimeInterval: min(5, 0.05 * Double(1 << min(attempt, 7))) * Double.random(in: 0.5...1))
                attempt += 1
            }
        }
    }
}
