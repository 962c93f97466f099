import ContextCore

/// Asks the user at a terminal what can't be inferred from two models: what was renamed, and why data may be lost.
struct HintPrompts {
    private let call: CommandCall

    init(_ call: CommandCall) {
        self.call = call
    }

    private var isTerminal: Bool { call.tool.input.isTerminal }

    /// Returns hints that also decide the likely renames between two models.
    ///
    /// Without a terminal, and at the end of the input, likely renames stay undecided.
    func hints(_ hints: MigrationHints, from old: ObjectModel, to new: ObjectModel) -> MigrationHints {
        var hints = hints
        while isTerminal {
            let likely = Self.likelyRenames(from: old, to: new, hints)
            if likely.isEmpty { break }
            for rename in likely where !decide(rename, &hints) { return hints }
        }
        return hints
    }

    private static func likelyRenames(
        from old: ObjectModel, to new: ObjectModel, _ hints: MigrationHints
    ) -> [LikelyRename] {
        do throws(AmbiguousRenames) {
            _ = try ModelDifference(from: old, to: new, hints: hints)
            return []
        } catch {
            return error.likelyRenames
        }
    }

    /// Asks about each new name that no other rename has; if it is none of them, the part was removed.
    ///
    /// - Returns: Whether the user has decided.
    private func decide(_ rename: LikelyRename, _ hints: inout MigrationHints) -> Bool {
        for candidate in rename.candidates where hints.renames[candidate] == nil {
            guard let isRenamed = answer("Was \(rename.former) renamed to \(candidate)? [y/n] ") else {
                return false
            }
            if isRenamed {
                hints.decide(rename, as: candidate)
                return true
            }
        }
        hints.decide(rename, as: nil)
        return true
    }

    /// Asks until the user answers yes or no; returns nil at the end of the input.
    private func answer(_ question: String) -> Bool? {
        while true {
            call.output.message(question)
            guard let line = call.tool.input.next() else { return nil }
            switch line.trimmingSpaces.lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
    }

    /// Returns the reasons why data may be lost, with those for which the user is asked.
    ///
    /// - Parameters:
    ///   - losses: The entities and properties whose data would be lost.
    ///   - reasons: The reasons that are known.
    ///   - migration: The name of the migration.
    /// - Throws: ``AdminError`` if a loss has no reason.
    func reasons(
        forLosing losses: [String], _ reasons: [String: String], in migration: String
    ) throws(AdminError) -> [String: String] {
        var reasons = reasons
        for loss in losses where reasons[loss] == nil {
            guard isTerminal else { break }
            call.output.message("\(migration) loses \(loss). Why may it be lost? (An empty line stops.) ")
            guard let reason = call.tool.input.next()?.trimmingSpaces, !reason.isEmpty else { break }
            reasons[loss] = reason
        }
        let left = losses.filter { reasons[$0] == nil }
        if left.isEmpty { return reasons }
        throw .refused(
            "\(migration) would lose \(left.joined(separator: ", ")).",
            hint: "If that is intended, add --accept-loss \(left.joined(separator: ",").shellQuoted), or "
                + "--accept NAME=REASON. Nothing was changed.")
    }
}
