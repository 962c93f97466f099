/// The phases of a migration.
public enum MigrationPhase: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Adds new tables and columns, without removing older ones.
    case expand
    /// Computes values, batch by batch.
    case backfill
    /// Creates indexes and constraints on existing rows.
    case validate
    /// Removes what the newer version no longer needs.
    case contract

    public static func < (left: MigrationPhase, right: MigrationPhase) -> Bool {
        let order = allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}

/// One step of a migration: done completely, or not at all.
public struct MigrationStep: Sendable, Hashable, Codable {
    /// The work of a step.
    public enum Work: Sendable, Hashable, Codable {
        /// Statements in one transaction.
        case statements([String])
        /// Statements without a transaction, which can be repeated if the process is killed.
        case separately([String])
        /// A fill of attributes of one entity, batch by batch, each in its own transaction.
        case fill(Fill)
    }

    /// The attributes and relationships of one entity that a step fills.
    public struct Fill: Sendable, Hashable, Codable {
        /// The name of the entity in the newer model.
        public var entityName: String
        /// The conversions of attributes, by their newer names; empty for a stage of the program.
        public var conversions: [String: String]
        /// The attributes and relationships that the program's stage fills.
        public var stage: [String]
        /// The derived attributes that the store computes from the newer rows.
        public var derived: [String]
        /// The number of rows in a batch.
        public var batchSize: Int
        /// Whether programs of the older version can save meanwhile; the values of rows that they change are computed again.
        public var isLive: Bool
        /// The statement that reads a batch and the statements that write each row, with placeholders for values; nil in a migration that
        /// was started by an earlier version of the library.
        public var statements: [String]?

        package init(
            entityName: String, conversions: [String: String] = [:], stage: [String] = [],
            derived: [String] = [], batchSize: Int = 1000, isLive: Bool = false
        ) {
            self.entityName = entityName
            self.conversions = conversions
            self.stage = stage
            self.derived = derived
            self.batchSize = batchSize
            self.isLive = isLive
        }
    }

    /// A query for rows that prevent the step; their number must be 0.
    public struct Check: Sendable, Hashable, Codable {
        /// The SQL that counts the rows.
        public var count: String
        /// A description of the rows, for people: `have no Player.rank, which must have a value`.
        public var sentence: String
        /// The rule that reports the rows in a review before the migration; nil if there is none.
        public var rule: String?
        /// The subject of the rule: `Player.rank`.
        public var subject: String?

        package init(count: String, sentence: String, rule: String? = nil, subject: String? = nil) {
            self.count = count
            self.sentence = sentence
            self.rule = rule
            self.subject = subject
        }
    }

    /// The user-defined triggers, views and indexes that prevent a rebuild of their tables.
    ///
    /// They are dropped before the statements and created again after them, with their definitions at that time. If one of them was created
    /// or changed since the step was planned, the step fails.
    public struct UserObjects: Sendable, Hashable, Codable {
        /// A user-defined trigger, view or index.
        public struct Object: Sendable, Hashable, Codable {
            /// The name of the object.
            public var name: String
            /// The statement that drops it; nil if it is dropped with its table.
            public var dropping: String?
            /// The statement that creates it again; nil if its table is removed.
            public var making: String?

            package init(name: String, dropping: String?, making: String?) {
                self.name = name
                self.dropping = dropping
                self.making = making
            }
        }

        /// The tables that are rebuilt, by their older names.
        public var rebuilt: [String]
        /// The tables that are removed.
        public var gone: [String]
        /// The objects that existed when the step was planned.
        public var objects: [Object]

        package init(rebuilt: [String], gone: [String], objects: [Object]) {
            self.rebuilt = rebuilt
            self.gone = gone
            self.objects = objects
        }
    }

    /// The model that programs must have to use the store after the step.
    public enum Force: String, Sendable, Hashable, Codable {
        /// The same model as before.
        case unchanged
        /// No model: programs of the older version are rejected, and those of the newer one must wait.
        case none
        /// Both the newer and the older model.
        case both
        /// The newer model.
        case newer
    }

    /// The phase of the step.
    public var phase: MigrationPhase
    /// What the step does, as a sentence.
    public var sentence: String
    /// The work of the step.
    public var work: Work
    /// The queries for rows that prevent the step.
    public var checks: [Check]
    /// The model that programs must have after the step.
    public var force: Force
    /// The tables that other transactions can't use, or can't write to, during the step.
    public var locks: [String]
    /// The tables that are rewritten.
    public var rewrites: [String]
    /// The user-defined objects that prevent the statements; nil if the step rebuilds no tables.
    public var bystanders: UserObjects?
    /// The user-defined indexes and constraints that are dropped with their tables or columns.
    public var foreignLosses: [String]
    /// The statements that run after derived attributes were computed, in the same transaction; nil if there are none.
    public var lateStatements: [String]?
    /// The effects on existing tables, for people; nil in a migration that was started by an earlier version of the library.
    public var effects: [TableEffect]?

    package init(
        _ phase: MigrationPhase, _ sentence: String, _ work: Work, checks: [Check] = [],
        force: Force = .unchanged, locks: [String] = [], rewrites: [String] = [],
        bystanders: UserObjects? = nil,
        foreignLosses: [String] = [], lateStatements: [String]? = nil, effects: [TableEffect] = []
    ) {
        self.phase = phase
        self.sentence = sentence
        self.work = work
        self.checks = checks
        self.force = force
        self.locks = locks
        self.rewrites = rewrites
        self.bystanders = bystanders
        self.foreignLosses = foreignLosses
        self.lateStatements = lateStatements
        self.effects = effects
    }
}

extension MigrationStep {
    /// The step without the texts and effects that only describe it to people.
    var withoutDescriptions: MigrationStep {
        var step = self
        step.sentence = ""
        step.effects = nil
        step.checks = checks.map { Check(count: $0.count, sentence: "") }
        return step
    }

    /// The SQL statements of the step; empty for a fill, whose statements are made for each batch.
    public var statements: [String] {
        switch work {
        case .statements(let statements), .separately(let statements): statements + (lateStatements ?? [])
        case .fill: []
        }
    }
}
