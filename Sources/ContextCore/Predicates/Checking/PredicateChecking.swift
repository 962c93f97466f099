/// Resolves conditions.
extension RequestChecker {
    /// Resolves a condition and pushes NOT down to its leaves.
    func condition(_ predicate: FetchPredicate) throws -> ResolvedPredicate {
        let inner = try nested()
        switch predicate {
        case .constant(let value): return .constant(value ? .true : .false)
        case .comparison(let comparison): return try inner.comparison(comparison)
        case .quantified(let quantifier, in: let path, variable: let variable, let condition):
            let (collection, element) = try inner.entering(path, as: variable)
            return .quantified(quantifier, collection, try element.condition(condition))
        case .isEntity(let path, name: let name): return try entityTest(path, name)
        case .truth(let condition, is: let truth): return try inner.condition(condition).truthTest(truth)
        case .and(let members): return .conjunction(try members.map { try inner.condition($0) })
        case .or(let members): return .disjunction(try members.map { try inner.condition($0) })
        case .not(let condition): return try inner.condition(condition).negated
        }
    }

    private func entityTest(_ path: PropertyPath, _ name: String) throws -> ResolvedPredicate {
        let checked = try resolvePath(path)
        guard case .object = checked.end, checked.collectionLength == nil, groupedBy == nil else {
            throw failure(.path(path), "IS needs a single object on its left.")
        }
        guard let entity = model.layout(named: name) else {
            throw failure(
                .path(path), "the model has no entity “\(name)”.", code: .unknownProperty,
                remedy: suggestion(for: name, among: model.layouts.map(\.name)))
        }
        guard entity.rootIndex == checked.entity.rootIndex else {
            throw failure(
                .path(path),
                "\(checked.entity.name) and \(name) are not in one inheritance tree, so IS is never true.")
        }
        let object = ResolvedProperty(
            scope: checked.scope, hops: checked.steps, entityIndex: checked.entity.index, target: .key)
        return .isEntity(object, indices: entity.familyIndices)
    }
}

// MARK: - Quantified comparisons

extension RequestChecker {
    /// Resolves a comparison with ANY, ALL or NONE on its left side.
    func quantifiedComparison(_ comparison: PredicateComparison, _ quantifier: Quantifier) throws
        -> ResolvedPredicate
    {
        let (prefix, rewritten, variable) = try extractCollection(from: comparison.left, of: comparison)
        var inner = comparison
        inner.left = rewritten
        inner.quantifier = nil
        let (collection, checker) = try entering(prefix, as: variable, alias: prefix)
        return .quantified(quantifier, collection, try checker.comparison(inner))
    }

    /// Returns the only collection in an expression, and the expression rewritten for one of its elements.
    private func extractCollection(
        from value: FetchExpression, of comparison: PredicateComparison
    ) throws -> (collection: PropertyPath, rewritten: FetchExpression, variable: String) {
        let variable = hiddenVariable
        var found: PropertyPath?
        let rewriter = PathRewriter { path, bound in
            guard path.variable.map({ !bound.contains($0) }) ?? true,
                try resolvePath(path).collectionLength != nil
            else { return .path(path) }
            let (prefix, rest) = try split(path, value)
            guard found == nil || found == prefix else {
                throw failure(comparison, "its left side contains more than one to-many relationship path.")
            }
            found = prefix
            return .path(PropertyPath(rest, of: variable))
        }
        let rewritten = try rewriter.rewrite(value)
        guard let found else {
            throw failure(
                comparison, "ANY, ALL and NONE need a to-many relationship on the left.")
        }
        return (found, rewritten, variable)
    }

    /// Resolves a test whether a path's values contain a value; nil if the path has no to-many relationship.
    func membership(
        of value: FetchExpression, in path: PropertyPath, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate? {
        guard try resolvePath(path).collectionLength != nil else { return nil }
        let equality = PredicateComparison(.path(path), .equal, value, options: comparison.options)
        return try quantifiedComparison(equality, .any)
    }
}

// MARK: - Simplifying

extension ResolvedPredicate {
    /// Returns a condition on any, all or none of a collection's elements.
    ///
    /// An element for which the condition is unknown doesn't satisfy it.
    static func quantified(
        _ quantifier: Quantifier, _ collection: ResolvedCollection, _ condition: ResolvedPredicate
    ) -> ResolvedPredicate {
        switch quantifier {
        case .any: exists(collection, condition)
        case .no: exists(collection, condition).negated
        case .all: exists(collection, condition.truthTest(.true).negated).negated
        }
    }

    private static func exists(
        _ collection: ResolvedCollection, _ condition: ResolvedPredicate
    ) -> ResolvedPredicate {
        switch condition {
        case .constant(.false), .constant(.unknown): .constant(.false)
        default: .exists(collection, where: condition)
        }
    }

    /// Joins conditions with AND and flattens nested ANDs.
    static func conjunction(_ members: [ResolvedPredicate]) -> ResolvedPredicate {
        var flat: [ResolvedPredicate] = []
        for member in members {
            switch member {
            case .constant(.false): return .constant(.false)
            case .constant(.true): break
            case .and(let inner): flat += inner
            default: flat.append(member)
            }
        }
        return flat.count > 1 ? .and(flat) : flat.first ?? .constant(.true)
    }

    /// Joins conditions with OR and flattens nested ORs.
    static func disjunction(_ members: [ResolvedPredicate]) -> ResolvedPredicate {
        var flat: [ResolvedPredicate] = []
        for member in members {
            switch member {
            case .constant(.true): return .constant(.true)
            case .constant(.false): break
            case .or(let inner): flat += inner
            default: flat.append(member)
            }
        }
        return flat.count > 1 ? .or(flat) : flat.first ?? .constant(.false)
    }

    /// The negated condition, with NOT at the leaves.
    package var negated: ResolvedPredicate {
        switch self {
        case .constant(.true): .constant(.false)
        case .constant(.false): .constant(.true)
        case .constant(.unknown): self
        case .compare(let left, let sign, let right): .compare(left, sign.opposite, right)
        case .not(let inner): inner
        case .and(let members): .or(members.map(\.negated))
        case .or(let members): .and(members.map(\.negated))
        default: .not(self)
        }
    }

    /// Returns a condition that is true if this one evaluates to the given truth value.
    func truthTest(_ truth: PredicateTruth) -> ResolvedPredicate {
        if case .constant(let constant) = self { return .constant(constant == truth ? .true : .false) }
        if canBeUnknown { return .truth(self, is: truth) }
        switch truth {
        case .true: return self
        case .false: return negated
        case .unknown: return .constant(.false)
        }
    }

    /// Whether the condition can evaluate to unknown.
    package var canBeUnknown: Bool {
        switch self {
        case .constant(let truth): truth == .unknown
        case .compare(_, .equal, _), .compare(_, .notEqual, _): false
        // Required properties can be null in objects that are not saved yet.
        case .compare, .text, .like, .matches: true
        case .isNull, .isMember, .isEntity, .exists, .truth: false
        case .not(let inner): inner.canBeUnknown
        case .and(let members), .or(let members): members.contains(where: \.canBeUnknown)
        }
    }
}
