import ContextCore

extension Topic {
    /// The order of hooks.
    static let hooks: Topic = Topic("hooks") {
        Requirement("A save calls willSave of all objects, then validates all, then calls didSave of all") {
            run in
            let fixture = try await HookFixture(run)
            try await fixture.editor.perform { context in
                let part = Witness(in: context, name: "part", whole: Witness(in: context, name: "whole"))
                try fixture.expect(["awakeFromInsert ", "awakeFromInsert "])
                try context.save()
                try fixture.expect(steps: ["willSave", "validateForInsert", "didSave"], ["part", "whole"])
                part.name = "piece"
                try context.save()
                try fixture.expect(["willSave piece", "validateForUpdate piece", "didSave piece"])
                try context.save()
                try fixture.expect([])
            }
        }
        Requirement("A save that fails validation doesn't call didSave") { run in
            let fixture = try await HookFixture(run)
            try await fixture.editor.perform { context in
                _ = Witness(in: context, name: "good")
                let bad = Witness(in: context, name: "bad", isValid: false)
                _ = HookLog.removeLines(of: run.location)
                let error = try expectError(.validation) { try context.save() }
                try expectEqual(
                    error.failures.map(\.objectID), [bad.objectID], "The objects that fail validation")
                try fixture.expect(steps: ["willSave", "validateForInsert"], ["bad", "good"])
                bad.isValid = true
                try context.save()
                try fixture.expect(steps: ["willSave", "validateForInsert", "didSave"], ["bad", "good"])
            }
        }
        Requirement(
            "prepareForDeletion is called before an object's delete rules apply, also for objects that a cascade deletes"
        ) {
            run in
            let fixture = try await HookFixture(run)
            try await fixture.editor.perform { context in
                let whole = Witness(in: context, name: "whole")
                let part = Witness(in: context, name: "part", whole: whole)
                _ = Witness(in: context, name: "piece", whole: part)
                try context.save()
                _ = HookLog.removeLines(of: run.location)
                context.delete(whole)
                try fixture.expect([
                    "prepareForDeletion with 1 whole", "prepareForDeletion with 1 part",
                    "prepareForDeletion with 0 piece",
                ])
                context.delete(part)
                try fixture.expect([])
                try context.save()
                let lines = HookLog.removeLines(of: run.location)
                try expectEqual(
                    lines.filter { $0.hasPrefix("validate") }.sorted(),
                    ["part", "piece", "whole"].map { "validateForDelete \($0)" }, "The validated objects")
                try expectEqual(try context.count(Witness.self), 0, "The witnesses")
            }
        }
        Requirement("awakeFromFetch is called when an object's values are loaded, and only then") { run in
            let fixture = try await HookFixture(run)
            try await fixture.store.write("make") { _ = Witness(in: $0, name: "one") }
            try await fixture.editor.perform { context in
                let id = try require(context.fetchIDs(FetchRequest<Witness>()).first, "The identifier")
                let one = try context.object(with: id, as: Witness.self)
                try fixture.expect([])
                try expectEqual(one.name, "one", "The name")
                try fixture.expect(["awakeFromFetch one"])
                _ = try context.only(Witness.self)
                try fixture.expect([])
                try context.refresh(one)
                try fixture.expect(["awakeFromFetch one"])
                context.refault(one)
                try fixture.expect([])
                _ = one.isValid
                try fixture.expect(["awakeFromFetch one"])
                try context.refreshAll()
                _ = one.name
                try fixture.expect(["awakeFromFetch one"])
            }
        }
    }
}

/// A store, and a context whose objects log their hooks.
private struct HookFixture {
    let store: Store
    let editor: ContextActor
    private let location: String

    init(_ run: CaseRun) async throws {
        store = try await run.open(HookModel.classes)
        location = run.location
        editor = store.makeBackgroundContext(name: location)
    }

    /// Expects the hooks that were called since the last check.
    func expect(_ lines: [String], file: String = #fileID, line: Int = #line) throws {
        try expectEqual(HookLog.removeLines(of: location), lines, "The hooks", file: file, line: line)
    }

    /// Expects that each hook of `steps` was called for all objects before the next one was called for any.
    func expect(steps: [String], _ names: [String], file: String = #fileID, line: Int = #line) throws {
        let lines = HookLog.removeLines(of: location)
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
