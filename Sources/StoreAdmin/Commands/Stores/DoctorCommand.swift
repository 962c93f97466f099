import ContextCore
import Foundation

/// Goes through everything that may be in the way of working with a store.
struct DoctorCommand: Command {
    let declaration = CommandDeclaration(
        words: ["doctor"],
        abstract: "Goes through configuration, connection, model and database, step by step.",
        discussion: """
            What is around the store is examined too: the file's permissions, its log and the room on its disk; or the
            server's clock, a pooler before it, its connections, and what the role may do. It exits with 2 when something
            needs attention. It changes nothing.
            """,
        options: [
            ModelHistory.option, BackupFolder.option,
            .flag("deep", nil, "Reads every object too, as 'check' does."),
        ],
        examples: [
            .init(words: "doctor -s prod", help: "Why the store can't be used."),
            .init(words: "doctor -s prod --deep", help: "Whether it is sound, down to every object."),
        ],
        forms: [.json, .jsonl, .csv, .md], exits: [.differences])

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
                let facts = try store.inspect { try $0.facts() }
                return "\(facts.product) \(facts.version)"
                    + (facts.bytes.map { ", \(Quantity.bytes($0))" } ?? "")
            }
            let model = examination.step("store", { try store.model() }) {
                "\(Quantity.of($0.layouts.count, "entity", "entities")), model \($0.fingerprint.prefix(12))"
            }
            examineSurroundings(of: store, call, &examination)
            if let model { examine(model, of: store, call, &examination) }
        }
        return examination.report()
    }

    /// What stands around the store.
    private func examineSurroundings(
        of store: AdministeredStore, _ call: CommandCall, _ examination: inout Examination
    ) {
        do {
            let examined = try store.inspect { try ($0 as? any StoreExaminer)?.examine() ?? [] }
            for thing in examined { examination.note(thing) }
        } catch {
            // That the database can't be reached was told before.
        }
        let leftovers = Self.leftovers(of: store, call)
        if !leftovers.isEmpty {
            examination.note(
                StoreExamination(
                    "leftovers", "Somebody was stopped, or is at work: \(leftovers.joined(separator: ", ")).",
                    remedy: "Remove them where no storectl runs any more."))
        }
    }

    /// Files of backups and restores that were begun and not finished.
    private static func leftovers(of store: AdministeredStore, _ call: CommandCall) -> [String] {
        let folder = BackupFolder(call).path
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let restoring = store.url.path + BackupRestoring.ending
        let isFile = store.backend.administration?.pathsAreFiles == true
        return parts.filter { $0.hasSuffix(BackupMaking.ending) }.sorted().map { folder + "/" + $0 }
            + (isFile && FileManager.default.fileExists(atPath: restoring) ? [restoring] : [])
    }

    private func examine(
        _ model: ObjectModel, of store: AdministeredStore, _ call: CommandCall,
        _ examination: inout Examination
    ) {
        if let own = call.tool.model {
            examination.step("application") {
                if own.fingerprint == model.fingerprint { return "its model is the store's" }
                throw StoreError(
                    .modelMismatch, "The application's model is not the store's.",
                    remedy: "Run the application's version that the store belongs to.")
            }
        }
        examineMigrations(of: store, call, &examination)
        examination.step("reading") {
            try store.read("doctor", model: model) { session, _ in "as of save \(session.token.sequence)" }
        }
        examination.step("completeness") {
            if let unfinished = UnfinishedFilling(noted: try store.userInfo(model: model)) {
                throw StoreError(.storeIncomplete, unfinished.message, remedy: unfinished.remedy)
            }
            return "whole"
        }
        examination.step("structures") {
            let damage = try store.damage(call.output)
            if damage.isEmpty { return "sound" }
            throw StoreError(
                .corrupt, damage.prefix(3).joined(separator: " "), remedy: "Run 'storectl check'.")
        }
        if call.arguments.has("deep") { examineObjects(model, of: store, call, &examination) }
    }

    /// What is to be said of the store's migrations, and of what somebody did to its tables by hand.
    private func examineMigrations(
        of store: AdministeredStore, _ call: CommandCall, _ examination: inout Examination
    ) {
        let outlook = MigrationOutlook(call, store)
        let hint = outlook.next.map { "Run '\($0)'." }
        if let run = outlook.run {
            examination.note(
                StoreExamination(
                    "migration",
                    "\(run.transition) was begun: \(run.extent)."
                        + (outlook.holder.map { " At work: \($0)." } ?? ""),
                    remedy: outlook.holder == nil ? hint : "Wait for it."))
        } else if let problem = outlook.problem {
            examination.note(
                StoreExamination(
                    "migration", problem.message, remedy: problem.hint ?? "See 'storectl drift'."))
        } else if let pending = outlook.pending, !pending.isEmpty {
            examination.note(
                StoreExamination(
                    "migration", "\(pending.joined(separator: ", ")) is left to do.", remedy: hint))
        } else {
            examination.note(StoreExamination("migration", "nothing is begun"))
        }
        if outlook.run == nil { examineUserObjects(of: store, &examination) }
        if let drift = outlook.drift {
            examination.note(
                drift.isEmpty
                    ? StoreExamination("tables", "what the model asks for")
                    : StoreExamination(
                        "tables", drift.prefix(3).joined(separator: " "), remedy: "Run 'storectl drift'."))
        }
    }

    /// What others have made on the store's tables.
    ///
    /// What decides which rows are seen or kept needs attention.
    private func examineUserObjects(of store: AdministeredStore, _ examination: inout Examination) {
        guard store.backend.migrating != nil, let migrator = try? store.backend.migrator(of: store.url) else {
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
        examination.note(
            StoreExamination(
                "user objects", objects.prefix(3).joined(separator: " "),
                remedy: isHarmful ? "Run 'storectl drift' and check that they are meant." : nil))
    }

    private func examineObjects(
        _ model: ObjectModel, of store: AdministeredStore, _ call: CommandCall,
        _ examination: inout Examination
    ) {
        examination.step("objects") {
            try store.read("doctor", model: model) { session, model in
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                var checking = StoreChecking(
                    session: session, model: model, kinds: Set(StoreFinding.Kind.allCases), limit: 100,
                    progress: progress.tell)
                try checking.check(model.layouts)
                if checking.findings.isEmpty { return "each keeps to the model" }
                throw StoreError(
                    .validation,
                    "\(Quantity.of(checking.findings.count, "finding", "findings")), the first of \(checking.findings[0].object ?? "the store").",
                    remedy: "Run 'storectl check'.")
            }
        }
    }
}

/// Notes the steps of an examination; one that fails doesn't keep the others from being taken.
struct Examination {
    private var steps: [(name: String, isFine: Bool, message: String, remedy: String)] = []

    mutating func step(_ name: String, _ body: () throws -> String) {
        _ = step(name, { try body() }) { $0 }
    }

    /// Notes what was examined elsewhere.
    mutating func note(_ thing: StoreExamination) {
        steps.append((thing.name, thing.remedy == nil, thing.finding, thing.remedy ?? ""))
    }

    /// Takes a step, and answers what later steps need.
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
