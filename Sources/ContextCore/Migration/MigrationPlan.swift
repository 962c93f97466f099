import Foundation

/// What has to be done to a store so that it is of another version of its model: all that is run, in its order.
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
/// It is a value. Its ``digest`` seals it: a migration that is given the digest runs what was reviewed, or nothing. How many rows there
/// are is for people, and no part of what is sealed.
public struct MigrationPlan: Sendable {
    /// The way from one version to the next, step by step.
    public struct Stretch: Sendable {
        /// The two versions.
        public let transition: ModelTransition
        /// The steps, in their order.
        public let steps: [MigrationStep]
        /// What takes everything back, as long as no step of the last phase was done.
        public let undo: MigrationStep
        /// How many rows the tables have, by the names that the steps call them by; nil where the plan is of no store.
        public internal(set) var rowCounts: [String: RowCount]?
        /// What becomes of a few rows, by the places of the steps that fill them; nil where nobody has asked, or the rows aren't there yet.
        package fileprivate(set) var samples: [Int: [MigrationSample]]?
        /// The tables that the store has now, by the names that the steps call them by.
        package let presentTables: [String: String]

        package init(
            transition: ModelTransition, steps: [MigrationStep], undo: MigrationStep,
            presentTables: [String: String] = [:]
        ) {
            self.transition = transition
            self.steps = steps
            self.undo = undo
            self.presentTables = presentTables
        }
    }

    /// The statements between which a step's are run that are one transaction.
    package struct Frame: Sendable {
        package let opening: [String]
        package let closing: [String]

        package init(opening: [String], closing: [String]) {
            self.opening = opening
            self.closing = closing
        }
    }

    /// The database that it is for: `SQLite`.
    public let backend: String
    /// The ways from version to version, one after the other.
    public private(set) var stretches: [Stretch]

    /// How it is begun and ended what is one transaction.
    package let frame: Frame

    package init(backend: String, frame: Frame, stretches: [Stretch]) {
        self.backend = backend
        self.frame = frame
        self.stretches = stretches
    }

    /// Whether the store is what it should be.
    public var isEmpty: Bool { stretches.isEmpty }

    /// All steps.
    public var steps: [MigrationStep] { stretches.flatMap(\.steps) }

    /// What is lost, by name: `Game`, or `Game.title`.
    public var losses: [String] { stretches.flatMap(\.transition.losses) }

    /// What nobody has decided, a sentence each; a plan with any is not run.
    public var undecided: [String] { stretches.flatMap(\.transition.undecided).map(\.description) }

    /// Whether it is what a program may do by itself where nobody has looked at it: nothing is lost, and nothing has to be decided.
    public var isLossless: Bool { losses.isEmpty && undecided.isEmpty }

    /// What whoever reviews it should know.
    public var findings: [MigrationFinding] {
        stretches.flatMap { $0.transition.findings + $0.steps.flatMap(\.findings) }
    }

    /// Sixty-four hexadecimal digits that stand for the models and for every step, whatever rows there are.
    public var digest: String {
        SHA256.hexDigest(of: (["2"] + stretchDigests).joined(separator: "\n"))
    }

    /// Sixty-four hexadecimal digits for each stretch: the rest of a plan is recognised by them where a part of it is done.
    package var stretchDigests: [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return stretches.map { stretch in
            let models = [stretch.transition.from, stretch.transition.to].map(\.model.fingerprint)
            // A step is made of texts and names, which JSON has a form of.
            let steps = stretch.steps.map { step in
                (try? encoder.encode(step)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            }
            return SHA256.hexDigest(of: ([backend] + models + steps).joined(separator: "\n"))
        }
    }

    /// The statements as they are run, with what they are for and what they mean for tables, as a script to read.
    public var script: String {
        let table = effectTable
        var lines: [String] = []
        for stretch in stretches {
            lines.append("-- \(stretch.transition.name)")
            lines += stretch.steps.flatMap { $0.scriptLines(table, stretch.rowCounts, frame) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var effectTable: EffectTable {
        EffectTable(stretches.map { (steps: $0.steps, counts: $0.rowCounts) })
    }

    mutating func setSamples(_ samples: [Int: [MigrationSample]], ofStretch index: Int) {
        stretches[index].samples = samples
    }

    /// The plan with how many rows the tables have; its digest is the same.
    ///
    /// - Parameter migrator: Asks the store that the plan is of.
    package func counted(by migrator: any StoreMigrator) throws -> MigrationPlan {
        let tables = Set(stretches.flatMap(\.presentTables.values)).sortedByBytes { $0 }
        let counts = try migrator.rowCounts(of: tables)
        var plan = self
        for index in plan.stretches.indices {
            plan.stretches[index].rowCounts = plan.stretches[index].presentTables.compactMapValues {
                counts[$0]
            }
        }
        return plan
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// What changes, what is done, which tables are locked and what becomes of their rows, and what is lost.
    public var description: String {
        if isEmpty { return "The store is what it should be; there is nothing to do." }
        let table = effectTable
        var lines: [String] = []
        for stretch in stretches {
            lines.append("From \(stretch.transition.from.name) to \(stretch.transition.to.name):")
            lines += stretch.transition.difference.changes.map { "  \($0)" }
            lines += stretch.steps.flatMap { $0.lines(table, stretch.rowCounts) }
        }
        if stretches.allSatisfy({ $0.rowCounts == nil }) {
            lines.append("How many rows that is can't be told without a store.")
        }
        lines += losses.map { "Lost: \($0)." }
        return lines.joined(separator: "\n")
    }
}
