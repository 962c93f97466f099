/// A value was given for a variable that stands where only an object or a relationship can stand.
public struct PredicateSubstitutionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The variable, without its `$`.
    public let variable: String

    /// Says which variable it is and what it needs.
    public var description: String {
        "$\(variable) begins a path, so it can be replaced by a path only, not by a value."
    }
}

extension FetchPredicate {
    /// The variables that wait for a value, without their `$`.
    public var variables: Set<String> {
        var found: Set<String> = []
        let rewriter = PathRewriter { path, bound in
            if let variable = path.variable, !bound.contains(variable) { found.insert(variable) }
            return .path(path)
        }
        // The closure never throws, and always answers a path.
        _ = try? rewriter.rewrite(self)
        return found
    }

    /// Makes the predicate in which variables have been replaced by values.
    ///
    /// ```swift
    /// let template = try FetchPredicate("score > $least")
    /// let predicate = try template.substituting(["least": 10])    // score > 10
    /// ```
    ///
    /// Variables that are not mentioned stay as they are.
    ///
    /// - Throws: ``PredicateSubstitutionError`` for a value where a path is needed.
    public func substituting(_ values: [String: any PredicateArgument]) throws -> FetchPredicate {
        let rewriter = PathRewriter { path, bound in
            guard let variable = path.variable, !bound.contains(variable), let value = values[variable] else {
                return .path(path)
            }
            let replacement = value.predicateExpression
            if case .path(let base) = replacement { return .path(path.rebased(on: base)) }
            guard path.names.isEmpty else { throw PredicateSubstitutionError(variable: variable) }
            return replacement
        }
        return try rewriter.rewrite(self)
    }
}
