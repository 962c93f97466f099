/// The values of one attribute or relationship of a few objects before and after a migration.
///
/// Samples are for reviewers and don't change the plan's digest.
package struct MigrationSample: Sendable, Hashable {
    /// The content of a property of an object.
    package enum Content: Sendable, Hashable {
        case value(StoredValue)
        /// The keys of the objects to which a relationship refers.
        case keys([Int64])
        /// The reason why there is no value: the error of a stage, or a value that doesn't fit the attribute.
        case problem(String)
    }

    /// A value that a conversion reads, with the name or path of its property.
    package struct Reading: Sendable, Hashable {
        package let path: String
        package let value: StoredValue

        package init(path: String, value: StoredValue) {
            self.path = path
            self.value = value
        }
    }

    /// One object.
    package struct Row: Sendable, Hashable {
        /// The name of its entity in the store's present model.
        package let entityName: String
        package let key: Int64
        /// The values that the conversion reads; empty for a stage, which may read anything.
        package let readings: [Reading]
        /// The content before the migration; nil if the property is new.
        package let before: Content?
        package let after: Content

        package init(
            entityName: String, key: Int64, readings: [Reading], before: Content?, after: Content
        ) {
            self.entityName = entityName
            self.key = key
            self.readings = readings
            self.before = before
            self.after = after
        }
    }

    /// The number of objects in a sample.
    package static let rowCount = 3

    /// The property, by its newer name: `Product.price`.
    package let path: String
    /// The conversion; nil if a stage fills the property.
    package let conversion: String?
    /// The first objects, sorted by key.
    package let rows: [Row]

    package init(path: String, conversion: String?, rows: [Row]) {
        self.path = path
        self.conversion = conversion
        self.rows = rows
    }
}

/// A migrator that evaluates a plan's conversions and stages for a few rows without writing them.
package protocol MigrationSampler: StoreMigrator {
    /// Returns the samples of the steps that fill existing rows, by the indices of the steps.
    func samples(of segment: MigrationPlan.Segment) throws -> [Int: [MigrationSample]]
}

extension MigrationPlan {
    /// Returns the plan with samples of converted rows; its digest is the same.
    ///
    /// Only the first transition has samples, because the rows of later ones don't exist yet.
    package func sampled(by migrator: any StoreMigrator) throws -> MigrationPlan {
        guard let sampler = migrator as? any MigrationSampler, let first = segments.first else {
            return self
        }
        var plan = self
        plan.setSamples(try sampler.samples(of: first), ofSegment: 0)
        return plan
    }
}

extension FetchExpression {
    /// The properties and aggregates that the expression reads, without duplicates and in order of appearance.
    package var readings: [FetchExpression] {
        var found: [FetchExpression] = []
        for reading in allReadings where !found.contains(reading) { found.append(reading) }
        return found
    }

    private var allReadings: [FetchExpression] {
        switch self {
        case .literal, .object: []
        case .path(let path): path.isItself || path.variable != nil ? [] : [self]
        case .aggregate: [self]
        case .list(let members), .function(_, let members): members.flatMap(\.allReadings)
        case .arithmetic(_, let left, let right): left.allReadings + right.allReadings
        case .conditional(let test, then: let first, else: let second):
            test.readings + first.allReadings + second.allReadings
        }
    }
}

extension FetchPredicate {
    /// The expressions that comparisons read of the object.
    fileprivate var readings: [FetchExpression] {
        switch self {
        case .constant, .isEntity, .quantified: []
        case .comparison(let comparison):
            comparison.quantifier == nil ? comparison.left.readings + comparison.right.readings : []
        case .truth(let predicate, is: _), .not(let predicate): predicate.readings
        case .and(let predicates), .or(let predicates): predicates.flatMap(\.readings)
        }
    }
}
