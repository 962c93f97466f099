import ContextCore

/// Compares the derived attributes of an entity's own objects with their definitions.
///
/// The database works the definitions out, aggregates over relationships included, in the query that reads the stored values. Texts
/// are folded here by the functions that a save uses. The time of the last save can't be checked.
///
/// The query joins what required references lead to, so it leaves out an object with a copy over one that leads nowhere. That reference is
/// a finding of its own, and the save that sets it works out the object's derived attributes.
struct DerivedComparison {
    /// A derived attribute of an object that isn't what its definition says.
    struct Difference {
        let key: Int64
        let property: PropertyLayout
        let derivation: Derivation
        /// What the definition says.
        let value: StoredValue
    }

    private let entity: EntityLayout
    private let key: ResolvedExpression
    private var attributes: [Attribute] = []
    private var columns: [ResolvedExpression]
    private var pace: RowPace

    /// A derived attribute, and where its columns begin in a line of the query: the definition, the stored value, and for a sum of
    /// doubles what tells how precise it is.
    private struct Attribute {
        let property: PropertyLayout
        let derivation: Derivation
        let finish: @Sendable (StoredValue) -> StoredValue
        let firstColumn: Int
    }

    /// - Parameter most: How many objects are read at once where their values are small.
    /// - Returns: Nil where the entity has no derived attribute that can be checked.
    init?(_ entity: EntityLayout, in model: ObjectModel, most: Int) throws {
        self.entity = entity
        key = .key(of: entity)
        columns = [key]
        pace = RowPace(most: most)
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

    /// The differences of some objects, in the order of their keys.
    ///
    /// - Parameter keys: Keys that follow each other in the entity, in order.
    mutating func differences(
        _ keys: [Int64], _ session: any ReadSession
    ) throws -> [Difference] {
        var differences: [Difference] = []
        var pace = pace
        defer { self.pace = pace }
        var start = 0
        while start < keys.count {
            var lines: [[StoredValue]] = []
            start += try pace.read(of: keys.count - start) { count in
                lines = try session.aggregate(plan(keys[start], keys[start + count - 1]))
                return lines.reduce(0) { $0 + $1.reduce(0) { $0 + $1.byteCount } }
            }
            for line in lines { differences += self.differences(line) }
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

    private func differences(_ line: [StoredValue]) -> [Difference] {
        guard case .int(let key) = line[0] else { return [] }
        return attributes.compactMap { attribute in
            let value = attribute.finish(line[attribute.firstColumn])
            let stored = line[attribute.firstColumn + 1]
            if stored == value || isRounded(stored, value, line[(attribute.firstColumn + 2)...]) {
                return nil
            }
            return Difference(
                key: key, property: attribute.property, derivation: attribute.derivation, value: value)
        }
    }

    /// Whether two sums of the same doubles differ by no more than their order can make.
    ///
    /// Saves and migrations add doubles in orders of their own. Two sums of the same `n` numbers differ by less than `n` rounding errors
    /// of the sum of their magnitudes, and that sum is at most `n` times the greatest magnitude.
    ///
    /// - Parameter precision: The values of ``Derivation/precision``, which other attributes don't have.
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
    /// What an attribute has to be, in words.
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

    /// What tells how precise a sum of doubles is: how many objects there are, and the least and the greatest value; empty for all
    /// else.
    fileprivate var precision: [FetchExpression] {
        guard case .sum(let relationship, let attribute) = self else { return [] }
        let parts: [Derivation] = [
            .count(relationship: relationship), .minimum(relationship: relationship, attribute: attribute),
            .maximum(relationship: relationship, attribute: attribute),
        ]
        return parts.map(\.expression.value)
    }
}
