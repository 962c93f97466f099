import ContextCore

/// Plans the repair of a store's findings, and applies the plan if it is approved.
struct CheckRepair {
    let call: CommandCall
    let store: AdministeredStore
    let kinds: Set<StoreFinding.Kind>

    func run() throws -> Report {
        let model = try store.model()
        var plan = try store.readAll("check", model: model) { session, model in
            try self.plan(session, model)
        }
        // The database reports some rows that a repair removes as damage, so a run that repairs looks for damage afterward.
        if plan.repairs == 0 {
            plan.entries += try damage().map {
                RepairPlan.Entry(finding: $0, repair: .none(RepairPlanner.advice($0)))
            }
        }
        if plan.repairs == 0 || call.arguments.has("dry-run") {
            return report(plan, exit: plan.entries.isEmpty ? .success : .differences)
        }
        if let digest = call.arguments["plan"], digest != plan.digest { throw Self.unreviewedPlanError }
        guard try isApproved(plan) else { return report(plan, exit: .refused) }
        try Confirmation.check(call, store)
        try repair(plan, model)
        let remaining =
            try damage()
            + store.readAll("check", model: model) { session, model in
                try check(session, model).findings
            }
        return report(plan, exit: remaining.isEmpty ? .success : .differences, remaining: remaining)
    }

    private static let unreviewedPlanError = AdminError.refused(
        "the repair plan differs from the plan that was approved. Nothing was changed.",
        hint: "Run 'storectl check --repair' and review the new plan.")

    private func damage() throws -> [StoreFinding] {
        guard kinds.contains(.damage) else { return [] }
        return try store.damage(call.output).map { StoreFinding(kind: .damage, message: $0) }
    }

    /// Checks the whole store.
    private func check(_ session: any ReadSession, _ model: ObjectModel) throws -> StoreChecker {
        let progress = ProgressLine(call.output)
        defer { progress.finish() }
        var checking = StoreChecker(
            session: session, model: model, kinds: kinds, limit: .max, progress: progress.report)
        try checking.check(model.layouts)
        return checking
    }

    /// Plans the repair.
    ///
    /// - Throws: ``AdminError`` if the database itself is damaged, which other commands repair.
    private func plan(_ session: any ReadSession, _ model: ObjectModel) throws -> RepairPlan {
        let checking = try check(session, model)
        if let damage = checking.findings.first(where: { $0.kind == .damage }) {
            throw AdminError.badData(
                "\(damage.message)\nThe store's database is damaged. Nothing was changed.",
                hint: "Restore a backup, or recover the readable rows with 'storectl maintain recover'.")
        }
        var planning = RepairPlanner(checking)
        return try planning.make()
    }

