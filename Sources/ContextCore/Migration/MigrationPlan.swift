import Foundation

/// What has to be done to a store so that it is of another version of its model: all that is run, in its order.
///
/// ```swift
/// let plan = try backend.migrationPlan(of: url, to: versions)
/// print(plan)                 // sentences
/// print(plan.script)          // SQL
/// try backend.migrate(url, to: versions, MigrationOptions(digest: plan.digest))
/// ```
///
/// It is a value. Its ``digest`` seals it: a migration that is given the digest runs what was reviewed, or nothing.
public struct MigrationPlan: Sendable {
    /// The way from one version to the next, step by step.
    public struct Stretch: Sendable {
        /// The two versions.
        public let transition: ModelTransition
        /// The steps, in their order.
        public let steps: [MigrationStep]
        /// What takes everything back, as long as no step of the last phase was done.
        public let undo: MigrationStep

        package init(transition: ModelTransition, steps: [MigrationStep], undo: MigrationStep) {
            self.transition = transition
            self.steps = steps
            self.undo = undo
        }
    }

    /// The database that it is for: `SQLite`.
    public let backend: String
    /// The ways from version to version, one after the other.
    public let stretches: [Stretch]

    package init(backend: String, stretches: [Stretch]) {
        self.backend = backend
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

    /// Sixty-four hexadecimal digits that stand for the models and for every step.
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

    /// The statements as they are run, with what they are for, as a script to read.
    public var script: String {
        var lines: [String] = []
        for stretch in stretches {
            lines.append("-- \(stretch.transition.name)")
            for step in stretch.steps {
                lines.append("-- \(step.phase.rawValue): \(step.sentence)")
                lines += step.checks.map { "\($0.count); -- must be 0" }
                switch step.work {
                case .statements(let statements):
                    let others = step.bystanders?.objects ?? []
                    let all = others.compactMap(\.dropping) + statements + others.compactMap(\.making)
                    lines += ["BEGIN;"] + all.map { $0 + ";" }
                    if let late = step.lateStatements {
                        lines += ["-- once the store has worked out its attributes"] + late.map { $0 + ";" }
                    }
                    lines.append("COMMIT;")
                case .separately(let statements): lines += statements.map { $0 + ";" }
                case .fill(let fill):
                    for (name, text) in fill.conversions.sortedByBytes(of: \.key) {
                        lines.append(
                            "-- \(fill.entityName).\(name) = \(text), \(fill.batchSize) rows at a time")
                    }
                    if !fill.stage.isEmpty {
                        lines.append("-- the program's stage, \(fill.batchSize) rows at a time")
                    }
                }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// What changes, what is done and what is lost, a sentence a line.
    public var description: String {
        if isEmpty { return "The store is what it should be; there is nothing to do." }
        var lines: [String] = []
        for stretch in stretches {
            lines.append("From \(stretch.transition.from.name) to \(stretch.transition.to.name):")
            lines += stretch.transition.difference.changes.map { "  \($0)" }
            lines += stretch.steps.map { "  \($0.phase.rawValue): \($0.sentence)" }
        }
        lines += losses.map { "Lost: \($0)." }
        return lines.joined(separator: "\n")
    }
}
