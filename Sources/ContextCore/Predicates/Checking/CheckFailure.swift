/// The errors of checking: each names the part that it is about, without its values.
extension RequestChecker {
    /// An error about a part of what was written.
    func failure(
        _ part: FetchExpression, _ problem: String, code: StoreError.Code = .unsupportedRequest,
        remedy: String? = nil
    ) -> StoreError {
        StoreError(code, "“\(written(part))”: \(problem)", remedy: remedy)
    }

    /// An error about a comparison.
    func failure(_ comparison: PredicateComparison, _ problem: String, remedy: String? = nil) -> StoreError {
        var copy = comparison
        copy.left = unaliased(copy.left)
        copy.right = unaliased(copy.right)
        let text = FetchPredicate.comparison(copy).redactedDescription
        return StoreError(.unsupportedRequest, "“\(text)”: \(problem)", remedy: remedy)
    }

    /// An error about a property that compares in no way.
    func opaque(_ operand: Operand) -> StoreError {
        failure(
            operand.source, "it is stored in a form, or in a place, in which no store can compare it.",
            remedy: "It can be compared with NIL only; keep what you look for in an attribute of its own.")
    }

    /// A part as it was written, without its values.
    func written(_ part: FetchExpression) -> String {
        unaliased(part).redactedDescription
    }

    /// A part with the paths that were written in the place of the checker's own variables.
    private func unaliased(_ part: FetchExpression) -> FetchExpression {
        let rewriter = PathRewriter { path, _ in
            guard let variable = path.variable, let alias = aliases[variable] else { return .path(path) }
            return .path(path.rebased(on: alias))
        }
        // The closure never throws, and always answers a path.
        return (try? rewriter.rewrite(part)) ?? part
    }

    /// The name among several that a wrong one was meant to be, as a sentence.
    func suggestion(for name: String, among names: [String]) -> String? {
        Spelling.nearest(to: name, among: names).map { "Did you mean “\($0)”?" }
    }
}

extension ResolvedType {
    /// The type in words, as errors say it.
    func text(in model: ObjectModel) -> String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "a text"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .object(let index): "an object of \(model.layouts[index].name)"
        }
    }
}
