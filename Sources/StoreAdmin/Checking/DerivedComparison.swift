import ContextCore

/// Compares the derived attributes of an entity's own objects, without its subentities, with their definitions.
///
/// One query returns the stored values together with the values of the definitions, which the database computes, including aggregates
/// over relationships. This type folds strings, with the functions that a save uses. The time of the last save can't be checked.
///
/// The query uses inner joins for required references, so it omits an object whose attribute copies over a dangling required reference.
/// That reference is a separate finding, and the save that repairs it recomputes the object's derived attributes.
struct DerivedComparison {
    /// A derived attribute whose stored value differs from its definition.
    struct Difference {
        let key: Int64
        let property: PropertyLayout
        let derivation: Derivation
        /// The value of the definition.
        let value: StoredValue
    }

    private let entity: EntityLayout
    private let key: ResolvedExpression
    private var attributes: [Attribute] = []
    private var columns: [ResolvedExpression]
    private var batchSizer: BatchSizer

    /// A derived attribute, and the index of its first column in the query.
    ///
    /// Its columns are the definition, the stored value, and for a sum of doubles those of ``Derivation/precision``.
    private struct Attribute {
        let property: PropertyLayout
        let derivation: Derivation
        let finish: @Sendable (StoredValue) -> StoredValue
        let firstColumn: Int
    }

    /// Creates a comparison for an entity, or nil if it has no derived attribute that can be checked.
    ///
    /// - Parameter maxBatchSize: The maximum number of objects that a query reads; it reads fewer if their values are large.
    init?(_ entity: EntityLayout, in model: ObjectModel, maxBatchSize: Int) throws {
        self.entity = entity
        key = .key(of: entity)
        columns = [key]
        batchSizer = BatchSizer(maxBatchSize: maxBatchSize)
        let checker = RequestChecker(entity, in: model)
        for (slot, derivation) in entity.derivations {
            if case .now = derivation { continue }
            let property = entity.properties[slot]
            let (definition, finish) = derivation.expression
            attributes.append(
                Attribute(
                    property: property, derivation: derivation, finish: finish, firstColumn: columns.count))
            let stored = FetchExpression.path(PropertyPath([property.name]))
            let precision = property.attribute?.type == .double ? derivation.precision : []
            columns += try ([definition, stored] + precision).map(checker.expression)
        }
        if attributes.isEmpty { return nil }
    }

    /// Returns the differences of the objects with the given keys, in ascending order of the keys.
    ///
    /// - Parameter keys: Ascending keys with no other key of the entity in between.
    mutating func differences(
        _ keys: [Int64], _ session: any ReadSession
    ) throws -> [Difference] {
        var differences: [Difference] = []
        var batchSizer = batchSizer
        defer { self.batchSizer = batchSizer }
        var start = 0
        while start < keys.count {
            var rows: [[StoredValue]] = []
            start += try batchSizer.read(of: keys.count - start) { count in
                rows = try session.aggregate(plan(keys[start], keys[start + count - 1]))
                return rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.byteCount } }
            }
            for row in rows { differences += self.differences(row) }
        }
        return differences
    }

    private func plan(_ first: Int64, _ last: Int64) -> AggregatePlan {
        func constant(_ key: Int64) -> ResolvedExpression {
            ResolvedExpression(
                .constant(.int(key)), type: .object(entityIndex: entity.index), isNullable: false)
        }
        return AggregatePlan(
            entityIndex: entity.index, includesSubentities: false,
            predicate: .and([
                .compare(key, .greaterOrEqual, constant(first)), .compare(key, .lessOrEqual, constant(last)),
            ]), columns: columns)
    }

    private func differences(_ row: [StoredValue]) -> [Difference] {
        guard case .int(let key) = row[0] else { return [] }
        return attributes.compactMap { attribute in
            let value = attribute.finish(row[attribute.firstColumn])
            let stored = row[attribute.firstColumn + 1]
            if stored == value || isRounded(stored, value, row[(attribute.firstColumn + 2)...]) {
                return nil
            }
            return Difference(
                key: key, property: attribute.property, derivation: attribute.derivation, value: value)
        }
    }

    /// Whether two sums of the same doubles differ by no more than the rounding errors of adding them in another order.
    ///
    /// Saves and migrations add doubles in different orders. Two sums of the same `n` numbers differ by less than `n` rounding errors of
    /// the sum of their magnitudes, and that sum is at most `n` times the greatest magnitude.
    ///
    /// - Parameter precision: The values of ``Derivation/precision``; empty for attributes other than sums of doubles.
    private func isRounded(
        _ first: StoredValue, _ second: StoredValue, _ precision: ArraySlice<StoredValue>
    ) -> Bool {
        guard case .double(let first) = first, case .double(let second) = second,
            case .int(let count)? = precision.first,
            case .double(let least)? = precision.dropFirst().first,
            case .double(let greatest)? = precision.dropFirst(2).first
        else { return false }
        let magnitude = max(abs(least), abs(greatest))
        return magnitude.isFinite
            && abs(first - second) <= Double(count) * Double(count) * magnitude * .ulpOfOne
    }
}

extension Derivation {
    /// The definition in words, such as “the sum of players.score”.
    var definition: String {
        switch self {
        case .copy(let path): "a copy of \(path)"
        case .lowercased(let path): "\(path) in lower case"
        case .canonical(let path): "\(path) without case and diacritics"
        case .count(let relationship): "the count of \(relationship)"
        case .sum(let relationship, let attribute): "the sum of \(relationship).\(attribute)"
        case .minimum(let relationship, let attribute): "the minimum of \(relationship).\(attribute)"
        case .maximum(let relationship, let attribute): "the maximum of \(relationship).\(attribute)"
        case .now: "the time of the last save"
        }
    }

    /// The count, the minimum, and the maximum of a sum's values, which bound its rounding error; empty for other derivations.
    fileprivate var precision: [FetchExpression] {
        guard case .sum(let relationship, let attribute) = self else { return [] }
        let parts: [Derivation] = [
            .count(relationship: relationship), .minimum(relationship: relationship, attribute: attribute),
            .maximum(relationship: relationship, attribute: attribute),
        ]
        return parts.map(\.expression.value)
    }
}
