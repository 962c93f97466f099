/// A list of the problems of a model.
struct ModelProblems {
    private(set) var list: [ModelProblem] = []

    mutating func report(
        _ code: ModelProblem.Code, _ entity: String, _ property: String? = nil, _ message: String
    ) {
        list.append(ModelProblem(code, entity: entity, property: property, message))
    }

    /// Throws all problems, sorted by entity and property, if there are any.
    func throwIfAny() throws(ModelError) {
        guard !list.isEmpty else { return }
        throw ModelError(problems: list.sortedByBytes { "\($0.entity ?? "")\u{0}\($0.property ?? "")" })
    }
}
