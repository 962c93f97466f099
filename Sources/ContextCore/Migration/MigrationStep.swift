/// Names the parts of a migration.
public enum MigrationPhase: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// What is new is added beside what is there.
    case expand
    /// Values are worked out, batch by batch.
    case backfill
    /// Indexes and constraints are made over what is there.
    case validate
    /// What is no longer needed goes.
    case contract

    public static func < (left: MigrationPhase, right: MigrationPhase) -> Bool {
        let order = allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}

/// One piece of a migration: done whole, or not at all.
public struct MigrationStep: Sendable, Hashable, Codable {
    /// What a step does.
    public enum Work: Sendable, Hashable, Codable {
        /// Statements in one transaction.
        case statements([String])
        /// Statements outside of transactions, which can be run again where a run was killed.
        case separately([String])
        /// Attributes of one entity get their values, batch by batch, each in its own transaction.
        case fill(Fill)
    }

    /// Attributes that get their values from older ones.
    public struct Fill: Sendable, Hashable, Codable {
        /// The entity, by its newer name.
        public var entityName: String
        /// How each attribute's value is worked out, by its newer name; empty for a stage of the program.
        public var conversions: [String: String]
        /// The attributes and relationships that the program's stage fills.
        public var stage: [String]
        /// The attributes that the store itself works out, of the newer rows.
        public var derived: [String]
        /// How many rows at a time.
        public var batchSize: Int
        /// Whether programs of the older version go on with their work; what they change meanwhile is worked out again.
        public var isLive: Bool
        /// What a batch is read by and then, for each row, written by, with placeholders for values; nil in a migration that was begun
        /// before that was noted.
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

    /// A number of rows that must be none for the step to be done.
    public struct Check: Sendable, Hashable, Codable {
        /// Counts the rows that stand in the way.
        public var count: String
        /// Says what they are, for a person: `have no Player.rank, which must have a value`.
        public var sentence: String
        /// The rule by which somebody finds them who looks before; nil where there is none.
        public var rule: String?
        /// What the rule is about: `Player.rank`.
        public var subject: String?

        package init(count: String, sentence: String, rule: String? = nil, subject: String? = nil) {
            self.count = count
            self.sentence = sentence
            self.rule = rule
            self.subject = subject
        }
    }

    /// What others have put into the store's database, and what stands in the way of statements that make tables anew.
    ///
    /// It is put away before the statements and made again after them, as it is at that moment. Where something of it was made or
    /// changed since the step was planned, the step is refused.
    public struct Bystanders: Sendable, Hashable, Codable {
        /// A trigger, a view or an index of somebody else.
        public struct Object: Sendable, Hashable, Codable {
            /// What it is called.
            public var name: String
            /// The statement that puts it away; nil where it goes with its table.
            public var dropping: String?
            /// The statement that makes it again; nil where its table goes.
            public var making: String?

            package init(name: String, dropping: String?, making: String?) {
                self.name = name
                self.dropping = dropping
                self.making = making
            }
        }

        /// The tables that are made anew, by the names that they have before.
        public var rebuilt: [String]
        /// The tables that go.
        public var gone: [String]
        /// What was there when the step was planned.
        public var objects: [Object]

        package init(rebuilt: [String], gone: [String], objects: [Object]) {
            self.rebuilt = rebuilt
            self.gone = gone
            self.objects = objects
        }
    }

    /// Which model is in force once the step is done.
    public enum Force: String, Sendable, Hashable, Codable {
        /// The one before, as it was.
        case unchanged
        /// None: programs of the older version are refused, and those of the newer one have to wait.
        case none
        /// The newer one, and the older one beside it.
        case both
        /// The newer one.
        case newer
    }

    /// The phase that it belongs to.
    public var phase: MigrationPhase
    /// What it does, for a person.
    public var sentence: String
    /// What it does.
    public var work: Work
    /// What must not be there.
    public var checks: [Check]
    /// Which model is in force after it.
    public var force: Force
    /// The tables that nobody else can use meanwhile, or not write to.
    public var locks: [String]
    /// The tables that are written anew.
    public var rewrites: [String]
    /// What of others stands in the way of the statements; nil where nothing can.
    public var bystanders: Bystanders?
    /// The indexes and constraints of others that go with what they are of.
    public var foreignLosses: [String]
    /// The statements that come after what the store works out was tried, in the same transaction; nil where there are none.
    public var lateStatements: [String]?
    /// What it means for tables that are there, for people; nil where a migration was begun before that was noted.
    public var effects: [TableEffect]?

    package init(
        _ phase: MigrationPhase, _ sentence: String, _ work: Work, checks: [Check] = [],
        force: Force = .unchanged, locks: [String] = [], rewrites: [String] = [],
        bystanders: Bystanders? = nil,
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
    /// The statements of the step, each as it is run; those of a fill are made batch by batch.
    public var statements: [String] {
        switch work {
        case .statements(let statements), .separately(let statements): statements + (lateStatements ?? [])
        case .fill: []
        }
    }
}
