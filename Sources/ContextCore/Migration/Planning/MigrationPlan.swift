import Foundation

/// The steps, in order, that migrate a store to another version of its model.
///
/// ```swift
/// let url = try StoreURL("sqlite:games.sqlite")
/// let plan = try backend.migrationPlan(of: url, to: versions)
/// print(plan)                 // sentences
/// print(plan.script)          // SQL
/// var options = MigrationOptions()
/// options.digest = plan.digest
/// try backend.migrate(url, to: versions, options)
/// ```
///
/// It is a value. A migration that is given the ``digest`` of a reviewed plan runs exactly that plan, or nothing. The digest doesn't
/// depend on the numbers of rows, which are informational.
public struct MigrationPlan: Sendable {
    /// The part of a plan between one version and the next.
    public struct Segment: Sendable {
        /// The transition between the two versions.
        public let transition: ModelTransition
        /// The steps, in order.
        public let steps: [MigrationStep]
        /// The step that undoes all others, which is possible until a step of the last phase is done.
        public let undo: MigrationStep
        /// The numbers of rows per table, by the names that the steps use; nil if the plan wasn't made for a store.
        public internal(set) var rowCounts: [String: RowCount]?
        /// Samples of converted rows, by the indices of the steps that fill them; nil if not requested, or if the rows don't exist yet.
        package fileprivate(set) var samples: [Int: [MigrationSample]]?
        /// The tables that the store has now, by the names that the steps use.
        package let currentTableNames: [String: String]

        package init(
            transition: ModelTransition, steps: [MigrationStep], undo: MigrationStep,
            currentTableNames: [String: String] = [:]
        ) {
            self.transition = transition
            self.steps = steps
            self.undo = undo
            self.currentTableNames = currentTableNames
        }
    }

    /// The statements that open and close the transaction of a step.
    package struct Frame: Sendable {
        package let opening: [String]
        package let closing: [String]

        package init(opening: [String], closing: [String]) {
            self.opening = opening
            self.closing = closing
        }
    }

    /// The name of the database that the plan is for: `SQLite`.
    public let backend: String
    /// The transitions from version to version, in order.
    public private(set) var segments: [Segment]

    /// The statements that open and close a transaction.
    package let frame: Frame

    package init(backend: String, frame: Frame, segments: [Segment]) {
        self.backend = backend
        self.frame = frame
        self.segments = segments
    }

    /// Whether the store is already at the target version.
    public var isEmpty: Bool { segments.isEmpty }

    /// The steps of all transitions.
    public var steps: [MigrationStep] { segments.flatMap(\.steps) }

    /// The entities and properties whose data is lost: `Game`, or `Game.title`.
    public var losses: [String] { segments.flatMap(\.transition.losses) }

    /// The changes that need a decision, a sentence each; a plan with any can't be run.
    public var undecided: [String] { segments.flatMap(\.transition.undecided).map(\.description) }

    /// Whether the plan can be run without a review: no data is lost, and no decision is needed.
    public var isLossless: Bool { losses.isEmpty && undecided.isEmpty }

    /// The findings for a reviewer.
    public var findings: [MigrationFinding] {
        segments.flatMap { $0.transition.findings + $0.steps.flatMap(\.findings) }
    }

    /// A hash of the models and of all steps with their statements, as 64 hexadecimal digits.
    ///
    /// It depends neither on the store's rows nor on the wording of the plan, so that a reviewed plan stays valid.
    public var digest: String {
        SHA256.hexDigest(of: (["3"] + segmentDigests).joined(separator: "\n"))
    }

    /// A hash of each segment, as 64 hexadecimal digits, which identifies the remaining segments of a partly executed plan.
    package var segmentDigests: [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return segments.map { segment in
            let models = [segment.transition.from, segment.transition.to].map(\.model.fingerprint)
            // A step contains texts and names only, which JSON can always encode.
            let steps = segment.steps.map { step in
                (try? encoder.encode(step.withoutDescriptions)).map { String(decoding: $0, as: UTF8.self) }
                    ?? ""
            }
            return SHA256.hexDigest(of: ([backend] + models + steps).joined(separator: "\n"))
        }
    }

    /// The SQL statements, with comments about their purpose and their effects on tables, for reading.
    public var script: String {
        let table = effectTable
        var lines: [String] = []
        for segment in segments {
            lines.append("-- \(segment.transition.name)")
            lines += segment.steps.flatMap { $0.scriptLines(table, segment.rowCounts, frame) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var effectTable: EffectTable {
        EffectTable(segments.map { (steps: $0.steps, counts: $0.rowCounts) })
    }

    mutating func setSamples(_ samples: [Int: [MigrationSample]], ofSegment index: Int) {
        segments[index].samples = samples
    }

    /// Returns the plan with the numbers of rows per table; its digest is the same.
    ///
    /// - Parameter migrator: The migrator of the plan's store.
    package func counted(by migrator: any StoreMigrator) throws -> MigrationPlan {
        let tables = Set(segments.flatMap(\.currentTableNames.values)).sortedByBytes { $0 }
        let counts = try migrator.rowCounts(of: tables)
        var plan = self
        for index in plan.segments.indices {
            plan.segments[index].rowCounts = plan.segments[index].currentTableNames.compactMapValues {
                counts[$0]
            }
        }
        return plan
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// The changes of the model, the steps with their locks and their effects on rows, and the losses.
    public var description: String {
        if isEmpty { return "The store is up to date; there is nothing to do." }
        let table = effectTable
        var lines: [String] = []
        for segment in segments {
            lines.append("From \(segment.transition.from.name) to \(segment.transition.to.name):")
            lines += segment.transition.difference.changes.map { "  \($0)" }
            lines += segment.steps.flatMap { $0.lines(table, segment.rowCounts) }
        }
        if segments.allSatisfy({ $0.rowCounts == nil }) {
            lines.append("The numbers of rows are unknown without a store.")
        }
        lines += losses.map { "Lost: \($0)." }
        return lines.joined(separator: "\n")
    }
}
