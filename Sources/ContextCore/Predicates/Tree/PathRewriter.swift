/// Replaces the paths in a predicate or expression.
struct PathRewriter {
    /// Returns the replacement of a path; `bound` contains the variables that the enclosing conditions bind.
    let replace: (_ path: PropertyPath, _ bound: Set<String>) throws -> FetchExpression

    func rewrite(_ predicate: FetchPredicate, bound: Set<String> = []) throws -> FetchPredicate {
        switch predicate {
        case .constant: return predicate
        case .comparison(var comparison):
            comparison.left = try rewrite(comparison.left, bound: bound)
            comparison.right = try rewrite(comparison.right, bound: bound)
            return .comparison(comparison)
        case .quantified(let quantifier, in: let collection, variable: let variable, let inner):
            return .quantified(
                quantifier, in: try rewrite(collection, bound: bound), variable: variable,
                try rewrite(inner, bound: bound.union([variable])))
        case .isEntity(let path, name: let name):
            return .isEntity(try rewrite(path, bound: bound), name: name)
        case .truth(let inner, is: let truth): return .truth(try rewrite(inner, bound: bound), is: truth)
        case .and(let members): return .and(try members.map { try rewrite($0, bound: bound) })
        case .or(let members): return .or(try members.map { try rewrite($0, bound: bound) })
        case .not(let inner): return .not(try rewrite(inner, bound: bound))
        }
    }

    func rewrite(_ expression: FetchExpression, bound: Set<String> = []) throws -> FetchExpression {
        switch expression {
        case .literal, .object: return expression
        case .list(let members): return .list(try members.map { try rewrite($0, bound: bound) })
        case .path(let path): return try replace(path, bound)
        case .arithmetic(let sign, let left, let right):
            return .arithmetic(sign, try rewrite(left, bound: bound), try rewrite(right, bound: bound))
        case .function(let function, let arguments):
            return .function(function, try arguments.map { try rewrite($0, bound: bound) })
        case .conditional(let test, then: let first, else: let second):
            return .conditional(
                try rewrite(test, bound: bound), then: try rewrite(first, bound: bound),
                else: try rewrite(second, bound: bound))
        case .aggregate(var aggregate):
            aggregate.collection = try rewrite(aggregate.collection, bound: bound)
            if let filter = aggregate.filter {
                aggregate.filter?.predicate = try rewrite(
                    filter.predicate, bound: bound.union([filter.variable]))
            }
            return .aggregate(aggregate)
        }
    }

    /// Replaces a path in a position that allows only a path.
    private func rewrite(_ path: PropertyPath, bound: Set<String>) throws -> PropertyPath {
        let replaced: FetchExpression = try replace(path, bound)
        guard case .path(let path) = replaced else {
            throw PredicateSubstitutionError(variable: path.variable ?? "SELF")
        }
        return path
    }
}
