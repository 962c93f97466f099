import ContextCore
import Foundation

/// Examines a store and its environment, step by step.
struct DoctorCommand: Command {
    let declaration = CommandDeclaration(
        words: ["doctor"],
        abstract: "Examines the configuration, the connection, the model and the database.",
        discussion: """
            It also examines the environment of the store: the permissions of the file, its WAL and the free space on its
            disk; or the server's clock, a connection pooler, the connections, and the privileges of the role. It exits with 2
            if something needs attention. It changes nothing.
            """,
        options: [
            ModelHistory.option, BackupFolder.option,
            .flag("deep", nil, "Also checks every object, as 'check' does."),
        ],
        examples: [
            .init(words: "doctor -s prod", help: "Finds out why a store can't be used."),
            .init(words: "doctor -s prod --deep", help: "Checks every object too."),
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: [.differences])

    func run(_ call: CommandCall) throws -> Report {
        var examination = Examination()
        examination.step("configuration") {
            let files = try call.tool.configuration(file: call.arguments["config"]).files
            return files.isEmpty ? "no file; none is needed with a URL" : files.joined(separator: ", ")
        }
        let store = examination.step("address", { try call.store() }) { store in
            "\(store.title), \(store.url)" + (store.isProduction ? ", production" : "")
        }
        if let store {
            examination.step("database") {
                let facts = try store.inspect { try $0.databaseInfo() }
                return "\(facts.product) \(facts.version)"
                    + (facts.bytes.map { ", \(Quantity.bytes($0))" } ?? "")
            }
            let model = examination.step("store", { try store.model() }) {
                "\(Quantity.text($0.layouts.count, "entity", "entities")), model \($0.fingerprint.prefix(12))"
            }
            examineEnvironment(of: store, call, &examination)
            if let model { examine(model, of: store, call, &examination) }
        }
        return examination.report()
    }

    /// Examines the file or the server of the store, and files of interrupted commands.
    private func examineEnvironment(
        of store: AdministeredStore, _ call: CommandCall, _ examination: inout Examination
    ) {
        do {
            let examined = try store.inspect { try ($0 as? any StoreExaminer)?.examine() ?? [] }
            for result in examined { examination.record(result) }
        } catch {
            // The step “database” has reported that the database can't be reached.
        }
        let leftovers = Self.leftovers(of: store, call)
        if !leftovers.isEmpty {
            examination.record(
                StoreExamination(
                    "leftovers",
                    "There are files of unfinished backups or restores: \(leftovers.joined(separator: ", ")).",
                    remedy: "Remove them if no storectl is running."))
        }
    }

    /// Returns the files of unfinished backups and restores.
    private static func leftovers(of store: AdministeredStore, _ call: CommandCall) -> [String] {
        let folder = BackupFolder(call).path
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let restoring = store.url.path + BackupRestoration.unfinishedSuffix
        let isFile = store.backend.administration?.pathsAreFiles == true
        return parts.filter { $0.hasSuffix(BackupCreation.unfinishedSuffix) }.sorted().map {
            folder + "/" + $0
        }
            + (isFile && FileManager.default.fileExists(atPath: restoring) ? [restoring] : [])
    }

    private func examine(
        _ model: ObjectModel, of store: AdministeredStore, _ call: CommandCall,
        _ examination: inout Examination
    ) {
        if let own = call.tool.model {
            examination.step("application") {
                if own.fingerprint == model.fingerprint { return "its model is the same as the store's" }
                throw StoreError(
                    .modelMismatch, "The application's model differs from the store's.",
                    remedy: "Run the application's version that matches the store, or migrate the store.")
            }
        }
        examineMigrations(of: store, call, &examination)
        examination.step("reading") {
            try store.read("doctor", model: model) { session, _ in "as of save \(session.token.sequence)" }
        }
        examination.step("completeness") {
            if let unfinished = UnfinishedTransfer(userInfo: try store.userInfo(model: model)) {
                throw StoreError(.storeIncomplete, unfinished.message, remedy: unfinished.remedy)
            }
            return "complete"
        }
        examination.step("structures") {
            let damage = try store.damage(call.output)
            if damage.isEmpty { return "no damage found" }
            throw StoreError(
                .corrupt, damage.prefix(3).joined(separator: " "), remedy: "Run 'storectl check'.")
        }
        if call.arguments.has("deep") { examineObjects(model, of: store, call, &examination) }
    }

    /// Examines the store's migrations, and manual changes of its tables.
    private func examineMigrations(
        of store: AdministeredStore, _ call: CommandCall, _ examination: inout Examination
    ) {
        let summary = MigrationSummary(call, store)
        let hint = summary.next.map { "Run '\($0)'." }
        if let run = summary.run {
            examination.record(
                StoreExamination(
                    "migration",
                    "The migration \(run.transition) is unfinished: \(run.progressText)."
                        + (summary.holder.map { " It is run by \($0)." } ?? ""),
                    remedy: summary.holder == nil ? hint : "Wait until it has finished."))
        } else if let problem = summary.problem {
            examination.record(
                StoreExamination(
                    "migration", problem.message, remedy: problem.hint ?? "Run 'storectl drift'."))
        } else if let pending = summary.pending, !pending.isEmpty {
            examination.record(
                StoreExamination(
                    "migration", "\(pending.joined(separator: ", ")) is pending.", remedy: hint))
        } else {
            examination.record(StoreExamination("migration", "none is unfinished"))
        }
        if summary.run == nil { examineUserObjects(of: store, &examination) }
        if let drift = summary.drift {
            examination.record(
                drift.isEmpty
                    ? StoreExamination("tables", "the tables match the model")
                    : StoreExamination(
                        "tables", drift.prefix(3).joined(separator: " "), remedy: "Run 'storectl drift'."))
        }
    }

    /// Reports user-defined objects on the store's tables.
    ///
    /// Objects that affect which rows a query returns or a save changes, such as triggers and policies, need attention.
    private func examineUserObjects(of store: AdministeredStore, _ examination: inout Examination) {
        guard store.backend.migrationSupport != nil, let migrator = try? store.backend.migrator(of: store.url)
        else {
            return
        }
        defer { migrator.close() }
        guard let objects = try? (migrator as? any UserObjectLister)?.userObjects(), !objects.isEmpty else {
            return
        }
        let isHarmful = objects.contains { object in
            ["Triggers that keep", "Row security is", "The rule ", "The policy ", "The trigger "].contains(
                where: object.hasPrefix)
        }
        examination.record(
            StoreExamination(
                "user objects", objects.prefix(3).joined(separator: " "),
                remedy: isHarmful ? "Run 'storectl drift' and check that they are intended." : nil))
    }

    private func examineObjects(
        _ model: ObjectModel, of store: AdministeredStore, _ call: CommandCall,
        _ examination: inout Examination
    ) {
        examination.step("objects") {
            try store.readAll("doctor", model: model) { session, model in
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                var checking = StoreChecker(
                    session: session, model: model, kinds: Set(StoreFinding.Kind.allCases), limit: 100,
                    progress: progress.report)
                try checking.check(model.layouts)
                if checking.findings.isEmpty { return "no problems found" }
                throw StoreError(
                    .validation,
                    "\(Quantity.text(checking.findings.count, "finding", "findings")), the first in \(checking.findings[0].object ?? "the store").",
                    remedy: "Run 'storectl check'.")
            }
        }
    }
}

/// The steps of an examination, which continues after a step that fails.
struct Examination {
    private var steps: [(name: String, isFine: Bool, message: String, remedy: String)] = []

