import ContextCore

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
            (store.name == nil ? "" : "\(store.title), ") + "\(store.url)"
                + (store.isProduction ? ", production" : "")
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
            // The step “database” has reported that the database can't be reached.
            try? examination.examineEnvironment(of: store)
            examination.examineLeftovers(of: store, call)
            if let model { examine(model, of: store, call, &examination) }
        }
        return examination.report()
    }

    private func examine(
        _ model: ObjectModel, of store: AdministeredStore, _ call: CommandCall,
        _ examination: inout Examination
    ) {
        examination.examineApplication(model, call.tool)
        examineMigrations(of: store, call, &examination)
        examination.step("reading") {
            try store.read("doctor", model: model) { session, _ in "as of save \(session.token.sequence)" }
        }
        examination.step("completeness") {
            let info = try store.userInfo(model: model)
            if let unfinished = UnfinishedTransfer(userInfo: info) {
                throw StoreError(
                    .storeIncomplete, unfinished.message, remedy: unfinished.remedy(userInfo: info))
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
        if summary.run == nil { examination.examineUserObjects(of: store) }
        if let drift = summary.drift {
            examination.record(
                drift.isEmpty
                    ? StoreExamination("tables", "the tables match the model")
                    : StoreExamination(
                        "tables", drift.prefix(3).joined(separator: " "), remedy: "Run 'storectl drift'."))
        }
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
