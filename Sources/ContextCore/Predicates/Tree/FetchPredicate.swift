/// A condition on objects, for fetches and other requests.
///
/// Typed operators, predicate text and Foundation's `#Predicate` all make this tree, which can be compared, encoded and
/// printed. It means the same in memory and in every store.
///
/// ```swift
/// let predicate = try FetchPredicate("score > %ld AND game.title = %@", 10, "Go")
/// print(predicate)    // score > 10 AND game.title = "Go"
/// ```
///
/// A predicate uses three-valued logic: `<` or `>` with a null operand is *unknown*. A fetch returns the objects for which
/// the predicate is true.
public indirect enum FetchPredicate: Hashable, Sendable {
    /// A condition that is always true or always false.
    case constant(Bool)
    /// A comparison of two values.
    case comparison(PredicateComparison)
    /// Whether any, all or none of the objects at the end of a path satisfy a condition.
    ///
    /// The variable stands for each object in the condition. Never unknown: an object for which the condition is unknown doesn't
    /// satisfy it.
    case quantified(Quantifier, in: PropertyPath, variable: String, FetchPredicate)
    /// Whether the object at the end of a path belongs to an entity or to one of its subentities.
    case isEntity(PropertyPath, name: String)
    /// Whether a condition evaluates to the given truth value; never unknown.
    case truth(FetchPredicate, is: PredicateTruth)
    /// Whether all conditions are true.
    case and([FetchPredicate])
    /// Whether at least one condition is true.
    case or([FetchPredicate])
    /// The negation of a condition; unknown if the condition is unknown.
    case not(FetchPredicate)
}

/// The truth value of a condition in three-valued logic.
public enum PredicateTruth: String, Hashable, Sendable, CaseIterable {
    /// The condition holds.
    case `true` = "TRUE"
    /// The condition does not hold.
    case `false` = "FALSE"
    /// The condition can't be decided because a value is null.
    case unknown = "UNKNOWN"
}

/// How many of the objects at the end of a path must satisfy a condition.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one; false if there are no objects.
    case any = "ANY"
    /// All; true if there are no objects.
    case all = "ALL"
    /// None; true if there are no objects.
    case no = "NONE"
}

/// A comparison of two values.
public struct PredicateComparison: Hashable, Sendable {
    /// The value on the left.
    public var left: FetchExpression
    /// The operator.
    public var `operator`: ComparisonOperator
    /// The value on the right.
    public var right: FetchExpression
    /// The options for comparing strings: ignore case, ignore diacritics.
    public var options: TextOptions
    /// How many of the objects at the end of the left path must satisfy the comparison; nil for a path without to-many relationships.
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

/// A comparison operator; the raw value is its spelling in text.
public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
    /// Both are null, or both are the same value. Never unknown.
    case equal = "="
    /// The negation of ``equal``. Never unknown.
    case notEqual = "!="
    /// The left value sorts before the right one.
    case less = "<"
    /// The left value sorts before the right one, or is equal.
    case lessOrEqual = "<="
    /// The left value sorts after the right one.
    case greater = ">"
    /// The left value sorts after the right one, or is equal.
    case greaterOrEqual = ">="
    /// The left string begins with the right one.
    case beginsWith = "BEGINSWITH"
    /// The left string ends with the right one.
    case endsWith = "ENDSWITH"
    /// The left string contains the right one, or the to-many relationship on the left contains the value on the right.
    case contains = "CONTAINS"
    /// The string matches a pattern in which `?` is any scalar, `*` is any string, and `\` escapes either.
    case like = "LIKE"
    /// The regular expression on the right matches the whole string.
    case matches = "MATCHES"
    /// The value equals a member of a list, or the object is in a to-many relationship. Never unknown.
    case `in` = "IN"
    /// The value lies between the two members of a list, both included.
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

    /// Joins two predicates with AND, and flattens nested ANDs.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        switch (left, right) {
        case (.and(let a), .and(let b)): .and(a + b)
        case (.and(let a), _): .and(a + [right])
        case (_, .and(let b)): .and([left] + b)
        default: .and([left, right])
        }
    }

    /// Joins two predicates with OR, and flattens nested ORs.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        switch (left, right) {
        case (.or(let a), .or(let b)): .or(a + b)
        case (.or(let a), _): .or(a + [right])
        case (_, .or(let b)): .or([left] + b)
        default: .or([left, right])
        }
    }

    /// Negates a predicate.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        .not(predicate)
    }
}
