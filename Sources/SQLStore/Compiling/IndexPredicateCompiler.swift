import ContextCore

/// Compiles the predicate of an index to a condition on the columns of the indexed table.
struct IndexPredicateCompiler {
    private let mapping: StoreMapping

    init(_ mapping: StoreMapping) {
        self.mapping = mapping
    }

    /// Returns the condition, whose values the caller renders as literals, or nil for an index over all rows.
    ///
    /// The result is also nil if the predicate needs functions of this library, because other programs couldn't read a
    /// database with such an index. An index over all rows gives the same results.
    func condition(of index: IndexDescription, in entity: EntityMapping) throws(StoreError) -> SQLExpression?
    {
        guard let text = index.predicate else { return nil }
        let aliases = AliasCounter()
        let row = RowNode(entity, alias: "", QueryBuilder(aliases), mapping)
        var compiler = PredicateCompiler(mapping, aliases: aliases, scopes: [row])
        compiler.listsEverything = true
        let condition = try compiler.condition(predicate(text, of: entity.layout), isFilter: true)
        return condition.hasDecimalForms ? nil : condition
    }

    /// Parses the predicate, which the model has already checked.
    private func predicate(_ text: String, of entity: EntityLayout) throws(StoreError) -> ResolvedPredicate {
        do {
            return try FetchPredicate(text, arguments: []).resolved(for: entity, in: mapping.model)
        } catch {
            throw StoreError(
                .unsupportedRequest, "The predicate of an index of \(entity.name) can't be parsed.",
                remedy: "Correct the predicate of the index in the model.", cause: error)
        }
    }
}

extension SQLExpression {
    /// Whether the expression contains a value of the type `anyDecimal`.
    fileprivate var hasDecimalForms: Bool {
        switch self {
        case .call(let function, let arguments):
            function.type == .anyDecimal || arguments.contains(where: \.hasDecimalForms)
        case .comparison(let left, _, let right): left.hasDecimalForms || right.hasDecimalForms
        case .isNull(let value), .isNotNull(let value), .not(let value), .truthTest(let value, _):
            value.hasDecimalForms
        case .isAmong(let value, let members):
            value.hasDecimalForms || members.contains(where: \.hasDecimalForms)
        case .and(let members), .or(let members): members.contains(where: \.hasDecimalForms)
        default: false
        }
    }
}
