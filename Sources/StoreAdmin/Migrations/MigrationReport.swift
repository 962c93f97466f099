import ContextCore

extension MigrationPlan {
    /// The plan as members of a JSON document.
    var json: [String: JSONValue] {
        [
            "backend": .string(backend), "digest": .string(digest), "empty": .bool(isEmpty),
            "losses": .array(losses.map(JSONValue.string)),
            "undecided": .array(undecided.map(JSONValue.string)),
            "changes": .array(
                segments.flatMap { segment in
                    segment.transition.difference.changes.map { change in
                        JSONValue.object([
                            "transition": .string(segment.transition.name),
                            "change": .string(change.description),
                        ])
                    }
                }),
            "steps": .array(
                segments.flatMap { segment in
                    segment.steps.enumerated().map { place, step in
                        step.json(segment.transition.name, segment.rowCounts, segment.samples?[place])
                    }
                }),
        ]
    }

    /// Reports the plan.
    ///
    /// - Parameters:
    ///   - refusal: The error with which the first step refuses the objects in the store.
    ///   - details: Makes the text between the plan and the error.
    func report(
        sql: Bool, refusedBy refusal: StoreError?,
        details: @escaping @Sendable (TextStyle) -> String = { _ in "" }
    ) -> Report {
        var members = json
        members["refusal"] = refusal.map { .string($0.message) } ?? .null
        return Report("migrate.plan", members, exit: refusal == nil ? .success : .refused) { style in
            let text = self.text(sql: sql) + details(style)
            guard let refusal else { return text }
            let sentence = "Objects of the store prevent this migration: \(refusal.message)"
            let lines = [sentence] + [refusal.remedy].compactMap(\.self)
            return text + lines.map { (sql ? "-- " : "") + $0 + "\n" }.joined()
        }
    }

    /// Returns the plan as text, in sentences or as SQL statements.
    func text(sql: Bool) -> String {
        if sql { return script }
        let open = undecided.map { "Undecided: \($0)\n" }.joined()
        return description + "\n" + open
    }
}

extension MigrationState.Run {
    /// The steps that remain.
    var remainingSteps: ArraySlice<MigrationStep> { steps.dropFirst(done) }

    /// Whether the requested phases are done, and the migration waits while programs of both versions use the store.
    var waitsForCompletion: Bool { waits(after: lastPhase) }

    /// Whether all phases up to the given one are done, while programs of both versions use the store.
    func waits(after phase: MigrationPhase) -> Bool {
        isShared && remainingSteps.allSatisfy { $0.phase > phase }
    }

    /// The command that continues the migration.
    var nextCommand: String {
        if !waitsForCompletion { return "resume" }
        return remainingSteps.contains { $0.phase < .contract } ? "apply" : "complete"
    }
}

extension MigrationStep {
    /// Returns the step as JSON.
    func json(
        _ transition: String, _ counts: [String: RowCount]?, _ samples: [MigrationSample]? = nil
    ) -> JSONValue {
        .object([
            "transition": .string(transition), "phase": .string(phase.rawValue),
            "sentence": .string(sentence),
            "statements": .array(statements.map(JSONValue.string)),
            "locks": .array(locks.map(JSONValue.string)),
            "rewrites": .array(rewrites.map(JSONValue.string)),
            "samples": samples.map { .array($0.map(\.json)) } ?? .null,
            "tables": .array((effects ?? []).map { $0.json(counts?[$0.table]) }),
        ])
    }
}

extension TableEffect {
    fileprivate func json(_ count: RowCount?) -> JSONValue {
        .object([
            "table": .string(table), "lock": lock.map(JSONValue.string) ?? .null,
            "work": .string(work.rawValue), "rows": count.map { .int($0.rows) } ?? .null,
            "estimated": count.map { .bool($0.isEstimated) } ?? .null,
        ])
    }
}

/// A file that contains a plan for review; its digest ensures that exactly this plan runs.
struct ReviewedPlanFile {
    static let schema = "storectl.plan/1"

    let digest: String
    /// The version to migrate to; nil for the last.
    let version: String?

    static func text(_ plan: MigrationPlan, to version: String?) -> String {
        var members = plan.json
        members["schema"] = .string(schema)
        members["to"] = version.map(JSONValue.string) ?? .null
        members["script"] = .array(plan.script.split(separator: "\n").map { .string(String($0)) })
        return JSONValue.object(members).text(expanding: 2)
    }

    init(_ text: String, name: String) throws {
        let problems = JSONProblems()
        guard let document = try? JSONDocument(text),
            var reader = JSONObjectReader(document.root, as: "a plan", problems),
            reader.string("schema") == Self.schema,
            let digest = reader.string("digest")
        else {
            throw AdminError.badData(
                "\(name) is not a migration plan.",
                hint: "Write a plan with 'storectl migrate plan --out FILE'.")
        }
        self.digest = digest
        if case .string(let version)? = reader.member("to")?.value.content {
            self.version = version
        } else {
            version = nil
        }
    }
}
