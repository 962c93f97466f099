extension Derivation {
    /// The expression, in terms of predicates, and a function that is applied to its result.
    package var expression: (value: FetchExpression, finish: @Sendable (StoredValue) -> StoredValue) {
        switch self {
        case .now: (.function(.now, []), { $0 })
        case .copy(let path): (Self.path(path), { $0 })
        case .lowercased(let path): (Self.path(path), { $0.mapText(TextFolding.lowercased) })
        case .canonical(let path):
            (
                Self.path(path),
                { $0.mapText { TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive]) } }
            )
        case .count(let relationship):
            (.aggregate(FetchAggregate(.count, of: PropertyPath([relationship]))), { $0 })
        case .sum(let relationship, let attribute):
            (Self.aggregateExpression(.sum, relationship, attribute), { $0 })
        case .minimum(let relationship, let attribute):
            (Self.aggregateExpression(.minimum, relationship, attribute), { $0 })
        case .maximum(let relationship, let attribute):
            (Self.aggregateExpression(.maximum, relationship, attribute), { $0 })
        }
    }

    private static func path(_ path: String) -> FetchExpression {
        .path(PropertyPath(path.split(separator: ".").map(String.init)))
    }

    private static func aggregateExpression(
        _ function: AggregateFunction, _ relationship: String, _ attribute: String
    ) -> FetchExpression {
        .aggregate(FetchAggregate(function, of: PropertyPath([relationship]), tail: [attribute]))
    }
}

extension StoredValue {
    fileprivate func mapText(_ transform: (String) -> String) -> StoredValue {
        if case .string(let text) = self { .string(transform(text)) } else { self }
    }
}
