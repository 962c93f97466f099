import ContextCore

extension Topic {
    /// The order of hooks.
    static let hooks: Topic = Topic("hooks") {
        Promise("A save calls willSave of all objects, then validates all, then calls didSave of all") {
            trial in
            let witnesses = try await Witnesses(trial)
            try await witnesses.editor.perform { context in
                let part = Witness(in: context, name: "part", whole: Witness(in: context, name: "whole"))
                try witnesses.expect(["awakeFromInsert ", "awakeFromInsert "])
                try context.save()
                try witnesses.expect(steps: ["willSave", "validateForInsert", "didSave"], ["part", "whole"])
                part.name = "piece"
                try context.save()
                try witnesses.expect(["willSave piece", "validateForUpdate piece", "didSave piece"])
                try context.save()
                try witnesses.expect([])
            }
        }
        Promise("A save that fails validation doesn't call didSave") { trial in
            let witnesses = try await Witnesses(trial)
            try await witnesses.editor.perform { context in
                _ = Witness(in: context, name: "good")
                let bad = Witness(in: context, name: "bad", isValid: false)
                _ = HookLog.removeLines(of: trial.place)
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(
                    error.failures.map(\.objectID), [bad.objectID], "The objects that fail validation")
                try witnesses.expect(steps: ["willSave", "validateForInsert"], ["bad", "good"])
                bad.isValid = true
                try context.save()
                try witnesses.expect(steps: ["willSave", "validateForInsert", "didSave"], ["bad", "good"])
            }
        }
        Promise(
            "prepareForDeletion is called before an object's delete rules apply, also for objects that a cascade deletes"
        ) {
            trial in
            let witnesses = try await Witnesses(trial)
            try await witnesses.editor.perform { context in
                let whole = Witness(in: context, name: "whole")
                let part = Witness(in: context, name: "part", whole: whole)
                _ = Witness(in: context, name: "piece", whole: part)
                try context.save()
                _ = HookLog.removeLines(of: trial.place)
                context.delete(whole)
                try witnesses.expect([
                    "prepareForDeletion with 1 whole", "prepareForDeletion with 1 part",
                    "prepareForDeletion with 0 piece",
                ])
                context.delete(part)
                try witnesses.expect([])
                try context.save()
                let lines = HookLog.removeLines(of: trial.place)
                try expectEqual(
                    lines.filter { $0.hasPrefix("validate") }.sorted(),
                    ["part", "piece", "whole"].map { "validateForDelete \($0)" }, "The validated objects")
                try expectEqual(try context.count(Witness.self), 0, "The witnesses")
            }
        }
        Promise("awakeFromFetch is called when an object's values are loaded, and only then") { trial in
            let witnesses = try await Witnesses(trial)
            try await witnesses.store.write("make") { _ = Witness(in: $0, name: "one") }
            try await witnesses.editor.perform { context in
                let id = try require(context.fetchIDs(FetchRequest<Witness>()).first, "The identifier")
                let one = try context.object(with: id, as: Witness.self)
                try witnesses.expect([])
                try expectEqual(one.name, "one", "The name")
                try witnesses.expect(["awakeFromFetch one"])
                _ = try context.only(Witness.self)
                try witnesses.expect([])
                try context.refresh(one)
                try witnesses.expect(["awakeFromFetch one"])
                context.refault(one)
                try witnesses.expect([])
                _ = one.isValid
                try witnesses.expect(["awakeFromFetch one"])
                try context.refreshAll()
                _ = one.name
                try witnesses.expect(["awakeFromFetch one"])
            }
        }
    }
}

/// A store, and a context whose objects log their hooks.
private struct Witnesses {
    let store: Store
    let editor: ContextActor
    private let place: String

    init(_ trial: CaseRun) async throws {
        store = try await trial.open(HookModel.classes)
        place = trial.place
        editor = store.makeBackgroundContext(name: place)
    }

    /// Expects the hooks that were called since the last check.
    func expect(_ lines: [String], file: String = #fileID, line: Int = #line) throws {
        try expectEqual(HookLog.removeLines(of: place), lines, "The hooks", file: file, line: line)
    }

    /// Expects that each hook of `steps` was called for all objects before the next one was called for any.
    func expect(steps: [String], _ names: [String], file: String = #fileID, line: Int = #line) throws {
        let lines = HookLog.removeLines(of: place)
        let size = names.count
        try expectEqual(
            lines.count, steps.count * size, "The number of hooks in \(lines)", file: file, line: line)
        for (index, step) in steps.enumerated() {
            try expectEqual(
                lines[index * size..<(index + 1) * size].sorted(), names.map { "\(step) \($0)" },
                "The hooks of step \(index)", file: file, line: line)
        }
    }
}
