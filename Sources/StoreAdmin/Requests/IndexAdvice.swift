import ContextCore

/// Recommends indexes with which the database can execute a request without a full table scan.
struct IndexAdvice {
    /// A recommended index.
    struct Advice: Equatable {
        let entityName: String
        let properties: [String]
        let reason: String
        /// Whether the model already has an index that starts with the same property.
        let exists: Bool
    }

    /// The columns of one entity that a condition compares, and that an index should contain.
    private struct IndexCandidate: Hashable {
        let entityIndex: Int
        var equal: [Int] = []
        var range: [Int] = []
    }

    let model: ObjectModel

    func recommendations(for plan: FetchPlan) -> [Advice] {
        var candidates = plan.predicate.map(candidates) ?? []
        let order = plan.order.prefix(1).compactMap { column($0.expression) }
        if let first = order.first {
            if let index = candidates.firstIndex(where: {
                $0.entityIndex == first.entityIndex && $0.range.isEmpty
            }),
                candidates.count == 1
            {
                candidates[index].range = [first.column]
            } else if candidates.isEmpty {
                candidates = [IndexCandidate(entityIndex: first.entityIndex, range: [first.column])]
            }
        }
        var recommendations: [Advice] = []
        for candidate in candidates {
            let advice = advice(candidate, isOrder: plan.predicate == nil)
            if !recommendations.contains(advice) { recommendations.append(advice) }
        }
        return recommendations
    }

    private func advice(_ candidate: IndexCandidate, isOrder: Bool) -> Advice {
        let layout = model.layouts[candidate.entityIndex]
        var columns = candidate.equal
        if let range = candidate.range.first, !columns.contains(range) { columns.append(range) }
        let names = columns.map { layout.columns[$0].name }
        let reason =
            isOrder ? "sort order" : candidate.equal.isEmpty ? "range of values" : "equal values"
        return Advice(
            entityName: layout.name, properties: names, reason: reason,
            exists: hasIndex(names, candidate, layout))
    }

    /// Whether an index starts with a column that is compared for equality or, if there is none, with the column of the range.
    private func hasIndex(_ names: [String], _ candidate: IndexCandidate, _ layout: EntityLayout) -> Bool {
        let leading =
            candidate.equal.isEmpty
            ? Set(names.prefix(1)) : Set(candidate.equal.map { layout.columns[$0].name })
        // The store creates an index for each reference.
        if columns(of: leading, layout).contains(where: \.isReference) { return true }
        let family = model.layouts.filter { layout.isKind(of: $0) }
        return family.contains { entity in
            let declared = entity.description.indexes.filter { $0.predicate == nil }
                .compactMap { $0.elements.first?.property }
            let unique = entity.description.uniqueConstraints.compactMap { $0.properties.first }
            return (declared + unique).contains(where: leading.contains)
        }
    }

    private func columns(of names: Set<String>, _ layout: EntityLayout) -> [ColumnLayout] {
        layout.columns.filter { names.contains($0.name) }
    }

    // MARK: Predicates

    /// Returns the columns of all operands of AND together, one value per entity, and those of each operand of OR separately.
    private func candidates(_ predicate: ResolvedPredicate) -> [IndexCandidate] {
        switch predicate {
        case .and(let parts):
            var merged: [Int: IndexCandidate] = [:]
            for candidate in parts.flatMap(candidates) {
                merged[candidate.entityIndex, default: IndexCandidate(entityIndex: candidate.entityIndex)]
                    .equal += candidate.equal
                merged[candidate.entityIndex, default: IndexCandidate(entityIndex: candidate.entityIndex)]
                    .range += candidate.range
            }
            return merged.values.sorted { $0.entityIndex < $1.entityIndex }
        case .or(let parts): return parts.flatMap(candidates)
        case .exists(_, let condition): return candidates(condition)
        case .compare(let left, .equal, let right): return candidate(left, right) { $0.equal = [$1] }
        case .compare(_, .notEqual, _): return []
        case .compare(let left, _, let right): return candidate(left, right) { $0.range = [$1] }
        case .isMember(let value, _), .isNull(let value): return candidate(value, nil) { $0.equal = [$1] }
        case .text(let text, .beginsWith, let prefix): return candidate(text, prefix) { $0.range = [$1] }
        case .constant, .text, .like, .matches, .isEntity, .truth, .not: return []
        }
    }

    private func candidate(
        _ left: ResolvedExpression, _ right: ResolvedExpression?,
        _ addColumn: (inout IndexCandidate, Int) -> Void
    ) -> [IndexCandidate] {
        // An index doesn't help to compare two properties with each other.
        if let right, right.constant == nil, left.constant == nil { return [] }
        guard let place = column(left) ?? right.flatMap(column) else { return [] }
        var candidate = IndexCandidate(entityIndex: place.entityIndex)
        addColumn(&candidate, place.column)
        return [candidate]
    }

    private func column(_ expression: ResolvedExpression) -> (entityIndex: Int, column: Int)? {
        guard case .property(let property) = expression.node, case .column(let column) = property.target
        else {
            return nil
        }
        return (property.entityIndex, column)
    }
}

extension ColumnLayout {
    /// Whether the column contains the key of another object.
    fileprivate var isReference: Bool {
        if case .attribute = kind { false } else { true }
    }
}
