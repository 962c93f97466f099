/// An error for a value that was substituted for a variable where only a path is allowed.
public struct PredicateSubstitutionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The variable, without its `$`.
    public let variable: String

    /// A sentence that names the variable and what may replace it.
    public var description: String {
        "The variable $\(variable) is the start of a path, so a value can't replace it. Pass a PropertyPath."
    }
}

extension FetchPredicate {
    /// The names of the free variables, without their `$`.
    public var variables: Set<String> {
        var found: Set<String> = []
        let rewriter = PathRewriter { path, bound in
            if let variable = path.variable, !bound.contains(variable) { found.insert(variable) }
            return .path(path)
        }
        // The closure never throws, and always returns a path.
        _ = try? rewriter.rewrite(self)
        return found
    }

    /// Returns the predicate with variables replaced by values.
    ///
    /// ```swift
    /// let template = try FetchPredicate("score > $least")
    /// let predicate = try template.substituting(["least": 10])    // score > 10
    /// ```
    ///
    /// Variables that are not in the dictionary stay as they are.
    ///
    /// - Throws: ``PredicateSubstitutionError`` if a position needs a path and the dictionary has a value for it.
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