    mutating func step(_ name: String, _ body: () throws -> String) {
        _ = step(name, { try body() }) { $0 }
    }

    /// Records the result of a step that a backend has run.
    mutating func record(_ result: StoreExamination) {
        steps.append((result.name, result.remedy == nil, result.finding, result.remedy ?? ""))
    }

    /// Runs a step and records its result or error.
    ///
    /// - Returns: The value of the step for later steps; nil if it failed.
    mutating func step<Value>(
        _ name: String, _ body: () throws -> Value, _ message: (Value) -> String
    ) -> Value? {
        do {
            let value = try body()
            steps.append((name, true, message(value), ""))
            return value
        } catch {
            let error = AdminError(error)
            steps.append((name, false, error.message, error.hint ?? ""))
            return nil
        }
    }

    func report() -> Report {
        var rows = RowSet([
            .init("", key: "ok"), .init("step"), .init("finding"), .init("remedy"),
        ])
        for step in steps {
            rows.append([
                RowSet.Cell(text: step.isFine ? "✓" : "✗", json: .bool(step.isFine)), .string(step.name),
                .string(step.message), .string(step.remedy),
            ])
        }
        var report = Report("doctor", rows: rows)
        if steps.contains(where: { !$0.isFine }) { report.exit = .differences }
        return report
    }
}
