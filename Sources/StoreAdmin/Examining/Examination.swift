import ContextCore

/// The steps of an examination, which continues after a step that fails.
struct Examination {
    /// The result of a step.
    struct Step: Sendable {
        let name: String
        let isFine: Bool
        let message: String
        /// What to do about it; empty if there is nothing to do.
        let remedy: String
    }

    private(set) var steps: [Step] = []

    mutating func step(_ name: String, _ body: () throws -> String) {
        _ = step(name, { try body() }) { $0 }
    }

    /// Records the result of a step that a backend has run.
    mutating func record(_ result: StoreExamination) {
        steps.append(
            Step(
                name: result.name, isFine: result.remedy == nil, message: result.finding,
                remedy: result.remedy ?? ""))
    }

    /// Runs a step and records its result or error.
    ///
    /// - Returns: The value of the step for later steps; nil if it failed.
    mutating func step<Value>(
        _ name: String, _ body: () throws -> Value, _ message: (Value) -> String
    ) -> Value? {
        do {
            let value = try body()
            steps.append(Step(name: name, isFine: true, message: message(value), remedy: ""))
            return value
        } catch {
            let error = AdminError(error)
            steps.append(
                Step(name: name, isFine: false, message: error.message, remedy: error.hint ?? ""))
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
