/// Checks aggregates over relationships and over groups of rows.
extension RequestChecker {
    /// Resolves an aggregate over the rows of a group or over a to-many relationship.
    func aggregate(_ aggregate: FetchAggregate, _ source: FetchExpression) throws -> ResolvedExpression {
        if try aggregatesGroupRows(aggregate) { return try groupAggregate(aggregate, source) }
        let resolved =
            if let filter = aggregate.filter {
                try filteredAggregate(aggregate, filter, source)
            } else {
                try pathAggregate(aggregate, source)
            }
        let expression = try aggregateExpression(resolved, source)
        if let groupedBy, !groupedBy.contains(expression) {
            throw failure(source, "the request neither groups by it nor aggregates it.")
        }
        return expression
    }

    /// Whether an aggregate is over the rows of a group: its path has no to-many relationship.
    private func aggregatesGroupRows(_ aggregate: FetchAggregate) throws -> Bool {
        if aggregate.collection.isItself { return true }
        guard groupedBy != nil, aggregate.filter == nil, aggregate.collection.variable == nil else {
            return false
        }
        return try resolvePath(aggregate.collection).collectionLength == nil
    }

    /// Resolves an aggregate over the rows of a group.
    private func groupAggregate(
        _ aggregate: FetchAggregate, _ source: FetchExpression
    ) throws -> ResolvedExpression {
        guard groupedBy != nil, aggregate.filter == nil else {
            throw failure(
                source, "the request has no groups that it could aggregate.",
                remedy: "Name the relationship, as in players.@count.")
        }
        var rows = self
        rows.groupedBy = nil
        let names = aggregate.collection.names + aggregate.tail
        let value = try names.isEmpty ? nil : rows.value(PropertyPath(names))
        return try aggregateExpression(
            ResolvedAggregate(function: aggregate.function, collection: nil, filter: nil, value: value),
            source)
    }

    /// Resolves an aggregate over the related objects that satisfy a condition.
    private func filteredAggregate(
        _ aggregate: FetchAggregate, _ filter: FetchAggregate.Filter, _ source: FetchExpression
    ) throws -> ResolvedAggregate {
        let (collection, inner) = try entering(aggregate.collection, as: filter.variable)
        let condition = try inner.condition(filter.predicate)
        let value =
            try aggregate.tail.isEmpty
            ? nil : inner.value(PropertyPath(aggregate.tail, of: filter.variable))
        return ResolvedAggregate(
            function: aggregate.function, collection: collection, filter: condition, value: value)
    }

    /// Resolves an aggregate such as `players.@sum.score`, over the last to-many relationship of its path.
    private func pathAggregate(
        _ aggregate: FetchAggregate, _ source: FetchExpression
    ) throws -> ResolvedAggregate {
        let (prefix, rest) = try split(aggregate.collection, source)
        let variable = hiddenVariable
        let (collection, inner) = try entering(prefix, as: variable, alias: prefix)
        let names = rest + aggregate.tail
        return ResolvedAggregate(
            function: aggregate.function, collection: collection, filter: nil,
            value: try names.isEmpty ? nil : inner.value(PropertyPath(names, of: variable)))
    }

    /// Resolves the property that is aggregated.
    private func value(_ path: PropertyPath) throws -> ResolvedExpression {
        try nested().operand(.path(path)).expression
    }

    /// Determines the type of an aggregate's result.
    private func aggregateExpression(
        _ aggregate: ResolvedAggregate, _ source: FetchExpression
    ) throws -> ResolvedExpression {
        let type = aggregate.value?.type
        let result: ResolvedType
        switch (aggregate.function, type) {
        case (.count, _): result = .integer
        case (.sum, .integer?), (.sum, .double?), (.sum, .decimal?): result = type ?? .integer
        case (.average, .integer?), (.average, .double?), (.average, .decimal?): result = .double
        case (.minimum, .integer?), (.minimum, .double?), (.minimum, .decimal?), (.minimum, .string?),
            (.minimum, .date?), (.maximum, .integer?), (.maximum, .double?), (.maximum, .decimal?),
            (.maximum, .string?), (.maximum, .date?):
            result = type ?? .integer
        case (_, nil):
            throw failure(source, "@\(aggregate.function.rawValue) needs a property to aggregate.")
        case (_, let type?):
            throw failure(
                source, "@\(aggregate.function.rawValue) of \(type.text(in: model)) isn't possible.")
        }
        return ResolvedExpression(
            .aggregate(aggregate), type: result, isNullable: aggregate.function != .count)
    }
}

// MARK: - Collections

extension RequestChecker {
    /// A variable name for the checker's own use, which no predicate text can contain.
    var hiddenVariable: String { "\u{1}\(scopes.count)" }

    /// Resolves a path to a collection, and returns the checker for conditions on its elements.
    func entering(
        _ path: PropertyPath, as variable: String, alias: PropertyPath? = nil
    ) throws -> (ResolvedCollection, RequestChecker) {
        let checked = try resolvePath(path)
        guard case .object = checked.end, checked.collectionLength == checked.steps.count,
            !checked.steps.isEmpty
        else {
            throw failure(.path(path), "it doesn't end with a to-many relationship.")
        }
        var inner = entering(checked.entity, as: variable, alias: alias)
        inner.groupedBy = nil
        return (ResolvedCollection(scope: checked.scope, steps: checked.steps), inner)
    }

    /// Splits a path after its last to-many relationship.
    func split(
        _ path: PropertyPath, _ source: FetchExpression
    ) throws -> (prefix: PropertyPath, rest: [String]) {
        let checked = try resolvePath(path)
        guard let length = checked.collectionLength else {
            throw failure(source, "“\(sourceText(of: .path(path)))” contains no to-many relationship.")
        }
        // Each relationship is one name, and no relationship follows an attribute.
        return (
            PropertyPath(Array(path.names.prefix(length)), of: path.variable),
            Array(path.names.dropFirst(length))
        )
    }
}