    /// Whether an option or the user at the terminal approves the plan.
    private func isApproved(_ plan: RepairPlan) throws -> Bool {
        if call.arguments.has("yes") || call.arguments["plan"] != nil { return true }
        let input = call.tool.input
        guard input.isTerminal else { return false }
        // A production store requires --confirm. The command doesn't ask; its report names the option.
        if store.isProduction, call.arguments["confirm"] == nil { return false }
        call.output.message(
            text(plan, call.output.messageStyle)
                + "Make a backup with 'storectl backup create' first. Repair \(store.title)? [y/N] ")
        guard ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") else {
            throw AdminError.refused(
                "the repair was not confirmed. Nothing was changed.",
                hint: "Add --yes to skip the question.")
        }
        return true
    }

    /// Checks the store again, and applies the plan in the same transaction; throws if the plan has changed since its approval.
    private func repair(_ plan: RepairPlan, _ model: ObjectModel) throws {
        try store.write(model: model) { coordinator in
            let session = try coordinator.openWriteSession(SessionOptions(identifier: "check --repair"))
            defer { session.end() }
            let current = try self.plan(session, model)
            if current.digest != plan.digest { throw Self.unreviewedPlanError }
            // If `--only` excludes derived values, the repair recomputes only the values that it affects.
            let others = kinds.contains(.derived) ? [:] : try derivedValues(session, model)
            if let session = session as? any OrphanRowWriteSession { try session.repair(current.defects) }
            try apply(current, session)
            var derivations = RepairPlan(model: model)
            for (location, values) in try derivedValues(session, model) {
                let wanted = values.filter { others[location]?[$0.key] == nil }
                if !wanted.isEmpty { derivations.derived[location] = wanted }
            }
            try apply(derivations, session)
            _ = try session.commit()
        }
    }

    /// Applies the changes of a plan as one save, which the history records.
    private func apply(_ plan: RepairPlan, _ session: any WriteSession) throws {
        let changes = try plan.changes(session)
        let conflicts = changes.isEmpty ? [] : try session.apply(changes).conflicts
        guard conflicts.isEmpty else {
            let words = conflicts.prefix(20).map { "\($0.text(in: plan.model))." }
            throw AdminError(
                code: "SC3005", exit: .failure,
                message: (["the store rejected the repair. Nothing was changed."] + words)
                    .joined(separator: "\n"),
                hint: "Run the command again. If it fails again, change these objects first.")
        }
    }

    /// Returns the correct values of derived attributes whose stored values are wrong, by object and column.
    ///
    /// Values that the attribute can't store are omitted.
    private func derivedValues(
        _ session: any ReadSession, _ model: ObjectModel
    ) throws -> [RowLocation: [Int: StoredValue]] {
        let progress = ProgressLine(call.output)
        defer { progress.finish() }
        var checking = StoreChecker(
            session: session, model: model, kinds: [.derived], limit: .max, progress: progress.report)
        for entity in model.layouts where !entity.isAbstract { try checking.checkDerivedValues(of: entity) }
        var found: [RowLocation: [Int: StoredValue]] = [:]
        for case .derived(let location, let slot, let value)? in checking.findings.map(\.defect) {
            let property = model.layouts[location.entityIndex].properties[slot]
            guard let column = property.columns.first, property.attribute?.canStore(derived: value) == true
            else { continue }
            found[location, default: [:]][column] = value
        }
        return found
    }

    // MARK: Reports

    /// The `--confirm` option that a production store requires in addition to `--plan`; empty for other stores.
    private var confirmation: String {
        store.isProduction ? " --confirm \(store.confirmation.shellQuoted)" : ""
    }

    private func text(_ plan: RepairPlan, _ style: TextStyle) -> String {
        var rows = plan.rows
        rows.columns.removeLast()
        rows.rows = rows.rows.map { $0.dropLast() }
        if plan.entries.isEmpty { return rows.text(style) }
        return rows.text(style)
            + style.dim(
                "\(Quantity.text(plan.entries.count, "finding", "findings")): \(Quantity.count(plan.repairs)) to repair, "
                    + "\(Quantity.count(plan.unrepairedCount)) to resolve manually; plan \(plan.digest)")
            + "\n"
    }

    /// Makes the report of a plan.
    ///
    /// - Parameter remaining: The findings after the repair; nil if nothing was changed.
    private func report(_ plan: RepairPlan, exit: ExitCode, remaining: [StoreFinding]? = nil) -> Report {
        let rows = plan.rows
        let findings = CheckCommand.rows(remaining ?? [])
        let json: [String: JSONValue] = [
            "rows": .array(rows.documents), "digest": .string(plan.digest), "repairs": .int(plan.repairs),
            "left": .int(plan.unrepairedCount), "repaired": .bool(remaining != nil),
            "findings": .array(findings.documents),
        ]
        var report = Report("check.repair", json, exit: exit) { [self] style in
            let verdict =
                switch remaining {
                case nil where plan.repairs == 0: ""
                case nil:
                    """
                    Nothing was changed. Make a backup with 'storectl backup create', then add --plan \(plan.digest)\(confirmation).

                    """
                case .some(let remaining) where remaining.isEmpty:
                    "The repair is done. No problems are left.\n"
                case .some(let remaining):
                    "The repair is done. \(Quantity.text(remaining.count, "finding is", "findings are")) left.\n"
                        + findings.text(style)
                }
            return text(plan, style) + call.tool.withProgramName(verdict)
        }
        report.rows = rows
        return report
    }
}
