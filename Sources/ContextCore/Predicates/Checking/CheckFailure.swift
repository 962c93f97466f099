/// Makes the errors of checking, which quote the rejected part without its constants.
extension RequestChecker {
    /// Returns an error that quotes an expression.
    func failure(
        _ part: FetchExpression, _ problem: String, code: StoreError.Code = .unsupportedRequest,
        remedy: String? = nil
    ) -> StoreError {
        StoreError(code, "“\(sourceText(of: part))”: \(problem)", remedy: remedy)
    }

    /// Returns an error that quotes a comparison.
    func failure(_ comparison: PredicateComparison, _ problem: String, remedy: String? = nil) -> StoreError {
        var copy = comparison
        copy.left = unaliased(copy.left)
        copy.right = unaliased(copy.right)
        let text = FetchPredicate.comparison(copy).redactedDescription
        return StoreError(.unsupportedRequest, "“\(text)”: \(problem)", remedy: remedy)
    }

    /// Returns the error for a property whose stored form can't be compared.
    func opaqueOperandError(_ operand: Operand) -> StoreError {
        failure(
            operand.source, "it is encoded, transformed or stored externally, so stores can't compare it.",
            remedy: "Compare it with NIL only, or copy the value to search for into a separate attribute.")
    }

    /// Returns the text of an expression as the caller wrote it, without its constants.
    func sourceText(of part: FetchExpression) -> String {
        unaliased(part).redactedDescription
    }

    /// Replaces the checker's own variables with the paths that they stand for.
    private func unaliased(_ part: FetchExpression) -> FetchExpression {
        let rewriter = PathRewriter { path, _ in
            guard let variable = path.variable, let alias = aliases[variable] else { return .path(path) }
            return .path(path.rebased(on: alias))
        }
        // The closure never throws, and always returns a path.
        return (try? rewriter.rewrite(part)) ?? part
    }

    /// Returns a sentence that suggests the name nearest to an unknown one; nil if none is similar.
    func suggestion(for name: String, among names: [String]) -> String? {
        Spelling.nearest(to: name, among: names).map { "Did you mean “\($0)”?" }
    }
}

extension ResolvedType {
    /// Returns the type's name for error messages.
    func text(in model: ObjectModel) -> String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .object(let index): "an object of \(model.layouts[index].name)"
        }
    }
}
