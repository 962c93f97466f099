import ContextCore
import Foundation

/// Goes through everything that may be in the way of working with a store.
struct DoctorCommand: Command {
    let declaration = CommandDeclaration(
        words: ["doctor"],
        abstract: "Goes through configuration, connection, model and database, step by step.",
        discussion: "It exits with 2 when something needs attention. It changes nothing.",
        examples: [.init(words: "doctor -s prod", help: "Why the store can't be used.")],
        forms: [.json, .jsonl, .csv, .md])

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
            if let model { examine(model, of: store, call, &examination) }
        }
        return examination.report()
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
        examination.step("reading") {
            try store.read("doctor", model: model) { session, _ in "as of save \(session.token.sequence)" }
        }
        examination.step("completeness") {
            let info = try store.userInfo(model: model)
            for (note, what) in [
                (DataCopyCommand.sourceNote, "A copy"), (DataImportCommand.note, "An import"),
            ]
            where info[note] != nil {
                throw StoreError(
                    .storeIncomplete, "\(what) into the store was stopped before its end.",
                    remedy: note == DataImportCommand.note
                        ? "Remove the store with 'storectl db drop', and import again."
                        : "Go on with 'storectl data copy --resume'.")
            }
            return "whole"
        }
        examination.step("structures") {
            let damage = try store.inspect { try $0.damage() }
            if damage.isEmpty { return "sound" }
            throw StoreError(
                .corrupt, damage.prefix(3).joined(separator: " "), remedy: "Run 'storectl check'.")
        }
    }
}

/// Notes the steps of an examination; one that fails doesn't keep the others from being taken.
struct Examination {
    private var steps: [(name: String, isFine: Bool, message: String, remedy: String)] = []

    mutating func step(_ name: String, _ body: () throws -> String) {
        _ = step(name, { try body() }) { $0 }
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
