/// A condition on objects, as data.
///
/// It can be written with typed operators, as text, or as Foundation's `#Predicate`; all come to this one tree, which can be
/// compared, stored and printed. What it means is defined by the evaluator in memory, and is the same in every store.
///
/// ```swift
/// let predicate = try FetchPredicate("score > %ld AND game.title = %@", 10, "Go")
/// print(predicate)    // score > 10 AND game.title = "Go"
/// ```
///
/// A predicate may be neither true nor false: comparing the size of something that is null is *unknown*. A fetch
/// returns the objects for which it is true.
public indirect enum FetchPredicate: Hashable, Sendable {
    /// Always true, or always false.
    case constant(Bool)
    /// Two values compared.
    case comparison(PredicateComparison)
    /// Whether some, all or none of the objects that a path leads to fulfil a condition.
    ///
    /// The variable names the object in hand. Never unknown: an object for which the condition is unknown doesn't fulfil it.
    case quantified(Quantifier, in: PropertyPath, variable: String, FetchPredicate)
    /// Whether the object at a path is of an entity, or of one that inherits from it.
    case isEntity(PropertyPath, name: String)
    /// Whether a condition is true, false or unknown; itself never unknown.
    case truth(FetchPredicate, is: PredicateTruth)
    /// All of the conditions.
    case and([FetchPredicate])
    /// At least one of the conditions.
    case or([FetchPredicate])
    /// The opposite of a condition; unknown when that is unknown.
    case not(FetchPredicate)
}

/// Names the three answers that a condition can have.
public enum PredicateTruth: String, Hashable, Sendable, CaseIterable {
    /// The condition holds.
    case `true` = "TRUE"
    /// The condition does not hold.
    case `false` = "FALSE"
    /// A null leaves it open.
    case unknown = "UNKNOWN"
}

/// Says how many of the objects at the end of a path must fulfil a condition.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one; false when there are no objects.
    case any = "ANY"
    /// Every one; true when there are no objects.
    case all = "ALL"
    /// Not one; true when there are no objects.
    case no = "NONE"
}

/// Two values, and how they are compared.
public struct PredicateComparison: Hashable, Sendable {
    /// The value on the left.
    public var left: FetchExpression
    /// How they are compared.
    public var `operator`: ComparisonOperator
    /// The value on the right.
    public var right: FetchExpression
    /// What makes no difference between texts.
    public var options: TextOptions
    /// How many of the objects that the left path leads to must compare so; nil for a path that leads to one.
    public var quantifier: Quantifier?

    /// Makes a comparison.
    public init(
        _ left: FetchExpression, _ operator: ComparisonOperator, _ right: FetchExpression,
        options: TextOptions = [], quantifier: Quantifier? = nil
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.options = options
        self.quantifier = quantifier
    }
}

/// Names how two values are compared; the raw value is how it is printed.
public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
    /// Both are null, or both are the same value. Never unknown.
    case equal = "="
    /// The opposite of ``equal``. Never unknown.
    case notEqual = "!="
    /// The left value sorts before the right one.
    case less = "<"
    /// The left value sorts before the right one, or is the same.
    case lessOrEqual = "<="
    /// The left value sorts after the right one.
    case greater = ">"
    /// The left value sorts after the right one, or is the same.
    case greaterOrEqual = ">="
    /// The left text begins with the right one.
    case beginsWith = "BEGINSWITH"
    /// The left text ends with the right one.
    case endsWith = "ENDSWITH"
    /// The right text stands somewhere in the left one.
    case contains = "CONTAINS"
    /// The text fits a pattern in which `?` is any scalar, `*` any text, and `\` takes either literally.
    case like = "LIKE"
    /// The text fits a regular expression from beginning to end.
    case matches = "MATCHES"
    /// The value equals one of a list, or the object is one of a to-many relationship. Never unknown.
    case `in` = "IN"
    /// The value is no less than the first and no greater than the second of a list.
    case between = "BETWEEN"
}

// MARK: - Composing

extension FetchPredicate {
    /// Makes a comparison.
    public static func comparing(
        _ left: FetchExpression, _ operator: ComparisonOperator, _ right: FetchExpression,
        options: TextOptions = []
    ) -> FetchPredicate {
        .comparison(PredicateComparison(left, `operator`, right, options: options))
    }

    /// Makes the predicate that both are true; chains stay flat.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        switch (left, right) {
        case (.and(let a), .and(let b)): .and(a + b)
        case (.and(let a), _): .and(a + [right])
        case (_, .and(let b)): .and([left] + b)
        default: .and([left, right])
        }
    }

    /// Makes the predicate that at least one is true; chains stay flat.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        switch (left, right) {
        case (.or(let a), .or(let b)): .or(a + b)
        case (.or(let a), _): .or(a + [right])
        case (_, .or(let b)): .or([left] + b)
        default: .or([left, right])
        }
    }

    /// Makes the opposite of a predicate.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        .not(predicate)
    }
}
