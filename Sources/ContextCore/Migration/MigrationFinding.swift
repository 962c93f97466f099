/// Something about a migration that whoever reviews it should know.
public struct MigrationFinding: Sendable, Hashable, CustomStringConvertible {
    /// How much it matters.
    public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
        /// It is good to know.
        case note
        /// It may take long, or stop others.
        case warning
        /// Data is lost, or the migration can't be made as it is.
        case error

        public static func < (left: Severity, right: Severity) -> Bool {
            let order = allCases
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    /// What rule it is found by: `drop-attribute`.
    public let rule: String
    /// How much it matters.
    public let severity: Severity
    /// What it is about: `Game.note`, or a table.
    public let subject: String
    /// What it is, for a person.
    public let sentence: String

    /// Says what was found.
    ///
    /// - Parameters:
    ///   - rule: What rule it is found by: `drop-attribute`.
    ///   - severity: How much it matters.
    ///   - subject: What it is about: `Game.note`, or a table.
    ///   - sentence: What it is, and what helps, for a person.
    public init(_ rule: String, _ severity: Severity, _ subject: String, _ sentence: String) {
        self.rule = rule
        self.severity = severity
        self.subject = subject
        self.sentence = sentence
    }

    /// The rule and the sentence.
    public var description: String { "\(severity.rawValue): \(sentence) [\(rule)]" }
}

extension ModelTransition {
    /// What whoever reviews the transition should know of the models themselves.
    public var findings: [MigrationFinding] {
        difference.changes.compactMap(finding) + volatileDefaults + foldedNames
    }

    private func finding(_ change: ModelChange) -> MigrationFinding? {
        let isUndecided = undecided.contains(change)
        let path = change.path
        let isAccepted = to.hints.acceptedLosses.contains(path)
        switch change.kind {
        case .removed where change.subject == .entity:
            return MigrationFinding(
                "drop-entity", isAccepted ? .note : .error, path, "All objects of \(path) are lost.")
        case .removed:
            return MigrationFinding(
                "drop-attribute", isAccepted ? .note : .error, path,
                "Everything that \(path) holds is lost.")
        case .storage(from: .stored, to: _):
            return MigrationFinding(
                "drop-attribute", isAccepted ? .note : .error, path,
                "Everything that \(path) held is lost, since it \(change.isDerived ? "is worked out" : "isn't stored") from now on."
            )
        case .destinationsLost(let moved, _, isRequired: false) where !moved.isEmpty && !isFilled(path):
            return MigrationFinding(
                "reference-lost", isAccepted ? .note : .error, path,
                "References of \(path) to objects of \(moved.joined(separator: ", ")) are removed.")
        case .destinationsLost(let moved, let removed, isRequired: true) where !isFilled(path):
            return MigrationFinding(
                "required-reference-lost", .warning, path,
                "\(path) is required and can't refer to \((moved + removed).joined(separator: ", ")) any more: one object that does "
                    + "stops the migration.")
        case .renamed(let old):
            return MigrationFinding(
                "rename-unphased", .note, path,
                "\(path) was called \(old): programs of the older version can't use the store any more.")
        case .type where isUndecided:
            return MigrationFinding(
                "type-narrowing", .error, path,
                "Nobody says how the values of \(path) become others: give a conversion or a stage.")
        case .toMany(false) where isUndecided:
            return MigrationFinding(
                "cardinality-narrowing", .error, path,
                "Nobody says to which of many objects \(path) leads: give it another name, and fill that by a stage."
            )
        case .required(default: nil) where !isFilled(path):
            return MigrationFinding(
                "required-without-default", .warning, path,
                "\(path) must have a value and has no default: one object without stops the migration. Give it a default, a conversion or a "
                    + "stage."
            )
        case .uniqueAdded(let names):
            return MigrationFinding(
                "unique-on-duplicates", .warning, path,
                "Two objects of \(path) with the same \(names.joined(separator: ", ")) stop the migration: make them different before."
            )
        case .deleteRule(let old, let new) where old == .deny || new == .noAction:
            return MigrationFinding(
                "delete-rule-weakened", .warning, path,
                "\(path) had the delete rule \(old.rawValue), and has \(new.rawValue).")
        default:
            guard isUndecided else { return nil }
            return MigrationFinding(
                "undecided", .error, path, "Nobody says what becomes of this: \(change)")
        }
    }
}

extension ModelChange {
    fileprivate var isDerived: Bool { if case .storage(_, .derived) = kind { true } else { false } }
}

extension MigrationStep {
    /// What whoever reviews the step should know of the database's work.
    var findings: [MigrationFinding] {
        rewrites.map {
            MigrationFinding(
                "table-rewrite", .warning, $0, "The table \($0) is written anew, which takes its time.")
        }
            + (rewrites.isEmpty ? [] : locks).map {
                MigrationFinding("long-lock", .warning, $0, "Nobody can write to the table \($0) meanwhile.")
            }
            + (effects ?? []).filter { $0.work == .indexed && locks.contains($0.table) }.map {
                MigrationFinding(
                    "index-not-concurrent", .warning, $0.table,
                    "All rows of the table \($0.table) are read for an index while nobody can use it: demand uniqueness when few use it."
                )
            }
            + foreignLosses.map {
                MigrationFinding(
                    "foreign-object", .warning, $0, "Somebody else's \($0) goes with what it is of.")
            }
    }
}
