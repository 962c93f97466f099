/// Binds predicates to a model: finds what every path leads to, gives every value a type, and takes apart what stores need not know.
///
/// What it makes of a tree is described at ``ResolvedPredicate``. What can't be answered throws, naming the sub-expression.
struct PredicateChecker {
    /// How deeply conditions may be nested once chains are flat.
    ///
    /// SQLite's parser stops a little later.
    static let deepest = 24
    /// How deeply subqueries may be nested.
    static let deepestSubquery = 10

    /// An object that a condition can speak of.
    struct Scope {
        let entityIndex: Int
        let variable: String?
    }

    let model: ObjectModel
    /// Whether aggregates over the rows of a group may be used.
    var allowsGroups = false
    private(set) var scopes: [Scope]
    private var depth = 0

    init(_ entity: EntityLayout, in model: ObjectModel) {
        self.model = model
        scopes = [Scope(entityIndex: entity.index, variable: nil)]
    }

    /// The same checker inside a condition about the elements of a collection.
    func entering(_ collection: CheckedCollection, variable: String) throws -> PredicateChecker {
        guard scopes.count <= Self.deepestSubquery else {
            throw Self.refusal(
                "The predicate has more than \(Self.deepestSubquery) subqueries inside each other.")
        }
        var inner = self
        inner.scopes.append(Scope(entityIndex: collection.destinationIndex, variable: variable))
        return inner
    }

    // MARK: Conditions

    /// Checks a condition, or its opposite.
    func check(_ predicate: FetchPredicate, negated: Bool = false) throws -> ResolvedPredicate {
        var inner = self
        inner.depth += 1
        if inner.depth > Self.deepest {
            throw Self.refusal("The predicate is nested more than \(Self.deepest) levels deep.")
        }
        return try inner.checkNext(predicate, negated)
    }

    private func checkNext(_ predicate: FetchPredicate, _ negated: Bool) throws -> ResolvedPredicate {
        switch predicate {
        case .constant(let value): return .constant(value != negated ? .true : .false)
        case .not(let inner): return try check(inner, negated: !negated)
        case .and(let members): return try combine(members, negated, isAnd: !negated)
        case .or(let members): return try combine(members, negated, isAnd: negated)
        case .truth(let inner, let truth):
            return Self.opposite(.truth(try check(inner), is: truth), if: negated)
        case .comparison(let comparison): return try ComparisonChecking(self).check(comparison, negated)
        case .quantified(let quantifier, let path, let variable, let condition):
            let collection = try self.collection(path)
            let inner = try entering(collection, variable: variable).check(condition)
            return Self.quantified(quantifier, collection.resolved, inner, negated)
        case .isEntity(let path, let name): return try isEntity(path, name, negated)
        }
    }

    private func combine(_ members: [FetchPredicate], _ negated: Bool, isAnd: Bool) throws
        -> ResolvedPredicate
    {
        let absorbing = PredicateTruth(isAnd ? false : true)
        let neutral = PredicateTruth(isAnd ? true : false)
        var flat: [ResolvedPredicate] = []
        for member in members {
            switch try check(member, negated: negated) {
            case .and(let nested) where isAnd: flat += nested
            case .or(let nested) where !isAnd: flat += nested
            case .constant(neutral): break
            case .constant(absorbing): return .constant(absorbing)
            case let other: flat.append(other)
            }
        }
        if flat.count == 1 { return flat[0] }
        if flat.isEmpty { return .constant(neutral) }
        return isAnd ? .and(flat) : .or(flat)
    }

    /// Some, all or none of a collection's objects.
    ///
    /// An object for which the condition is unknown doesn't fulfil it.
    static func quantified(
        _ quantifier: Quantifier, _ collection: ResolvedCollection, _ condition: ResolvedPredicate,
        _ negated: Bool
    ) -> ResolvedPredicate {
        switch quantifier {
        case .any: opposite(.exists(collection, where: condition), if: negated)
        case .no: opposite(.exists(collection, where: condition), if: !negated)
        case .all:
            opposite(.exists(collection, where: .not(.truth(condition, is: .true))), if: !negated)
        }
    }

    private func isEntity(_ path: PropertyPath, _ name: String, _ negated: Bool) throws -> ResolvedPredicate {
        guard let wanted = model.layout(named: name) else {
            throw Self.refusal("“\(name)”: the model has no entity of that name.", code: .unknownProperty)
        }
        let object = try object(path)
        if model.layouts[object.entityIndex].rootIndex != wanted.rootIndex {
            throw Self.refusal(
                "“\(path)”: an object of \(model.layouts[object.entityIndex].name) is never one of \(name).")
        }
        return Self.opposite(.isEntity(object, indices: wanted.familyIndices), if: negated)
    }

    // MARK: Answers

    static func opposite(_ predicate: ResolvedPredicate, if negated: Bool) -> ResolvedPredicate {
        negated ? .not(predicate) : predicate
    }

    static func refusal(_ message: String, code: StoreError.Code = .unsupportedRequest) -> StoreError {
        StoreError(code, "The request can't be answered. \(message)")
    }
}

extension PredicateTruth {
    init(_ value: Bool) { self = value ? .true : .false }
}

// MARK: - What requests ask for

extension FetchPredicate {
    /// The predicate as an entity's stores can answer it.
    ///
    /// - Throws: ``StoreError`` naming the part that the model can't answer.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedPredicate {
        try PredicateChecker(entity, in: model).check(self)
    }
}

extension SortKey {
    /// The key as an entity's stores can answer it.
    ///
    /// - Throws: ``StoreError`` naming the part that the model can't answer.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedSortKey {
        let checker = PredicateChecker(entity, in: model)
        var expression = try checker.expression(.path(path))
        if case .object = expression.type {
            throw PredicateChecker.refusal(
                "“\(path)” is an object, and objects have no order; sort by a property of it.")
        }
        if !options.isEmpty { expression = try checker.folded(expression, options, "\(path)") }
        return ResolvedSortKey(
            expression, isDescending: isDescending, nullsFirst: nullsFirst ?? !isDescending)
    }
}
