/// A fact about a migration that its reviewer should know.
public struct MigrationFinding: Sendable, Hashable, CustomStringConvertible {
    /// The importance of a finding.
    public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
        /// Information.
        case note
        /// The migration may take long, or block other transactions.
        case warning
        /// Data is lost, or the migration can't be run.
        case error

        public static func < (left: Severity, right: Severity) -> Bool {
            let order = allCases
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    /// The name of the rule that found it: `drop-attribute`.
    public let rule: String
    /// The importance of the finding.
    public let severity: Severity
    /// The subject of the finding: `Game.note`, or a table.
    public let subject: String
    /// The finding as a sentence for people.
    public let sentence: String

    /// Creates a finding.
    ///
    /// - Parameters:
    ///   - rule: The name of the rule that found it: `drop-attribute`.
    ///   - severity: The importance of the finding.
    ///   - subject: The subject of the finding: `Game.note`, or a table.
    ///   - sentence: The finding and what to do about it, for people.
    public init(_ rule: String, _ severity: Severity, _ subject: String, _ sentence: String) {
        self.rule = rule
        self.severity = severity
        self.subject = subject
        self.sentence = sentence
    }

    /// The severity, the sentence and the rule.
    public var description: String { "\(severity.rawValue): \(sentence) [\(rule)]" }
}

extension ModelTransition {
    /// The findings about the difference of the two models.
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
                "All values of \(path) are lost.")
        case .storage(from: .stored, to: _):
            return MigrationFinding(
                "drop-attribute", isAccepted ? .note : .error, path,
                "All values of \(path) are lost, because it becomes \(change.isDerived ? "derived" : "transient")."
            )
        case .destinationsLost(let moved, _, isRequired: false) where !moved.isEmpty && !isFilled(path):
            return MigrationFinding(
                "reference-lost", isAccepted ? .note : .error, path,
                "References of \(path) to objects of \(moved.joined(separator: ", ")) are removed.")
        case .destinationsLost(let moved, let removed, isRequired: true) where !isFilled(path):
            return MigrationFinding(
                "required-reference-lost", .warning, path,
                "\(path) is required and can no longer refer to \((moved + removed).joined(separator: ", ")): an object that "
                    + "refers to one of them stops the migration.")
        case .renamed(let old):
            return MigrationFinding(
                "rename-unphased", .note, path,
                "\(path) was called \(old): programs of the older version can no longer use the store.")
        case .type where isUndecided:
            return MigrationFinding(
                "type-narrowing", .error, path,
                "The values of \(path) need a conversion to the new type: add a conversion or a stage.")
        case .toMany(false) where isUndecided:
            return MigrationFinding(
                "cardinality-narrowing", .error, path,
                "\(path) becomes to-one, and may refer to several objects: give it another name, and fill that in a stage."
            )
        case .required(default: nil) where !isFilled(path):
            return MigrationFinding(
                "required-without-default", .warning, path,
                "\(path) is required and has no default: an object without a value stops the migration. Give it a default, a conversion "
                    + "or a stage."
            )
        case .uniqueAdded(let names):
            return MigrationFinding(
                "unique-on-duplicates", .warning, path,
                "Two objects of \(path) with the same \(names.joined(separator: ", ")) stop the migration: make their values unique first."
            )
        case .deleteRule(let old, let new) where old == .deny || new == .noAction:
            return MigrationFinding(
                "delete-rule-weakened", .warning, path,
                "\(path) had the delete rule \(old.rawValue), and has \(new.rawValue).")
        default:
            guard isUndecided else { return nil }
            return MigrationFinding(
                "undecided", .error, path, "This change needs a decision: \(change)")
        }
    }
}

extension ModelChange {
    fileprivate var isDerived: Bool { if case .storage(_, .derived) = kind { true } else { false } }
}

extension MigrationStep {
    /// The findings about the step's work in the database.
    var findings: [MigrationFinding] {
        rewrites.map {
            MigrationFinding(
                "table-rewrite", .warning, $0,
                "The table \($0) is rewritten, which takes long if it is large.")
        }
            + (rewrites.isEmpty ? [] : locks).map {
                MigrationFinding(
                    "long-lock", .warning, $0,
                    "No other transaction can write to the table \($0) during the step.")
            }
            + (effects ?? []).filter { $0.work == .indexed && locks.contains($0.table) }.map {
                MigrationFinding(
                    "index-not-concurrent", .warning, $0.table,
                    "An index of the table \($0.table) is built while the table is locked: migrate when few transactions use it."
                )
            }
            + foreignLosses.map {
                MigrationFinding(
                    "foreign-object", .warning, $0,
                    "The user-defined \($0) is dropped with its table or column.")
            }
    }
}
