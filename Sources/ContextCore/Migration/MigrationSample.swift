/// What one attribute or relationship of a few objects was, and what a migration makes of it.
///
/// It is for those who review a plan, and no part of its digest.
package struct MigrationSample: Sendable, Hashable {
    /// What an object has of a property.
    package enum Content: Sendable, Hashable {
        case value(StoredValue)
        /// The keys of the objects that a relationship leads to.
        case keys([Int64])
        /// Why there is none: what a stage has thrown, or what the attribute can't keep.
        case problem(String)
    }

    /// A property that is read, by its name or its path.
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
        /// Its entity in the store as it is.
        package let entityName: String
        package let key: Int64
        /// What the conversion reads; empty for a stage, which may read anything.
        package let readings: [Reading]
        /// What the property was; nil where it is new.
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

    /// How many objects are looked at.
    package static let rowCount = 3

    /// The property that is filled, by its newer name: `Product.price`.
    package let path: String
    /// The conversion; nil where a stage fills the property.
    package let conversion: String?
    /// The first objects, in the order of their keys.
    package let rows: [Row]

    package init(path: String, conversion: String?, rows: [Row]) {
        self.path = path
        self.conversion = conversion
        self.rows = rows
    }
}

/// A migrator that works out a few values of a plan's conversions and stages without writing any.
package protocol MigrationSampler: StoreMigrator {
    /// The samples of the steps that fill rows which the store has now, by the steps' places.
    func samples(of stretch: MigrationPlan.Stretch) throws -> [Int: [MigrationSample]]
}

extension MigrationPlan {
    /// The plan with samples of what it makes of the rows that are there; its digest is the same.
    ///
    /// The rows of later transitions aren't there yet, so those have no samples.
    package func sampled(by migrator: any StoreMigrator) throws -> MigrationPlan {
        guard let sampler = migrator as? any MigrationSampler, let first = stretches.first else {
            return self
        }
        var plan = self
        plan.setSamples(try sampler.samples(of: first), ofStretch: 0)
        return plan
    }
}

extension FetchExpression {
    /// The properties of the object that the expression reads, and what it counts or sums of others, each once and in their order.
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
    /// The values that comparisons read of the object.
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
